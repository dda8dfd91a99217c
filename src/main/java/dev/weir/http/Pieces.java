package dev.weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.io.InputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a long body, each piece when the socket has taken the one before. Belongs to the thread of the port. */
final class Pieces implements ChannelFutureListener {
    static final int BYTES = 32 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(Pieces.class);

    private final ChannelHandlerContext to;
    private final InputStream body;
    private final ChannelPromise done;

    private Pieces(ChannelHandlerContext to, InputStream body) {
        this.to = to;
        this.body = body;
        this.done = to.newPromise();
    }

    /** Writes all of a body, closes it, and returns when that is done. */
    static ChannelFuture write(ChannelHandlerContext to, InputStream body) {
        var pieces = new Pieces(to, body);
        pieces.next();
        return pieces.done;
    }

    private void next() {
        ByteBuf piece;
        try {
            piece = to.alloc().buffer(BYTES, BYTES);
        } catch (OutOfMemoryError e) { // of buffers: the connection ends, and with it what it holds
            fail(e);
            return;
        }
        try {
            while (piece.isWritable() && piece.writeBytes(body, piece.writableBytes()) >= 0) {
                // what unpacks gives less at a time than it is asked for
            }
        } catch (IOException e) {
            piece.release();
            fail(e);
            return;
        }
        if (piece.isReadable()) {
            var _ = to.writeAndFlush(new DefaultHttpContent(piece)).addListener(this);
        } else {
            piece.release();
            end();
            var _ = to.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT, done);
        }
    }

    @Override
    public void operationComplete(ChannelFuture written) {
        if (written.isSuccess()) {
            next();
        } else {
            fail(written.cause());
        }
    }

    private void fail(Throwable cause) {
        end();
        done.setFailure(cause);
    }

    private void end() {
        try {
            body.close();
        } catch (IOException e) {
            LOG.debug("a body in memory was not closed", e);
        }
    }
}
