package dev.weir.http;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
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
 * @param body the bytes of it
 */
@SuppressWarnings("ArrayRecordComponent") // it is written once, and never compared
record Answer(Reply reply, byte[] body) {
    /** RFC 9110, section 5.6.7. */
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    static Answer of(Reply reply) {
        return new Answer(reply, reply.body().getBytes(StandardCharsets.UTF_8));
    }

    int bytes() {
        return body.length;
    }

    /**
     * Returns it in HTTP, with names as HTTP's documents spell them: some callers take letters for what they are.
     *
     * @param asked what it answers; null if that could not be read
     * @param isLast whether the connection ends after it
     */
    FullHttpResponse response(@Nullable Asked asked, boolean isLast) {
        boolean isOld = asked != null && asked.isOld();
        boolean isHead = asked != null && asked.isHead();
        var response = new DefaultFullHttpResponse(
                isOld ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(reply.status()),
                isHead ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body));
        var headers = response.headers().set("Date", DATE.format(Instant.now()));
        if (body.length > 0) {
            headers.set("Content-Type", reply.type());
        }
        reply.headers().forEach(headers::set);
        headers.set("Content-Length", body.length);
        if (isLast) {
            headers.set("Connection", "close");
        } else if (isOld) {
            headers.set("Connection", "keep-alive");
        }
        return response;
    }
}
