package dev.weir.grpc;

import static dev.weir.grpc.ServedPort.SHOULD_RATE_LIMIT;
import static dev.weir.grpc.ServedPort.call;
import static dev.weir.grpc.ServedPort.framed;
import static dev.weir.grpc.ServedPort.question;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.handshake.Handshakes;
import dev.weir.handshake.TlsFiles;
import dev.weir.socket.Entrance;
import dev.weir.socket.MaxAge;
import dev.weir.socket.Places;
import dev.weir.socket.Places.Place;
import dev.weir.testing.Eventually;
import dev.weir.testing.SignedFiles;
import io.netty.channel.ChannelPipeline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who connects and says nothing keeps nobody out who has something to say. */
@Timeout(60)
final class SilentCallersTest {
    private static final int PLACES = 3;
    private static final int MANY = 40;

    private final Places places = new Places(PLACES, Duration.ZERO, () -> {});
    private final AtomicInteger left = new AtomicInteger();
    private final Deque<Socket> silent = new ArrayDeque<>();
    private final SignedFiles certificates = SignedFiles.create();
    private final ToldHandshakes told = new ToldHandshakes();
    private @Nullable Handshakes handshakes;
    private @Nullable ServedPort served;
    private int port;

    enum Form {
        CLEAR,
        TLS,
        MUTUAL_TLS
    }

    @AfterEach
    void end() throws Exception {
        for (Socket socket : silent) {
            socket.close();
        }
        if (served != null) {
            served.stop();
        }
        if (handshakes != null) {
            handshakes.close();
        }
        certificates.close();
    }

    /** Returns what a caller puts around its socket. */
    private RawFrames.Layer serve(Form form) throws Exception {
        if (form == Form.CLEAR) {
            serve((_, _) -> {});
            return tcp -> tcp;
        }
        var own = certificates.sign("weir", "127.0.0.1");
        var authority = form == Form.TLS ? null : certificates.authority();
        handshakes = Handshakes.watched(
                new TlsFiles(own.certificate(), own.key(), authority, ""), told, InstantSource.system());
        serve(handshakes::begin);
        var caller = TlsCaller.trusting(certificates.authority());
        return form == Form.TLS
                ? caller::around
                : caller.as(certificates.authority(), certificates.sign("envoy", "envoy.example"))::around;
    }

    private void serve(BiConsumer<ChannelPipeline, Place> handshake) throws IOException {
        var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        // The port asked before to hear of the end: whoever is counted here has left its place.
        var counted = handshake.andThen((pipeline, _) -> {
            var _ = pipeline.channel().closeFuture().addListener(_ -> left.incrementAndGet());
        });
        var entrance = new Entrance(loopback, MaxAge.NONE, places, counted);
        served = new ServedPort(decider -> new NettyTransport(decider, entrance));
        port = served.port();
    }

    /** Of so few places only one can be on its way out, and whoever comes meanwhile is refused. */
    private void awaitRoom() {
        Eventually.await("all who were sent away are gone", () -> left.get() >= places.sentAway());
    }

    /** Connects, and returns when the connection has its place: which of two threads is the first is anybody's guess. */
    private Socket comesSilently() throws IOException {
        awaitRoom();
        long before = places.taken() + places.sentAway() + places.refused();
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        silent.add(socket);
        Eventually.await("one more is noticed", () -> places.taken() + places.sentAway() + places.refused() > before);
        return socket;
    }

    private static int ask(RawFrames caller) throws IOException {
        int stream = caller.open(call(SHOULD_RATE_LIMIT), 0);
        caller.frame(RawFrames.DATA, RawFrames.END_STREAM, stream, framed(question("ann")));
        return ServedPort.remaining(caller.answer(stream));
    }

    private static void assertClosed(Socket socket) throws IOException {
        var _ = socket.getInputStream().readAllBytes(); // of what greets, and of an alert
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void who_has_been_silent_for_the_longest_goes_for_a_caller_who_greets(Form form) throws Exception {
        var layer = serve(form);
        for (int i = 0; i < MANY; i++) {
            comesSilently();
            assertThat(places.taken()).isLessThanOrEqualTo(PLACES);
        }
        awaitRoom();
        try (var caller = RawFrames.connect(layer, port)) {
            assertThat(ask(caller)).isEqualTo(999_999);
            for (int i = 0; i < MANY; i++) {
                comesSilently();
            }
            assertThat(ask(caller)).isEqualTo(999_998);
            assertThat(places.taken()).isEqualTo(PLACES);
            assertThat(places.refused()).isZero();
            while (silent.size() >= PLACES) {
                assertClosed(silent.removeFirst());
            }
        }
        assertThat(told.refused()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void where_all_have_greeted_who_comes_is_refused(Form form) throws Exception {
        var layer = serve(form);
        try (var one = RawFrames.connect(layer, port);
                var two = RawFrames.connect(layer, port);
                var three = RawFrames.connect(layer, port)) {
            assertThat(ask(one)).isEqualTo(999_999);
            assertThat(ask(two)).isEqualTo(999_998);
            assertThat(ask(three)).isEqualTo(999_997);
            for (int i = 0; i < MANY; i++) {
                assertThat(comesSilently().getInputStream().read()).isEqualTo(-1);
            }
            assertThat(ask(one)).isEqualTo(999_996);
            assertThat(ask(two)).isEqualTo(999_995);
            assertThat(ask(three)).isEqualTo(999_994);
            assertThat(places.refused()).isEqualTo(MANY);
            assertThat(places.sentAway()).isZero();
        }
    }

    @Test
    void each_step_of_a_handshake_is_waited_for_anew() throws Exception {
        var layer = serve(Form.TLS);
        var slow = comesSilently();
        var never = comesSilently();
        comesSilently();
        try (var shaken = layer.around(slow);
                var caller = RawFrames.connect(layer, port)) {
            assertThat(ask(caller)).isEqualTo(999_999);
            assertClosed(never);
            assertThat(places.sentAway()).isEqualTo(1);
            assertThat(ask(RawFrames.over(shaken))).isEqualTo(999_998);
        }
    }
}
