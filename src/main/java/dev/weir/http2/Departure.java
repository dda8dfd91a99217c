package dev.weir.http2;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves a caller in two steps, so that nothing is lost on the way: says so, waits until that was heard, and names the last call
 * that is answered. The connection ends with that call. Belongs to its thread.
 */
final class Departure {
    private static final Logger LOG = LoggerFactory.getLogger(Departure.class);
    private static final long LEAVING = 0x5765697221L;
    private static final long LEAVING_SECONDS = 1;

    private final Connection connection;
    private boolean isLeaving;
    private boolean hasLeft;

    Departure(Connection connection) {
        this.connection = connection;
    }

    void leave(ChannelHandlerContext here) {
        if (isLeaving) {
            return;
        }
        isLeaving = true;
        goAway(here, Integer.MAX_VALUE);
        var _ = connection.encoder().writePing(here, false, LEAVING, here.newPromise());
        connection.flush(here);
        var _ = here.executor().schedule(() -> left(here), LEAVING_SECONDS, TimeUnit.SECONDS);
    }

    /** The caller has answered a ping of ours. */
    void pingAnswered(ChannelHandlerContext here, long content) {
        if (content == LEAVING && isLeaving) {
            left(here);
        }
    }

    private void left(ChannelHandlerContext here) {
        if (hasLeft || !here.channel().isActive()) {
            return;
        }
        hasLeft = true;
        goAway(here, connection.connection().remote().lastStreamCreated());
        try {
            connection.close(here, here.newPromise());
        } catch (Exception e) {
            LOG.debug("a connection could not be closed in peace", e);
            connection.breakOff();
        }
    }

    private void goAway(ChannelHandlerContext here, int last) {
        var _ = connection.goAway(here, last, Http2Error.NO_ERROR.code(), Unpooled.EMPTY_BUFFER, here.newPromise());
    }
}
