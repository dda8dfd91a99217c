package dev.weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the requests of a connection, one after the other: the next one when the last was answered. What a caller has sent ahead
 * stays as it came until then: as objects it would be many times as large.
 */
final class Requests extends HttpRequestDecoder {
    private static final int MOST_LINE_BYTES = 8 << 10;
    private static final int MOST_HEADER_BYTES = 16 << 10;

    /** A caller who has said all, and waits for an answer, is read to the end all the same. */
    private static final int MOST_BYTES_AHEAD = 16 << 10;

    private final Caller caller;
    private @Nullable ChannelHandlerContext context;

    Requests(Caller caller) {
        super(new HttpDecoderConfig().setMaxInitialLineLength(MOST_LINE_BYTES).setMaxHeaderSize(MOST_HEADER_BYTES));
        this.caller = caller;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) throws Exception {
        super.handlerAdded(added);
        context = added;
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object bytes) throws Exception {
        caller.heard();
        super.channelRead(from, bytes);
        if (caller.isServed() && actualReadableBytes() > MOST_BYTES_AHEAD) {
            caller.end();
        }
    }

    @Override
    protected void decode(ChannelHandlerContext from, ByteBuf in, List<Object> out) throws Exception {
        if (!caller.isServed()) {
            super.decode(from, in, out);
        }
    }

    /** Netty's would forget what the caller has sent ahead, whose answers it may still read. */
    @Override
    public void userEventTriggered(ChannelHandlerContext from, Object event) {
        var _ = from.fireUserEventTriggered(event);
    }

    /** Netty's would read on where nothing came of what was read. */
    @Override
    public void channelReadComplete(ChannelHandlerContext from) throws Exception {
        if (caller.isServed()) {
            from.fireChannelReadComplete();
        } else {
            super.channelReadComplete(from);
        }
    }

    /** Reads what the caller has sent ahead. */
    void resume() {
        if (context != null && actualReadableBytes() > 0) {
            caller.heard();
            try {
                super.channelRead(context, Unpooled.EMPTY_BUFFER);
            } catch (Exception e) {
                caller.exceptionCaught(context, e);
            }
        }
    }
}
