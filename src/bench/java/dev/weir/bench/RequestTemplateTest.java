package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Exception;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is prebuilt reads back as what gRPC would have sent. */
final class RequestTemplateTest {
    private static final int MESSAGE_HEAD = 5;

    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder();
    private final ByteBuf out = Unpooled.buffer();

    @Test
    void only_the_first_request_spells_its_headers() throws Http2Exception {
        var template = template(1);
        template.write(out, true, 1, 0);
        template.write(out, false, 3, 0);
        var spelled = frame(1);
        var message = frame(1);
        var pointed = frame(3);
        assertThat(pointed.readableBytes()).isLessThan(spelled.readableBytes() / 4);
        var headers = decoder.decodeHeaders(1, spelled);
        assertThat(headers.get("grpc-timeout")).hasToString("20m");
        assertThat(headers.authority()).hasToString("here:1");
        assertThat(decoder.decodeHeaders(3, pointed)).isEqualTo(headers);
        assertThat(template.windowBytes()).isEqualTo(message.readableBytes());
    }

    @Test
    void every_descriptor_carries_the_user_in_all_its_digits() throws InvalidProtocolBufferException {
        template(2).write(out, true, 1, 4711);
        frame(1);
        var request = message(frame(1));
        assertThat(request.getDomain()).isEqualTo("bench");
        assertThat(request.getDescriptorsList())
                .hasSize(2)
                .allSatisfy(descriptor ->
                        assertThat(descriptor.getEntries(0).getValue()).isEqualTo("u04711"));
        assertThat(request.getDescriptors(1).getEntries(1).getValue()).isEqualTo("/api");
    }

    private static RequestTemplate template(int descriptors) {
        var load = new Load(1, 1, 0, Duration.ofMillis(20), 100_000, descriptors, false);
        return RequestTemplate.of(load, "here:1");
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
