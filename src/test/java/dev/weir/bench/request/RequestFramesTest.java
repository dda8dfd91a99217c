package dev.weir.bench.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.weir.bench.load.BenchException;
import dev.weir.bench.load.Keys;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Question;
import dev.weir.tls.ClientTls;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is prebuilt reads back as what gRPC would have sent. */
final class RequestFramesTest {
    private static final int MESSAGE_HEAD = 5;
    private static final int KEYS = 100_000;

    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder();
    private final ByteBuf out = Unpooled.buffer();

    @Test
    void only_the_first_request_spells_its_headers() throws Http2Exception {
        var frames = frames(asking("u%d"), Duration.ofMillis(20));
        int taken = frames.write(out, true, 1, 12_345);
        frames.write(out, false, 3, 0);
        var spelled = frame(1);
        var message = frame(1);
        var pointed = frame(3);
        assertThat(pointed.readableBytes()).isLessThan(spelled.readableBytes() / 4);
        var headers = decoder.decodeHeaders(1, spelled);
        assertThat(headers.get("grpc-timeout")).hasToString("20m");
        assertThat(headers.authority()).hasToString("here:1");
        assertThat(decoder.decodeHeaders(3, pointed)).isEqualTo(headers);
        assertThat(taken).isEqualTo(message.readableBytes()).isEqualTo(frames.windowBytes());
    }

    @Test
    void the_scheme_says_whether_it_is_asked_over_tls() throws Exception {
        var load = load(asking("u%d"), new Keys.Uniform(KEYS), Duration.ZERO);
        var overTls = new Route("::1", 2, ClientTls.of(null, null, null));
        RequestFrames.of(load, overTls).write(out, true, 1, 0);
        RequestFrames.of(load, Route.inTheClear("here", 1)).write(out, true, 3, 0);
        var first = decoder.decodeHeaders(1, frame(1));
        assertThat(first.scheme()).hasToString("https");
        assertThat(first.authority()).hasToString("[::1]:2");
        frame(1);
        assertThat(decoder.decodeHeaders(3, frame(3)).scheme()).hasToString("http");
    }

    @ParameterizedTest
    @CsvSource({"PT0.0015S, 1500u", "PT2S, 2000m", "PT99S, 99000m"})
    void a_deadline_is_sent_to_the_microsecond(Duration deadline, String sent) throws Http2Exception {
        frames(asking("u%d"), deadline).write(out, true, 1, 0);
        assertThat(decoder.decodeHeaders(1, frame(1)).get("grpc-timeout")).hasToString(sent);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 9, 10, 4711, 10_000, 99_999})
    void a_number_stands_in_every_place_as_people_write_it(int number) throws InvalidProtocolBufferException {
        var question = new Question(
                "edge",
                List.of(
                        descriptor("user", "u%d", "size", "100%%"),
                        descriptor("pair", "%d%03d%02d-%d", "fixed", "00000")),
                3);
        frames(question, Duration.ZERO).write(out, true, 1, number);
        frame(1);
        var sent = message(frame(1));
        assertThat(sent).isEqualTo(generated(question, number));
        assertThat(sent.getHitsAddend()).isEqualTo(3);
        assertThat(sent.getDescriptors(0).getEntries(0).getValue()).isEqualTo("u" + number);
        assertThat(sent.getDescriptors(0).getEntries(1).getValue()).isEqualTo("100%");
        assertThat(sent.getDescriptors(1).getEntries(0).getValue())
                .isEqualTo("%d%03d%02d-%d".formatted(number, number % 1_000, number % 100, number));
    }

    @Test
    void a_message_that_no_frame_holds_is_told() {
        var long1 = asking("x".repeat(20_000));
        assertThatThrownBy(
                        () -> RequestFrames.of(load(long1, new Keys.One(), Duration.ZERO), Route.inTheClear("here", 1)))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("16384");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%s", "100%", "%%%", "%d%x", "%3d", "%00d", "%010d"})
    void a_percent_sign_that_is_no_placeholder_is_told(String template) {
        assertThatThrownBy(() -> new Question.Entry("user", template))
                .hasMessageContaining("'user=" + template + "'")
                .hasMessageContaining("%d for the number");
    }

    @Test
    void several_keys_want_a_place_for_their_number() {
        assertThatThrownBy(() -> load(asking("root%%d"), new Keys.Uniform(2), Duration.ZERO))
                .hasMessageContaining("no value holds the number");
    }

    private static RequestFrames frames(Question question, Duration deadline) {
        return RequestFrames.of(load(question, new Keys.Uniform(KEYS), deadline), Route.inTheClear("here", 1));
    }

    private static Load load(Question question, Keys keys, Duration deadline) {
        return new Load(question, keys, 1, new Load.Pacing.Closed(1), deadline, 1);
    }

    private static Question asking(String template) {
        return new Question("edge", List.of(descriptor("user", template)), 1);
    }

    private static Question.Descriptor descriptor(String... keysAndTemplates) {
        var entries = new ArrayList<Question.Entry>();
        for (int i = 0; i < keysAndTemplates.length; i += 2) {
            entries.add(new Question.Entry(keysAndTemplates[i], keysAndTemplates[i + 1]));
        }
        return new Question.Descriptor(entries);
    }

    /** The same by the classes that were generated from Envoy's definition. */
    private static RateLimitRequest generated(Question question, int number) {
        var message = RateLimitRequest.newBuilder().setDomain(question.domain());
        for (var descriptor : question.descriptors()) {
            var one = RateLimitDescriptor.newBuilder();
            descriptor
                    .entries()
                    .forEach(entry -> one.addEntries(RateLimitDescriptor.Entry.newBuilder()
                            .setKey(entry.key())
                            .setValue(entry.value(digits(number)))));
            message.addDescriptors(one);
        }
        // 1 is what the field means when it is not set.
        return message.setHitsAddend(question.hits() == 1 ? 0 : (int) question.hits())
                .build();
    }

    private static IntFunction<String> digits(int number) {
        return width -> {
            String padded = "0".repeat(9) + number;
            return width == 0 ? Integer.toString(number) : padded.substring(padded.length() - width);
        };
    }

    /** Takes the next frame, which must belong to the stream, and returns its content. */
    private ByteBuf frame(int streamId) {
        int length = out.readMedium();
        out.skipBytes(2);
        assertThat(out.readInt()).isEqualTo(streamId);
        return out.readSlice(length);
    }

    private static RateLimitRequest message(ByteBuf content) throws InvalidProtocolBufferException {
        byte[] bytes = new byte[content.skipBytes(MESSAGE_HEAD).readableBytes()];
        content.readBytes(bytes);
        return RateLimitRequest.parseFrom(bytes);
    }
}
