package dev.weir.store.redis;

import dev.weir.store.redis.plain.PlainCodec;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.redisson.client.NettyHook;

/**
 * What Redisson's connections need beside what it gives them: the allocator of buffers that callers' connections have too, the
 * short way, and an ear for why an encrypted one was broken off. Since TLS 1.3 a server refuses our certificate only after we think that all
 * is well, and Redisson, which waits for an answer then, tells no more than that there was none.
 */
final class RedisChannels implements NettyHook {
    private final String scheme;
    private volatile @Nullable Throwable lastFailure;

    /**
     * Creates a hook.
     *
     * @param scheme of the addresses of Redis
     */
    RedisChannels(String scheme) {
        this.scheme = scheme;
    }

    /** Returns the last failure since {@link #forget}, or null if there was none. */
    @Nullable
    Throwable lastFailure() {
        return lastFailure;
    }

    void forget() {
        lastFailure = null;
    }

    @Override
    public void afterBoostrapInitialization(Bootstrap bootstrap) {
        var _ = bootstrap.option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT);
    }

    @Override
    public void afterChannelInitialization(Channel channel) {
        PlainCodec.install(channel, scheme);
        var tls = channel.pipeline().context(SslHandler.class);
        if (tls != null) {
            channel.pipeline().addAfter(tls.name(), null, new Listener());
        }
    }

    private final class Listener extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (cause instanceof SSLException || cause.getCause() instanceof SSLException) {
                lastFailure = cause;
            }
            context.fireExceptionCaught(cause);
        }
    }
}
