package dev.weir.bench;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Exception;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Headers;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of a request, made once: a HEADERS frame and a DATA frame, in which only the stream's number and the digits of
 * the user are written anew.
 *
 * <p>The first request of a connection carries its headers as text and puts them into the table of the other side; all
 * later ones point there, a byte or two for each.
 */
final class RequestTemplate {
    private static final String METHOD_PATH = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
    private static final int FRAME_HEAD = 9;
    private static final int STREAM_ID_AT = 5;
    private static final int MESSAGE_HEAD = 5;
    private static final byte HEADERS = 1;
    private static final byte DATA = 0;
    private static final byte END_HEADERS = 4;
    private static final byte END_STREAM = 1;
    private static final byte DIGIT = '#';

    private final byte[] first;
    private final byte[] next;
    private final byte[] data;
    private final int[] digitsAt;
    private final int digits;

    private RequestTemplate(byte[] first, byte[] next, byte[] message, int digits) {
        this.first = first;
        this.next = next;
        this.data = dataFrame(message);
        this.digits = digits;
        String text = new String(data, StandardCharsets.ISO_8859_1);
        String gap = placeholder(digits);
        int one = text.indexOf(gap);
        int two = text.indexOf(gap, one + digits);
        this.digitsAt = two < 0 ? new int[] {one} : new int[] {one, two};
    }

    /** Returns the request that a load sends to a service at {@code authority}, {@code host:port}. */
    static RequestTemplate of(Load load, String authority) {
        int digits = Integer.toString(load.users() - 1).length();
        var encoder = new DefaultHttp2HeadersEncoder();
        var headers = headers(load, authority);
        byte[] first = headersFrame(encoder, headers);
        byte[] next = headersFrame(encoder, headers);
        return new RequestTemplate(first, next, message(load, "u" + placeholder(digits)), digits);
    }

    /** Returns how many bytes of the windows of flow control a request takes. */
    int windowBytes() {
        return data.length - FRAME_HEAD;
    }

    /** Appends a request to {@code out}; with its headers as text if it is the first one of its connection. */
    void write(ByteBuf out, boolean isFirst, int streamId, int user) {
        int start = out.writerIndex();
        byte[] head = isFirst ? first : next;
        out.writeBytes(head).writeBytes(data);
        out.setInt(start + STREAM_ID_AT, streamId);
        int body = start + head.length;
        out.setInt(body + STREAM_ID_AT, streamId);
        for (int at : digitsAt) {
            int rest = user;
            for (int i = digits - 1; i >= 0; i--) {
                out.setByte(body + at + i, '0' + rest % 10);
                rest /= 10;
            }
        }
    }

    private static Http2Headers headers(Load load, String authority) {
        var headers = new DefaultHttp2Headers()
                .method("POST")
                .scheme("http")
                .path(METHOD_PATH)
                .authority(authority)
                .add("te", "trailers")
                .add("content-type", "application/grpc");
        if (load.deadline().isPositive()) {
            headers.add("grpc-timeout", load.deadline().toMillis() + "m");
        }
        return headers;
    }

    private static byte[] message(Load load, String user) {
        var message = RateLimitRequest.newBuilder().setDomain(BenchRules.domain(load));
        var byUser = RateLimitDescriptor.newBuilder()
                .addEntries(
                        RateLimitDescriptor.Entry.newBuilder().setKey("user").setValue(user));
        message.addDescriptors(byUser);
        if (load.descriptors() == 2) {
            message.addDescriptors(byUser.clone()
                    .addEntries(RateLimitDescriptor.Entry.newBuilder()
                            .setKey("path")
                            .setValue("/api")));
        }
        return message.build().toByteArray();
    }

    private static byte[] headersFrame(DefaultHttp2HeadersEncoder encoder, Http2Headers headers) {
        ByteBuf block = Unpooled.buffer();
        try {
            encoder.encodeHeaders(1, headers, block);
        } catch (Http2Exception e) {
            throw new IllegalStateException("a handful of short headers can always be encoded", e);
        }
        ByteBuf frame = frame(block.readableBytes(), HEADERS, END_HEADERS).writeBytes(block);
        return bytes(frame);
    }

    private static byte[] dataFrame(byte[] message) {
        ByteBuf frame = frame(MESSAGE_HEAD + message.length, DATA, END_STREAM);
        return bytes(frame.writeByte(0).writeInt(message.length).writeBytes(message));
    }

    private static ByteBuf frame(int length, byte type, byte flags) {
        return Unpooled.buffer()
                .writeMedium(length)
                .writeByte(type)
                .writeByte(flags)
                .writeInt(0);
    }

    private static byte[] bytes(ByteBuf frame) {
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes);
        return bytes;
    }

    private static String placeholder(int digits) {
        return Character.toString(DIGIT).repeat(digits);
    }
}
