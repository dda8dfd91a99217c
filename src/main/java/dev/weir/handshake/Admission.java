package dev.weir.handshake;

import dev.weir.socket.GivenUp;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Date;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the end of the handshake, and lets through who shows a certificate, where one is needed, that is valid now. A resumed
 * session brings the certificate of its first handshake, whose dates Java does not check again. Once it has let a caller through,
 * this handler takes itself out of the pipeline.
 *
 * <p>Who named protocols in the handshake (ALPN) agreed on HTTP/2, or it failed. Who named none, as the checks of health of an
 * Envoy, is believed: HTTP/2 begins with words of its own, and who says others gets no further than in the clear.
 */
final class Admission extends ChannelInboundHandlerAdapter {
    private final HandshakeListener listener;
    private final InstantSource clock;
    private boolean isRefused;

    Admission(HandshakeListener listener, InstantSource clock) {
        this.listener = listener;
        this.clock = clock;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent end) {
            if (end.isSuccess()) {
                passOrClose(context, context.pipeline().get(SslHandler.class));
            } else {
                refuse(context, end.cause());
            }
        }
        context.fireUserEventTriggered(event);
    }

    private void passOrClose(ChannelHandlerContext context, SslHandler tls) {
        var failure = certificateFailure(tls.engine());
        if (failure == null) {
            var _ = context.pipeline().remove(this);
        } else {
            isRefused = true;
            listener.refused(GivenUp.callerOf(context.channel()), failure);
            var _ = context.close();
        }
    }

    /** Returns what is wrong with the caller's certificate now, or null; a session with one that has expired is of no use again. */
    private @Nullable HandshakeFailure certificateFailure(SSLEngine engine) {
        if (!engine.getNeedClientAuth()) {
            return null;
        }
        try {
            var own = (X509Certificate) engine.getSession().getPeerCertificates()[0];
            own.checkValidity(Date.from(clock.instant()));
            return null;
        } catch (CertificateException | SSLPeerUnverifiedException e) {
            engine.getSession().invalidate();
            return HandshakeFailure.of(e);
        }
    }

    /**
     * TLS closes the connection itself, with an alert for the caller. Who leaves before he has said anything, as a probe does, or just after
     * his last word, is nobody that was refused; who leaves once he was answered does not like the service's certificate.
     */
    private void refuse(ChannelHandlerContext context, Throwable why) {
        isRefused = true;
        if (!(why instanceof ClosedChannelException)) {
            listener.refused(GivenUp.callerOf(context.channel()), HandshakeFailure.of(why));
        } else if (context.pipeline().get(WholeRecords.class).isLeftUnsaid()) {
            listener.refused(GivenUp.callerOf(context.channel()), HandshakeFailure.LEFT);
        }
    }

    /** What came together with the end of a handshake that is refused is nobody's. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        if (isRefused) {
            ReferenceCountUtil.release(bytes);
        } else {
            context.fireChannelRead(bytes);
        }
    }

    /** What TLS throws it has also told at the end of the handshake; what the network throws ends a connection unheard. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        var _ = context.close();
    }
}
