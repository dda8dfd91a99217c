package dev.weir.grpc;

import static dev.weir.grpc.ServedPort.SHOULD_RATE_LIMIT;
import static dev.weir.grpc.ServedPort.call;
import static dev.weir.grpc.ServedPort.framed;
import static dev.weir.grpc.ServedPort.question;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.socket.Entrance;
import dev.weir.socket.MaxAge;
import dev.weir.socket.Places;
import dev.weir.testing.Eventually;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where callers come in, other than at a port of the loopback, and how long they stay. */
final class EntranceTest {
    @TempDir
    private Path folder;

    private static ServedPort open(Entrance entrance) throws IOException {
        return new ServedPort(decider -> new NettyTransport(decider, entrance));
    }

    private static int ask(RawFrames caller) throws IOException {
        int stream = caller.open(call(SHOULD_RATE_LIMIT), 0);
        caller.frame(RawFrames.DATA, RawFrames.END_STREAM, stream, framed(question("ann")));
        return ServedPort.remaining(caller.answer(stream));
    }

    @Test
    void a_caller_is_told_to_go_when_its_connection_is_old_and_the_call_under_way_is_answered() throws Exception {
        var age = new MaxAge(Duration.ofSeconds(3), Duration.ofMinutes(1)); // time to open the call
        var served = open(new Entrance(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), age, Places.unbounded(), (_, _) -> {}));
        try (var caller = RawFrames.connect(served.port())) {
            int stream = caller.open(call(SHOULD_RATE_LIMIT), 0);
            caller.readUntil(() -> caller.goAway() == 0);
            caller.frame(RawFrames.DATA, RawFrames.END_STREAM, stream, framed(question("ann")));
            assertThat(ServedPort.remaining(caller.answer(stream))).isEqualTo(999_999);
            caller.readUntil(caller::isClosed);
            assertThat(caller.goAway()).isZero();
        } finally {
            served.stop();
        }
    }

    @Test
    @Timeout(30)
    void a_connection_too_many_is_closed_and_those_before_it_stay() throws Exception {
        var places = new Places(1, Duration.ZERO, () -> {});
        var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var served = open(new Entrance(loopback, MaxAge.NONE, places, (_, _) -> {}));
        try {
            try (var caller = RawFrames.connect(served.port())) {
                assertThat(ask(caller)).isEqualTo(999_999); // it has its place before the other comes
                try (var tooMany = new Socket(loopback.getAddress(), served.port())) {
                    assertThat(tooMany.getInputStream().read()).isEqualTo(-1);
                }
                assertThat(ask(caller)).isEqualTo(999_998);
                assertThat(places.refused()).isEqualTo(1);
            }
            Eventually.await("its place is free", () -> places.taken() == 0);
            try (var caller = RawFrames.connect(served.port())) {
                assertThat(ask(caller)).isEqualTo(999_997);
            }
        } finally {
            served.stop();
        }
    }

    @Test
    void every_address_of_ipv6_is_every_address_of_ipv4_too() throws Exception {
        var served = open(Entrance.plain(new InetSocketAddress("::", 0)));
        try (var caller = RawFrames.connect(served.port())) {
            assertThat(ask(caller)).isEqualTo(999_999);
        } finally {
            served.stop();
        }
    }

    @Test
    @SuppressWarnings("deprecation") // the shaded Netty's only way to a Unix socket that builds by itself
    void a_unix_socket_takes_calls_and_its_file_goes_with_it() throws Exception {
        var path = folder.resolve("grpc.sock");
        var served = open(Entrance.plain(UnixDomainSocketAddress.of(path)));
        assertThat(served.port()).isZero();
        var loops = new EpollEventLoopGroup(1);
        var channel = NettyChannelBuilder.forAddress(new DomainSocketAddress(path.toFile()))
                .channelType(EpollDomainSocketChannel.class)
                .eventLoopGroup(loops)
                .overrideAuthority("weir")
                .usePlaintext()
                .build();
        try {
            var answer = RateLimitServiceGrpc.newBlockingStub(channel).shouldRateLimit(ServedPort.request("ann"));
            assertThat(answer.getStatuses(0).getLimitRemaining()).isEqualTo(999_999);
        } finally {
            channel.shutdownNow();
            served.stop();
            var _ = loops.shutdownGracefully();
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void a_socket_that_was_left_behind_makes_room_and_nothing_else_does() throws Exception {
        var path = folder.resolve("grpc.sock");
        var address = UnixDomainSocketAddress.of(path);
        try (var before = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            before.bind(address);
            assertThatThrownBy(() -> open(Entrance.plain(address)))
                    .isInstanceOfAny(IOException.class, UncheckedIOException.class)
                    .hasMessageContaining("another process listens there");
        }
        assertThat(path).exists();
        open(Entrance.plain(address)).stop();
        Files.writeString(path, "a letter");
        assertThatThrownBy(() -> open(Entrance.plain(address))).hasMessageContaining("something else than a socket");
        assertThat(path).hasContent("a letter");
        Files.delete(path);
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor())
                .isZero();
        assertThatThrownBy(() -> open(Entrance.plain(address))).hasMessageContaining("something else than a socket");
        assertThat(path).as("a pipe").exists();
    }
}
