package dev.weir.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Patience;
import dev.weir.loop.EventLoops;
import dev.weir.socket.Entrance;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

final class Http2ServerTest {
    @Test
    void a_connection_that_does_not_begin_to_speak_is_closed_and_one_that_does_stays() throws InterruptedException {
        try (var loops = new EventLoops();
                var silent = new EmbeddedCaller();
                var speaking = new EmbeddedCaller()) {
            var server = new Http2Server(
                    Entrance.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                    EmbeddedCaller.methods((_, replies) -> new NotedCall(new ArrayList<>(), replies), 1_000),
                    Patience.of(Duration.ofSeconds(1)),
                    loops);
            server.begin(silent.channel());
            server.begin(speaking.channel());
            speaking.greet();
            silent.pass(9);
            assertThat(silent.channel().isOpen()).isTrue();
            silent.pass(1);
            speaking.pass(10);
            assertThat(silent.channel().isOpen()).isFalse();
            assertThat(speaking.channel().isOpen()).isTrue();
            server.stop(Duration.ZERO);
        }
    }

    @Test
    void a_connection_that_is_closed_leaves_nothing_behind_that_waits() throws InterruptedException {
        try (var loops = new EventLoops();
                var hasty = new EmbeddedCaller()) {
            var server = new Http2Server(
                    Entrance.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                    EmbeddedCaller.methods((_, replies) -> new NotedCall(new ArrayList<>(), replies), 1_000),
                    Patience.of(Duration.ofSeconds(1)),
                    loops);
            server.begin(hasty.channel());
            assertThat(hasty.channel().runScheduledPendingTasks()).isPositive();
            var _ = hasty.channel().pipeline().close(); // the channel of the test would drop all timers itself
            hasty.channel().runPendingTasks();
            assertThat(hasty.channel().runScheduledPendingTasks()).isEqualTo(-1);
            server.stop(Duration.ZERO);
        }
    }

    @Test
    void a_connection_that_was_taken_while_the_server_stops_is_told_to_leave() throws InterruptedException {
        try (var loops = new EventLoops();
                var caller = new EmbeddedCaller()) {
            var methods = EmbeddedCaller.methods((_, replies) -> new NotedCall(new ArrayList<>(), replies), 1_000);
            var server = new Http2Server(
                    Entrance.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                    methods,
                    Patience.of(Duration.ofSeconds(1)),
                    loops);
            server.stop(Duration.ZERO);
            server.begin(caller.channel());
            caller.greet();
            caller.channel().runPendingTasks();
            assertThat(caller.came(EmbeddedCaller.GO_AWAY)).hasSize(1);
            caller.pass(2);
            assertThat(caller.channel().isOpen()).isFalse();
        }
    }
}
