package dev.weir.http2.bound;

import io.netty.handler.codec.http2.DecoratingHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Settings;

/**
 * Writes to a caller with a small table of headers. A caller says how large it may be (RFC 7541, section 4.2), up to gigabytes,
 * but it is in our memory, and holds what the caller has us repeat.
 *
 * <p>It is made small when the caller's first settings come, and not before: they may allow none at all.
 */
public final class SmallTable extends DecoratingHttp2ConnectionEncoder {
    /** What comes with every answer takes 160 of it, and what is told besides to a caller who is turned away 180 more. */
    public static final int MOST_BYTES = 512;

    /** Wraps the encoder of a connection. */
    public SmallTable(Http2ConnectionEncoder encoder) {
        super(encoder);
    }

    @Override
    public void remoteSettings(Http2Settings settings) throws Http2Exception {
        Long asked = settings.headerTableSize();
        long now = configuration().headersConfiguration().maxHeaderTableSize();
        long bytes = Math.min(asked == null ? now : asked, MOST_BYTES);
        super.remoteSettings(new Http2Settings().copyFrom(settings).headerTableSize(bytes));
    }
}
