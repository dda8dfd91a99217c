package dev.weir.handshake;

import dev.weir.socket.Begun;
import dev.weir.socket.GivenUp;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Netty's TLS for a caller, who may not leave a record unfinished: HTTP/2 behind it sees nothing of one. */
final class WholeRecords extends SslHandler {
    private static final GivenUp UNFINISHED = new GivenUp("has left a record of TLS unfinished for 10 s");
    private static final long PAUSE_SECONDS = 5;

    private final Begun begun = new Begun();
    private @Nullable Future<?> next;
    private boolean hasReplied;

    WholeRecords(SSLEngine engine, Executor threads) {
        super(engine, threads);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) throws Exception {
        super.handlerAdded(context);
        next = context.executor()
                .scheduleWithFixedDelay(() -> look(context), PAUSE_SECONDS, PAUSE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void handlerRemoved0(ChannelHandlerContext context) throws Exception {
        stop();
        super.handlerRemoved0(context);
    }

    private void stop() {
        if (next != null) {
            next.cancel(false);
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws SSLException {
        int before = in.readableBytes();
        hasReplied |= before > 0 && isAnswered();
        super.decode(context, in, out);
        if (in.readableBytes() < before) {
            begun.finished();
        }
    }

    /** Returns whether the caller has seen the certificate, as the handshake is under way and was answered, and has not said a word since. */
    boolean isLeftUnsaid() {
        return isAnswered() && !hasReplied;
    }

    private boolean isAnswered() {
        return engine().getHandshakeSession() != null;
    }

    private void look(ChannelHandlerContext context) {
        if (begun.isLeft(internalBuffer(), false, context.channel().config().isAutoRead())) {
            UNFINISHED.tell(context.channel());
            stop();
            var _ = context.close();
        }
    }
}
