package dev.weir.bench.request;

import dev.weir.bench.load.BenchException;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Question;
import dev.weir.grpc.RequestWriter;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Request;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The bytes of a request, made once: a HEADERS frame and a DATA frame, in which only the stream's number and the digits of
 * the key are written anew. Numbers of other lengths make frames of other lengths, so there is one for each. They are
 * written over in place, and copied as a whole: belongs to one thread.
 *
 * <p>The first request of a connection carries its headers as text and puts them into the table of the other side; all
 * later ones point there, a byte or two for each.
 */
public final class RequestFrames {
    /**
     * How large a table it wants of the other side. The first request says so, and need not learn then what the other side would
     * allow (RFC 7541, section 4.2).
     */
    public static final int TABLE_BYTES = 1024;

    private static final String METHOD_PATH = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
    private static final int FRAME_HEAD = 9;
    private static final int STREAM_ID_AT = 5;
    private static final int MESSAGE_HEAD = 5;
    private static final byte HEADERS = 1;
    private static final byte DATA = 0;
    private static final byte END_HEADERS = 4;
    private static final byte END_STREAM = 1;
    private static final int RADIX = 10;

    /** Stands for as many digits as the number has; the characters after it stand for so many. */
    private static final char FIRST_MARK = 'a';

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final byte[] first;
    private final Frames[] byDigits;

    /** A HEADERS frame as all but the first request have it, and a DATA frame. */
    private static final class Frames {
        final byte[] bytes;

        /** Where the DATA frame begins. */
        final int dataAt;

        /** Where the last digit of a number stands, for each number in it. */
        final int[] lastDigits;

        /** How many digits these have. */
        final int[] widths;

        /** Between a body of zeros and one of marks only the digits differ, and a mark tells how many there are. */
        Frames(byte[] headers, Question question, int digits) {
            byte[] data = dataFrame(message(question, width -> digits("0", width, digits)));
            byte[] marked = dataFrame(
                    message(question, width -> digits(Character.toString(FIRST_MARK + width), width, digits)));
            dataAt = headers.length;
            bytes = Arrays.copyOf(headers, dataAt + data.length);
            System.arraycopy(data, 0, bytes, dataAt, data.length);
            var ends = IntStream.builder();
            var lengths = IntStream.builder();
            for (int i = 0; i < data.length; i++) {
                if (data[i] != marked[i]) {
                    int width = marked[i] == FIRST_MARK ? digits : marked[i] - FIRST_MARK;
                    i += width - 1;
                    ends.add(dataAt + i);
                    lengths.add(width);
                }
            }
            lastDigits = ends.build().toArray();
            widths = lengths.build().toArray();
        }

        private static byte[] message(Question question, IntFunction<String> digits) {
            var descriptors = question.descriptors().stream()
                    .map(descriptor -> Descriptor.of(descriptor.entries().stream()
                            .map(entry -> new Entry(entry.key(), entry.value(digits)))
                            .toArray(Entry[]::new)))
                    .toList();
            long hitsAddend = question.hits() == 1 ? 0 : question.hits(); // unset means 1, and is what Envoy sends
            return RequestWriter.bytes(new Request(question.domain(), descriptors, hitsAddend));
        }

        private static String digits(String digit, int width, int digits) {
            return digit.repeat(width == 0 ? digits : width);
        }

        void fill(int streamId, int number) {
            INT.set(bytes, STREAM_ID_AT, streamId);
            INT.set(bytes, dataAt + STREAM_ID_AT, streamId);
            for (int i = 0; i < lastDigits.length; i++) {
                int at = lastDigits[i];
                int rest = number;
                for (int digit = widths[i]; digit > 0; digit--) {
                    bytes[at] = (byte) ('0' + rest % RADIX);
                    at--;
                    rest /= RADIX;
                }
            }
        }

        int messageBytes() {
            return bytes.length - dataAt - FRAME_HEAD;
        }
    }

    private RequestFrames(byte[] first, Frames[] byDigits) {
        this.first = first;
        this.byDigits = byDigits;
    }

    /**
     * Returns the requests that a load sends to a service.
     *
     * @throws BenchException if one does not fit into a frame
     */
    public static RequestFrames of(Load load, Route route) {
        var encoder = encoder();
        var headers = headers(load, route);
        byte[] first = headersFrame(encoder, headers);
        byte[] next = headersFrame(encoder, headers);
        var byDigits = IntStream.rangeClosed(1, digits(load.keys().count() - 1))
                .mapToObj(digits -> new Frames(next, load.question(), digits))
                .toArray(Frames[]::new);
        var frames = new RequestFrames(first, byDigits);
        if (frames.windowBytes() > Http2CodecUtil.DEFAULT_MAX_FRAME_SIZE) {
            throw new BenchException("the message has " + frames.windowBytes() + " bytes: more than "
                    + Http2CodecUtil.DEFAULT_MAX_FRAME_SIZE + " do not fit into a frame of HTTP/2");
        }
        return frames;
    }

    /** Returns how many bytes of the windows of flow control a request takes at most. */
    public int windowBytes() {
        return byDigits[byDigits.length - 1].messageBytes();
    }

    /**
     * Appends a request to {@code out}; with its headers as text if it is the first one of its connection.
     *
     * @return how many bytes of the windows it takes
     */
    public int write(ByteBuf out, boolean isFirst, int streamId, int number) {
        Frames frames = byDigits[digits(number) - 1];
        frames.fill(streamId, number);
        int from = 0;
        if (isFirst) {
            INT.set(first, STREAM_ID_AT, streamId);
            out.writeBytes(first);
            from = frames.dataAt;
        }
        out.writeBytes(frames.bytes, from, frames.bytes.length - from);
        return frames.messageBytes();
    }

    private static int digits(int number) {
        int digits = 1;
        for (int rest = number; rest >= RADIX; rest /= RADIX) {
            digits++;
        }
        return digits;
    }

    private static Http2Headers headers(Load load, Route route) {
        var headers = new DefaultHttp2Headers()
                .method("POST")
                .scheme(route.scheme())
                .path(METHOD_PATH)
                .authority(route.authority())
                .add("te", "trailers")
                .add("content-type", "application/grpc");
        if (load.deadline().isPositive()) {
            headers.add("grpc-timeout", timeout(load.deadline()));
        }
        return headers;
    }

    private static String timeout(Duration deadline) {
        var millis = deadline.toMillis();
        return Duration.ofMillis(millis).equals(deadline) ? millis + "m" : deadline.toNanos() / 1_000 + "u";
    }

    private static DefaultHttp2HeadersEncoder encoder() {
        var encoder = new DefaultHttp2HeadersEncoder();
        try {
            encoder.maxHeaderTableSize(TABLE_BYTES);
        } catch (Http2Exception e) {
            throw new IllegalStateException("a table may be as small as that", e);
        }
        return encoder;
    }

    private static byte[] headersFrame(DefaultHttp2HeadersEncoder encoder, Http2Headers headers) {
        ByteBuf block = Unpooled.buffer();
        try {
            encoder.encodeHeaders(1, headers, block);
        } catch (Http2Exception e) {
            throw new IllegalStateException("a handful of short headers can always be encoded", e);
        }
        return bytes(frame(block.readableBytes(), HEADERS, END_HEADERS).writeBytes(block));
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
}
