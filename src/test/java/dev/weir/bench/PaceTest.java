package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which connection an open loop sends on. */
final class PaceTest {
    private static final int MANY_STREAMS = 1_000;
    private static final int MOST_AT_ONCE = 256 * 256;
    private static final int MAX_CONCURRENT_STREAMS = 3;
    private static final long LEAST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long NOW = 1_234_567_890;

    private final HeardEnds heard = new HeardEnds();
    private final List<Connection> connections =
            Stream.generate(heard::connection).limit(3).toList();
    private final List<FramedService> services =
            connections.stream().map(FramedService::new).toList();
    private final EmbeddedChannel loop = new EmbeddedChannel();
    private final Pace.Open pace = pace(1);

    PaceTest() {
        services.forEach(service -> service.settings(MAX_CONCURRENT_STREAMS, MANY_STREAMS));
    }

    @AfterEach
    void end() {
        pace.end();
        services.forEach(FramedService::close);
        var _ = loop.finishAndReleaseAll();
    }

    /** Returns a pace whose clock stands: what is due stays so however slow this machine is. */
    private static Pace.Open pace(int rate) {
        return new Pace.Open(rate, () -> NOW);
    }

    /** Lets it begin when this many are due. */
    private void begin(int due) {
        long start = NOW - TimeUnit.SECONDS.toNanos(due - 1);
        pace.begin(loop.eventLoop(), connections, new Timetable(start, 1));
    }

    private List<Integer> sent() {
        return connections.stream().map(Connection::unanswered).toList();
    }

    @Test
    void what_is_due_together_goes_to_one_connection() {
        begin(10);
        assertThat(sent()).containsExactlyInAnyOrder(10, 0, 0);
    }

    @Test
    void the_next_goes_to_the_next_connection() {
        begin(1);
        begin(1);
        begin(2);
        assertThat(sent()).containsExactlyInAnyOrder(1, 1, 2);
    }

    @Test
    void what_a_stall_left_is_spread_over_all() {
        begin(256 + 256 + 5);
        assertThat(sent()).containsExactlyInAnyOrder(256, 256, 5);
        assertThat(services).extracting(service -> service.requests().size()).containsExactlyInAnyOrder(256, 256, 5);
    }

    @Test
    void a_rate_that_cannot_be_reached_leaves_turns_to_others() {
        loop.freezeTime();
        begin(MOST_AT_ONCE + 10);
        assertThat(heard.ends()).hasSize(MOST_AT_ONCE - connections.size() * (MANY_STREAMS + HeardEnds.PLACES));
        loop.advanceTimeBy(LEAST_PAUSE_NANOS, TimeUnit.NANOSECONDS);
        loop.runScheduledPendingTasks();
        assertThat(heard.ends()).hasSize(10);
    }

    @Test
    void it_wakes_no_more_often_than_each_tenth_of_a_millisecond() {
        assertThat(sleepsFor(20_000)).isEqualTo(LEAST_PAUSE_NANOS);
        assertThat(sleepsFor(1_000_000)).isEqualTo(LEAST_PAUSE_NANOS);
    }

    @Test
    void at_a_low_rate_it_wakes_for_each() {
        assertThat(sleepsFor(1)).isEqualTo(TimeUnit.SECONDS.toNanos(1));
    }

    /** Returns for how long it sleeps when all that is due was sent. */
    private long sleepsFor(int rate) {
        loop.freezeTime();
        var other = pace(rate);
        other.begin(loop.eventLoop(), connections);
        long nanos = loop.runScheduledPendingTasks();
        other.end();
        loop.advanceTimeBy(1, TimeUnit.SECONDS);
        loop.runScheduledPendingTasks();
        return nanos;
    }

    @Test
    void a_connection_that_is_lost_is_left_out() {
        services.getFirst().close();
        begin(256 + 256);
        assertThat(sent()).containsExactly(0, 256, 256);
        assertThat(heard.ends()).containsExactly("lost");
    }
}
