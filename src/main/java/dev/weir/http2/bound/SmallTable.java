package dev.weir.http2.bound;

import io.netty.handler.codec.http2.DecoratingHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Settings;

/**
 * Writes to a caller with a table of headers no larger than the usual. A caller says how large it may be (RFC 7541, section 4.2),
 * up to gigabytes, but it is in our memory, and holds what the caller has us repeat.
 */
public final class SmallTable extends DecoratingHttp2ConnectionEncoder {
    /** Wraps the encoder of a connection. */
    public SmallTable(Http2ConnectionEncoder encoder) {
        super(encoder);
    }

    @Override
    public void remoteSettings(Http2Settings settings) throws Http2Exception {
        Long asked = settings.headerTableSize();
        super.remoteSettings(
                asked == null || asked <= Http2CodecUtil.DEFAULT_HEADER_TABLE_SIZE
                        ? settings
                        : new Http2Settings()
                                .copyFrom(settings)
                                .headerTableSize(Http2CodecUtil.DEFAULT_HEADER_TABLE_SIZE));
    }
}
