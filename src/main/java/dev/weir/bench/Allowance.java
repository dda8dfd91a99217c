package dev.weir.bench;

import dev.weir.bench.request.RequestFrames;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Settings;

/** What a service lets one connection send. */
final class Allowance {
    private final int requestBytes;
    private long streams = Integer.MAX_VALUE;
    private long window = Http2CodecUtil.DEFAULT_WINDOW_SIZE;

    /** Begins with what HTTP/2 allows before the service has said anything; a request takes so many bytes of a window at most. */
    Allowance(int requestBytes) {
        this.requestBytes = requestBytes;
    }

    /**
     * Takes what the service has said; what settings do not name stays as it was.
     *
     * @throws IllegalStateException if requests cannot be sent as they are
     */
    void say(Http2Settings settings) {
        Long said = settings.maxConcurrentStreams();
        if (said != null) {
            streams = said;
        }
        Long table = settings.headerTableSize();
        if (table != null && table < RequestFrames.TABLE_BYTES) {
            throw new IllegalStateException("it keeps no table of headers of " + RequestFrames.TABLE_BYTES + " bytes");
        }
        Integer bytes = settings.initialWindowSize();
        if (bytes != null && bytes < requestBytes) {
            throw new IllegalStateException(
                    "it takes " + bytes + " bytes of a request at once, and one has " + requestBytes);
        }
    }

    /** Returns whether there may be another request, besides so many that are under way. */
    boolean isEnough(int underWay) {
        return underWay < streams && window >= requestBytes;
    }

    /** The window has become larger. */
    void grow(int bytes) {
        window += bytes;
    }

    /** A request has taken so much of the window. */
    void take(int bytes) {
        window -= bytes;
    }
}
