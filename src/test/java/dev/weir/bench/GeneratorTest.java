package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.bench.load.BenchException;
import dev.weir.bench.load.Load;
import dev.weir.bench.request.Route;
import dev.weir.testing.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of connections, and of what comes when nobody counts any more. */
@Timeout(60)
final class GeneratorTest {
    private static final int STREAMS = 2;
    private static final int MANY = 40;

    private final ListeningService service = new ListeningService();
    private Generator generator;
    private Totals counted = new Totals();

    @BeforeEach
    void connect() throws InterruptedException {
        generator = connect(1);
    }

    private Generator connect(int connections) throws InterruptedException {
        var load = HeardEnds.load(connections, new Load.Pacing.Closed(STREAMS), Duration.ZERO);
        return Generator.connect(load, service.route());
    }

    @AfterEach
    void close() throws IOException {
        generator.close();
        service.close();
    }

    /** Each look asks the event loop, so it waits for that. */
    private void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            counted = counted.plus(generator.take());
        }
    }

    @Test
    void a_service_that_has_no_room_for_all_is_not_taken_for_one_that_speaks_something_else() {
        service.greetAtMost(MANY / 2);
        assertThatThrownBy(() -> connect(MANY))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("greeted some connections and not others: the ")
                .hasMessageEndingWith("it may have no room for so many (--connections)");
    }

    @Test
    void a_connection_that_is_lost_before_it_begins_is_replaced_when_it_begins() throws Exception {
        service.cut();
        await(() -> counted.connectionsLost() == 1);
        assertThat(service.connections()).isEqualTo(1);
        generator.begin();
        await(() -> service.connections() == 2);
        assertThat(counted.errorCount()).isZero();
    }

    @Test
    void connections_that_are_lost_and_not_replaced_leave_a_trace() throws Exception {
        generator.begin();
        service.stopListening();
        service.cut();
        await(() -> counted.reconnectsFailed() >= 2);
        assertThat(counted.connectionsLost()).isEqualTo(1);
        assertThat(counted.errorCount()).isEqualTo(STREAMS);
    }

    @Test
    void a_service_that_turns_all_away_is_asked_again_in_tenths_of_a_second_and_quoted() throws Exception {
        generator.begin();
        long start = System.nanoTime();
        service.turnAway();
        await(() -> service.connections() >= 4);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(250));
        counted = counted.plus(generator.finish());
        assertThat(counted.connectionsLost()).isGreaterThanOrEqualTo(3);
        assertThat(counted.firstError()).isEqualTo("the service ended the connection: ENHANCE_YOUR_CALM: calm");
        assertThat(counted.errors()).containsOnlyKeys("unanswered").containsValue((long) STREAMS);
    }

    @Test
    void one_that_is_closed_in_the_midst_of_a_closed_loop_leaves_no_connection() throws Exception {
        int before = service.connections();
        try (var many = connect(MANY)) {
            many.begin();
        }
        Eventually.await("the service sees the end of all", () -> service.ended() >= MANY);
        try (var next = connect(1)) {
            assertThat(service.connections())
                    .as("and that nobody came instead, before the next one")
                    .isEqualTo(before + MANY + 1);
            next.begin();
        }
    }

    @Test
    void one_that_is_broken_off_while_it_connects_leaves_no_thread() throws Exception {
        var threads = new ThreadGroup("those of one that connects");
        var failure = new CompletableFuture<Exception>();
        try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var route = Route.inTheClear("127.0.0.1", silent.getLocalPort());
            var load = HeardEnds.load(1, new Load.Pacing.Closed(STREAMS), Duration.ZERO);
            var connecting = new Thread(threads, () -> {
                try {
                    Generator.connect(load, route).close();
                } catch (BenchException | InterruptedException e) {
                    failure.complete(e);
                }
            });
            connecting.start();
            try (var _ = silent.accept()) {
                connecting.interrupt();
                assertThat(failure.get()).isInstanceOf(InterruptedException.class);
                Eventually.await("all its threads end", () -> threads.activeCount() == 0);
            }
        }
    }

    @Test
    void what_ends_after_the_end_is_not_counted_again() throws Exception {
        generator.begin();
        var last = generator.finish();
        assertThat(last.errors()).containsOnlyKeys("unanswered").containsValue((long) STREAMS);
        service.reset(1);
        await(() -> counted.errors().containsKey("reset"));
        assertThat(last.errors()).containsOnlyKeys("unanswered");
    }
}
