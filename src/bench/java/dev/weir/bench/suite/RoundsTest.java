package dev.weir.bench.suite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.load.Keys;
import dev.weir.bench.load.Load;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Under a load on a service that greets, and answers nothing. */
@Timeout(60)
final class RoundsTest {
    private static final byte[] EMPTY_SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    private static final Duration BRIEF = Duration.ofMillis(1);
    private static final double NANOS_PER_SECOND = 1e9;

    @Test
    void what_is_done_between_two_rounds_belongs_to_the_time_of_the_second() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> greet(socket));
            var question = Asked.of("edge", Asked.descriptor("user=ann"));
            var load = new Load(question, new Keys.Uniform(1), 1, new Load.Pacing.Closed(1), Duration.ZERO, 1);
            var target = new Target(socket.getLocalPort(), Target.NONE, Target.NONE);
            try (var rounds = Rounds.begin(load, target)) {
                var _ = rounds.next(BRIEF);
                long start = System.nanoTime();
                assertThat(BenchRules.paths(4).getBytes(UTF_8)).isNotEmpty(); // takes its time
                double between = (System.nanoTime() - start) / NANOS_PER_SECOND;
                assertThat(rounds.next(BRIEF).seconds()).isGreaterThan(between);
            }
        }
    }

    private static void greet(ServerSocket socket) {
        try {
            socket.accept().getOutputStream().write(EMPTY_SETTINGS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
