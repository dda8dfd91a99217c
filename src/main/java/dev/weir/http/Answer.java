package dev.weir.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A reply as it goes to a caller.
 *
 * @param reply what a page said
 * @param asked what it answers; null if that could not be read
 * @param isHead whether all but its body is wanted
 * @param body the reply's body in bytes; empty where it is packed
 */
@SuppressWarnings("ArrayRecordComponent") // it is written once, and never compared
record Answer(Reply reply, @Nullable Asked asked, boolean isHead, byte[] body) {
    /** RFC 9110, section 5.6.7. */
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    static Answer of(Reply reply, @Nullable Asked asked, boolean isHead) {
        return new Answer(reply, asked, isHead, reply.body().getBytes(StandardCharsets.UTF_8));
    }

    /** Returns how many bytes are held until the caller has read it; of one that is unpacked what that takes is among them. */
    int bytes() {
        Packed packed = reply.packed();
        if (packed == null) {
            return body.length;
        }
        return packed.bytes() + (goesPacked() ? 0 : Math.min(packed.plainBytes(), 2 * Pieces.BYTES));
    }

    private boolean goesPacked() {
        return reply.packed() != null && asked != null && asked.takesGzip();
    }

    private int length() {
        Packed packed = reply.packed();
        if (packed == null) {
            return body.length;
        }
        return goesPacked() ? packed.bytes() : packed.plainBytes();
    }

    /**
     * Writes it in HTTP, with names as HTTP's documents spell them: some callers take letters for what they are.
     *
     * @param isLast whether the connection ends after it
     */
    ChannelFuture write(ChannelHandlerContext to, boolean isLast) {
        Packed packed = reply.packed();
        if (packed == null || isHead) {
            var content = isHead ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body);
            return to.writeAndFlush(withHeaders(new DefaultFullHttpResponse(version(), status(), content), isLast));
        }
        try {
            var pieces = goesPacked() ? packed.packed() : packed.plain();
            var _ = to.write(withHeaders(new DefaultHttpResponse(version(), status()), isLast));
            return Pieces.write(to, pieces);
        } catch (IOException e) {
            return to.newFailedFuture(e);
        }
    }

    private HttpVersion version() {
        return asked != null && asked.isOld() ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1;
    }

    private HttpResponseStatus status() {
        return HttpResponseStatus.valueOf(reply.status());
    }

    private HttpResponse withHeaders(HttpResponse response, boolean isLast) {
        var headers = response.headers().set("Date", DATE.format(Instant.now()));
        if (length() > 0) {
            headers.set("Content-Type", reply.type());
        }
        reply.headers().forEach(headers::set);
        if (reply.packed() != null) {
            headers.set("Vary", "Accept-Encoding");
        }
        if (goesPacked()) {
            headers.set("Content-Encoding", "gzip");
        }
        headers.set("Content-Length", length());
        if (isLast) {
            headers.set("Connection", "close");
        } else if (version().equals(HttpVersion.HTTP_1_0)) {
            headers.set("Connection", "keep-alive");
        }
        return response;
    }
}
