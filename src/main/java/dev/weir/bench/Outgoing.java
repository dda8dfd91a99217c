package dev.weir.bench;

import dev.weir.bench.load.Keys;
import dev.weir.bench.request.RequestFrames;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameWriter;
import io.netty.handler.codec.http2.Http2Settings;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Writes the frames of one connection: requests into one buffer for each turn of the loop, all others at once. Each request asks
 * for a key that is drawn for it.
 */
final class Outgoing {
    private static final int BUFFER_BYTES = 4096;

    static final int FIRST_STREAM_ID = 1;

    /** The whole window is as large as can be; it is filled up when half of it was used. */
    private static final int FULL_WINDOW = Integer.MAX_VALUE;

    private final Http2FrameWriter writer = new DefaultHttp2FrameWriter();
    private final RequestFrames frames;
    private final Keys keys;
    private final SplittableRandom random;
    private @Nullable ByteBuf requests;
    private int received;

    Outgoing(RequestFrames frames, Keys keys, SplittableRandom random) {
        this.frames = frames;
        this.keys = keys;
        this.random = random;
    }

    /** Returns how many bytes of the windows a request takes at most. */
    int windowBytes() {
        return frames.windowBytes();
    }

    /** Writes a request for the next {@link #flush}, and returns how many bytes of the windows it takes. */
    int request(ChannelHandlerContext context, int streamId) {
        if (requests == null) {
            requests = context.alloc().directBuffer(BUFFER_BYTES);
        }
        return frames.write(requests, streamId == FIRST_STREAM_ID, streamId, keys.draw(random));
    }

    void flush(ChannelHandlerContext context) {
        if (requests != null) {
            ByteBuf full = requests;
            requests = null; // a write that fails ends the connection before it returns
            var _ = context.writeAndFlush(full, context.voidPromise());
        }
    }

    /** Forgets requests that were not flushed: the connection is gone. */
    void clear() {
        if (requests != null) {
            requests.release();
            requests = null;
        }
    }

    void greet(ChannelHandlerContext context) {
        var _ = context.write(Http2CodecUtil.connectionPrefaceBuf());
        var _ = writer.writeSettings(context, new Http2Settings().pushEnabled(false), context.newPromise());
        int more = FULL_WINDOW - Http2CodecUtil.DEFAULT_WINDOW_SIZE;
        var _ = writer.writeWindowUpdate(context, 0, more, context.newPromise());
    }

    void acknowledgeSettings(ChannelHandlerContext context) {
        var _ = writer.writeSettingsAck(context, context.newPromise());
    }

    void answerPing(ChannelHandlerContext context, long content) {
        var _ = writer.writePing(context, true, content, context.newPromise());
    }

    void cancel(ChannelHandlerContext context, int streamId) {
        var _ = writer.writeRstStream(context, streamId, Http2Error.CANCEL.code(), context.newPromise());
    }

    /** Counts bytes of answers, and makes room for others. */
    void received(ChannelHandlerContext context, int bytes) {
        received += bytes;
        if (received > FULL_WINDOW / 2) {
            var _ = writer.writeWindowUpdate(context, 0, received, context.newPromise());
            received = 0;
        }
    }
}
