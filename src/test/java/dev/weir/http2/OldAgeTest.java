package dev.weir.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Call;
import dev.weir.call.Calls;
import dev.weir.call.Gate;
import dev.weir.call.Patience;
import dev.weir.http2.bound.Budgets;
import dev.weir.socket.MaxAge;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Exception;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A connection grows old while the test moves the clock: ten minutes, up to a tenth more or less, and two of grace. */
final class OldAgeTest {
    private static final int GO_AWAY = 7;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int HEAD_BYTES = 9;
    private static final Duration AGE = Duration.ofMinutes(10);
    private static final Duration GRACE = Duration.ofMinutes(2);

    private final EmbeddedChannel channel = new EmbeddedChannel();

    private void connect(MaxAge age) {
        channel.freezeTime();
        Calls silent = (_, _) -> new Call() {
            @Override
            public void message(byte[] bytes) {}

            @Override
            public void halfClose() {}

            @Override
            public void cancel() {}
        };
        var gate = new Gate(Runnable::run, System::nanoTime, new Patience(1_000_000_000L, () -> 0));
        var gathering = new Gathering(EmbeddedCaller.unsent());
        var connection = new ConnectionBuilder(
                        EmbeddedCaller.methods(silent, 1_000), Budgets.of(1_000), gate, gathering, () -> {})
                .next();
        channel.pipeline().addLast(gathering, connection, new OldAge(age, new SplittableRandom(7), connection));
        frame(SETTINGS, 0, 0, Unpooled.EMPTY_BUFFER, Http2CodecUtil.connectionPrefaceBuf());
    }

    @AfterEach
    void end() {
        var _ = channel.finishAndReleaseAll();
    }

    private void frame(int type, int flags, int stream, ByteBuf payload, ByteBuf before) {
        var head = Unpooled.buffer()
                .writeMedium(payload.readableBytes())
                .writeByte(type)
                .writeByte(flags)
                .writeInt(stream);
        channel.writeInbound(Unpooled.wrappedBuffer(before, head, payload));
    }

    private void ask() throws Http2Exception {
        var block = Unpooled.buffer();
        var headers = new DefaultHttp2Headers()
                .method("POST")
                .scheme("http")
                .path("/held")
                .set("content-type", "application/grpc");
        new DefaultHttp2HeadersEncoder().encodeHeaders(1, headers, block);
        frame(HEADERS, 5, 1, block, Unpooled.EMPTY_BUFFER);
    }

    private void pass(Duration time) {
        for (long seconds = time.toSeconds(); seconds > 0; seconds--) {
            channel.advanceTimeBy(1, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    /** Returns how often the caller was told to go since this was asked last. */
    private int farewells() {
        var sent = Unpooled.buffer();
        for (ByteBuf piece = channel.readOutbound(); piece != null; piece = channel.readOutbound()) {
            sent.writeBytes(piece);
            piece.release();
        }
        int farewells = 0;
        while (sent.isReadable()) {
            farewells += sent.getByte(sent.readerIndex() + 3) == GO_AWAY ? 1 : 0;
            sent.skipBytes(HEAD_BYTES + sent.getUnsignedMedium(sent.readerIndex()));
        }
        return farewells;
    }

    @Test
    void an_idle_connection_leaves_in_two_steps_and_ends() {
        connect(new MaxAge(AGE, GRACE));
        pass(AGE.minusMinutes(1));
        assertThat(farewells()).isZero();
        pass(Duration.ofMinutes(2).plusSeconds(2));
        assertThat(farewells()).isEqualTo(2);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void a_call_under_way_has_the_grace_and_no_more() throws Http2Exception {
        connect(new MaxAge(AGE, GRACE));
        ask();
        pass(AGE.plusMinutes(1).plusSeconds(2));
        assertThat(farewells()).isEqualTo(2);
        assertThat(channel.isOpen()).as("the call is still waited for").isTrue();
        pass(GRACE);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void without_a_grace_the_call_is_waited_for() throws Http2Exception {
        connect(new MaxAge(AGE, Duration.ZERO));
        ask();
        pass(AGE.multipliedBy(3));
        assertThat(farewells()).isEqualTo(2);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void a_connection_that_has_ended_does_not_wait_to_grow_old() {
        connect(new MaxAge(AGE, GRACE));
        assertThat(channel.runScheduledPendingTasks()).isPositive();
        var _ = channel.pipeline().close(); // the channel of the test would drop all timers itself
        channel.runPendingTasks();
        assertThat(channel.runScheduledPendingTasks()).isEqualTo(-1);
    }

    @Test
    void without_an_age_nobody_is_sent_away() {
        connect(MaxAge.NONE);
        pass(AGE.multipliedBy(3));
        assertThat(farewells()).isZero();
        assertThat(channel.isOpen()).isTrue();
    }
}
