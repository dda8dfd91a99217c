package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.load.Keys;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Question;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many requests a connection sends, by what the service has said of streams. */
final class ConnectionTest {
    private static final int PREFACE_BYTES =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII).length;
    private static final int HEAD_BYTES = 9;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int MAX_CONCURRENT_STREAMS = 3;
    private static final int MAX_FRAME_SIZE = 5;

    private final Connection connection = connection();
    private final EmbeddedChannel channel = new EmbeddedChannel(connection);

    private static Connection connection() {
        var user = new Question.Descriptor(List.of(new Question.Entry("user", "ann")));
        var load = new Load(
                new Question("edge", List.of(user), 1),
                new Keys.Uniform(1),
                1,
                new Load.Pacing.Open(1),
                Duration.ZERO,
                1);
        return new Connection(
                RequestFrames.of(load, Route.inTheClear("here", 1)),
                load.keys(),
                new SplittableRandom(1),
                new Connection.Listener() {
                    @Override
                    public void answered(Connection answering, long startNanos, boolean isOver) {}

                    @Override
                    public void late(Connection answering, long startNanos) {}

                    @Override
                    public void failed(Connection answering, Failure failure) {}

                    @Override
                    public void busy(Connection asking) {}

                    @Override
                    public void lost(Connection answering) {}
                });
    }

    @AfterEach
    void end() {
        var _ = channel.finishAndReleaseAll();
    }

    private void settings(int name, int value) {
        channel.writeInbound(Unpooled.buffer()
                .writeMedium(6)
                .writeByte(SETTINGS)
                .writeByte(0)
                .writeInt(0)
                .writeShort(name)
                .writeInt(value));
    }

    private int requestsSent() {
        ByteBuf sent = Unpooled.buffer();
        for (ByteBuf piece = channel.readOutbound(); piece != null; piece = channel.readOutbound()) {
            sent.writeBytes(piece);
            piece.release();
        }
        if (sent.isReadable() && sent.getByte(0) == 'P') {
            sent.skipBytes(PREFACE_BYTES);
        }
        int requests = 0;
        while (sent.isReadable()) {
            requests += sent.getByte(sent.readerIndex() + 3) == HEADERS ? 1 : 0;
            sent.skipBytes(HEAD_BYTES + sent.getUnsignedMedium(sent.readerIndex()));
        }
        return requests;
    }

    @Test
    void settings_that_do_not_name_the_number_of_streams_leave_it() {
        settings(MAX_CONCURRENT_STREAMS, 2);
        settings(MAX_FRAME_SIZE, 20_000);
        for (int i = 0; i < 5; i++) {
            connection.send(i);
        }
        connection.flush();
        assertThat(requestsSent()).isEqualTo(2);
        settings(MAX_CONCURRENT_STREAMS, 4);
        assertThat(requestsSent()).isEqualTo(2);
        assertThat(connection.unanswered()).isEqualTo(5);
    }

    @Test
    void a_connection_is_busy_until_all_that_it_asked_is_answered_or_given_up() {
        settings(MAX_CONCURRENT_STREAMS, 1);
        connection.send(5);
        connection.send(6);
        assertThat(connection.giveUp(4)).isTrue();
        assertThat(connection.giveUp(5)).isTrue();
        assertThat(connection.giveUp(6)).isFalse();
    }
}
