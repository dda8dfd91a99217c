package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What trailers say; those that come again are read once, and others in between are still told apart. */
final class AnswerFramesTest {
    private static final String WELL = "well";

    private final List<String> ended = new ArrayList<>();
    private final AnswerFrames answers = new AnswerFrames(new AnswerFrames.Receiver() {
        @Override
        public void settings(ChannelHandlerContext context, Http2Settings settings) {}

        @Override
        public void ping(ChannelHandlerContext context, long content) {}

        @Override
        public void windowGrown(int bytes) {}

        @Override
        public void message(ChannelHandlerContext context, int streamId, ByteBuf part, int bytes) {}

        @Override
        public void ended(int streamId, @Nullable Failure failure) {
            ended.add(failure == null ? WELL : failure.sentence());
        }

        @Override
        public void leaving(ChannelHandlerContext context, int lastTaken, @Nullable Failure error) {}
    });

    private static Http2Headers trailers(int status, String message) {
        return new DefaultHttp2Headers()
                .add("grpc-status", Integer.toString(status))
                .add("grpc-message", message);
    }

    /** As gRPC writes it: bytes of UTF-8 beyond plain ASCII, and the percent sign itself, as percent signs with two digits. */
    @ParameterizedTest
    @CsvSource({
        "bad %1B[31m%0D%0A, 'bad \u001b[31m\r\n'",
        "%E2%82%ac 5, € 5",
        "100%25, 100%",
        "100%, 100%",
        "5%x1%1, 5%x1%1",
    })
    void a_message_is_told_as_it_was_meant(String sent, String meant) {
        answers.onHeadersRead(new EmbeddedChannel().pipeline().firstContext(), 1, trailers(3, sent), 0, true);
        assertThat(ended).containsExactly("INVALID_ARGUMENT: " + meant);
    }

    @Test
    void trailers_that_come_again_say_the_same_and_others_something_else() {
        var context = new EmbeddedChannel().pipeline().firstContext();
        var well = trailers(0, "");
        var full = trailers(8, "full");
        var gone = trailers(14, "gone");
        for (var next : List.of(full, full, well, full, gone, full, well, well, gone)) {
            answers.onHeadersRead(context, 1, next, 0, true);
        }
        assertThat(ended)
                .containsExactly(
                        "RESOURCE_EXHAUSTED: full",
                        "RESOURCE_EXHAUSTED: full",
                        WELL,
                        "RESOURCE_EXHAUSTED: full",
                        "UNAVAILABLE: gone",
                        "RESOURCE_EXHAUSTED: full",
                        WELL,
                        WELL,
                        "UNAVAILABLE: gone");
    }
}
