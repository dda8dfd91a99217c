package dev.weir.http2;

import dev.weir.socket.GivenUp;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Connection.PropertyKey;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What callers leave lying: calls and frames they begin and do not finish, answers they give no room. What these hold is bounded
 * for all callers together, so whoever held it for ever would leave nothing to the others. So it is with the room that a connection
 * has grown into for its calls.
 *
 * <p>A call that three looks in a row find unfinished is ended, whatever came of it meanwhile but a whole message. So is a
 * connection for a frame, and one whose caller takes what the socket brings, but for 20 seconds has left an answer without room in
 * the windows of HTTP/2.
 *
 * <p>It looks every five seconds, whatever happens: noticing that an answer has to wait would cost something for each one, and
 * a look at a connection without open calls costs nothing.
 */
final class Neglected extends ChannelInboundHandlerAdapter {
    private static final GivenUp ANSWER = new GivenUp("has left an answer no room in its windows for 20 s");
    private static final GivenUp FRAME = new GivenUp("has left a frame unfinished for 10 s");
    private static final long PAUSE_SECONDS = 5;
    private static final int LOOKS = 4;

    private final Connection connection;
    private final PropertyKey waits;
    private @Nullable Future<?> next;
    private boolean isTooLong;
    private boolean isLeaving;

    Neglected(Connection connection) {
        this.connection = connection;
        this.waits = connection.connection().newKey();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        next = context.executor()
                .scheduleWithFixedDelay(() -> look(context), PAUSE_SECONDS, PAUSE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (next != null) {
            next.cancel(false);
        }
    }

    private void look(ChannelHandlerContext context) {
        connection.toEnd(this::look).forEach(Exchange::endUnfinished);
        connection.endRound();
        if (isTooLong) {
            giveUp(context, ANSWER, "answers_not_taken");
        } else if (connection.isFrameLeft()) {
            giveUp(context, FRAME, "frame_not_finished");
        } else if (connection.isRoomWasted()) {
            leave();
        }
    }

    /** What has grown never shrinks, so only a new connection is smaller. Who is not gone by the next look is broken off. */
    private void leave() {
        if (isLeaving) {
            connection.breakOff();
        } else {
            isLeaving = true;
            connection.leave();
        }
    }

    private void giveUp(ChannelHandlerContext context, GivenUp left, String said) {
        left.tell(context.channel());
        handlerRemoved(context);
        connection.onError(
                context.pipeline().context(connection),
                false,
                Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, said));
    }

    /** Returns whether a call is to end. */
    private boolean look(Http2Stream stream) {
        lookAtAnswer(stream);
        Exchange exchange = connection.exchange(stream);
        return exchange != null && exchange.look();
    }

    private void lookAtAnswer(Http2Stream stream) {
        if (!isWaiting(stream)) {
            stream.removeProperty(waits);
            return;
        }
        Integer before = stream.getProperty(waits);
        int looks = before == null ? 0 : before + 1;
        stream.setProperty(waits, looks);
        isTooLong |= looks >= LOOKS;
    }

    /** Without room in a window; that the socket is full is none of this. */
    private boolean isWaiting(Http2Stream stream) {
        Http2RemoteFlowController flow = connection.encoder().flowController();
        return flow.hasFlowControlled(stream)
                && (flow.windowSize(stream) <= 0
                        || flow.windowSize(connection.connection().connectionStream()) <= 0);
    }
}
