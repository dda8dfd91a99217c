package dev.weir.handshake;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;

/**
 * Waits for the end of the handshake, and lets through who agreed on HTTP/2 in it (ALPN), as gRPC's servers do. It then has
 * no more to do, and leaves.
 */
final class OnlyHttp2 extends ChannelInboundHandlerAdapter {
    private final HandshakeListener listener;
    private boolean isRefused;

    OnlyHttp2(HandshakeListener listener) {
        this.listener = listener;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent end) {
            if (!end.isSuccess()) {
                refuse(context, end.cause());
            } else if (isHttp2(context)) {
                var _ = context.pipeline().remove(this);
            } else {
                isRefused = true;
                listener.refused(caller(context.channel()), HandshakeFailure.NOT_HTTP_2);
                var _ = context.close();
            }
        }
        context.fireUserEventTriggered(event);
    }

    private static boolean isHttp2(ChannelHandlerContext context) {
        return ApplicationProtocolNames.HTTP_2.equals(
                context.pipeline().get(SslHandler.class).applicationProtocol());
    }

    /** TLS closes the connection itself, with an alert for the caller. */
    private void refuse(ChannelHandlerContext context, Throwable why) {
        isRefused = true;
        if (!(why instanceof ClosedChannelException)) {
            listener.refused(caller(context.channel()), HandshakeFailure.of(why));
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

    private static String caller(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress tcp
                ? tcp.getAddress().getHostAddress() + ":" + tcp.getPort()
                : "a caller at the Unix socket";
    }
}
