package dev.weir.store.redis;

import dev.weir.store.StoreException;
import dev.weir.store.redis.RedisOptions.Topology;
import dev.weir.store.redis.failure.FailureWords;
import dev.weir.store.redis.plain.PlainCodec;
import dev.weir.tls.ServerNames;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.NettyHook;
import org.redisson.config.Config;

/**
 * What Redisson's connections need beside what it gives them: the allocator of buffers that callers' connections have too, the
 * short way, and an ear for why an encrypted one was broken off. Since TLS 1.3 a server refuses our certificate only after we think that all
 * is well, and Redisson, which waits for an answer then, tells no more than that there was none. And the name that is sent ahead, also where it has no dot.
 *
 * <p>A bound for the handshake, too, which Redisson leaves to Netty's ten seconds: who takes connections and passes nothing on, as a proxy
 * whose Redis is gone, would hold ours for so long, also when Redis is back. And a hand on all of them: those that Redisson is about to make
 * when it ends, it forgets.
 */
final class RedisChannels implements NettyHook {
    private static final Duration HANDSHAKE = Duration.ofSeconds(2);

    private final RedisOptions options;
    private final String scheme;
    private final Duration handshake;
    private final ChannelGroup all = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE, true); // stays closed
    private final Set<Thread> connecting = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Throwable lastFailure;

    RedisChannels(RedisOptions options) {
        this.options = options;
        this.scheme = options.tls() == null ? "redis" : "rediss";
        this.handshake = least(options.connectTimeout(), most(HANDSHAKE, options.timeout()));
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration most(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /**
     * Connects, and leaves it to Redisson to stay connected. Blocks.
     *
     * @throws StoreException if Redis cannot be reached now
     */
    RedissonClient connect(Config config) {
        lastFailure = null;
        connecting.add(Thread.currentThread());
        try {
            return Redisson.create(config.setNettyHook(this));
        } catch (RuntimeException e) { // Redisson lets more out than its own exceptions
            throw new StoreException("Redis at " + options.topology() + " cannot be reached: " + whyNot(e));
        } finally {
            connecting.remove(Thread.currentThread());
        }
    }

    private String whyNot(RuntimeException failure) {
        Throwable tlsFailure = lastFailure;
        Throwable cause = tlsFailure != null ? tlsFailure : failure;
        String words = options.topology() instanceof Topology.Sentinel sentinel && !FailureWords.isTimeout(cause)
                ? FailureWords.withSentinels(cause, sentinel.password() != null)
                : FailureWords.whyNot(cause);
        return options.secrets().leftOut(words);
    }

    /** Returns whether somebody connects at this moment. */
    boolean isConnecting() {
        return !connecting.isEmpty();
    }

    /** Closes all connections that there are, and each that is to come. Who connects is kept from it. Does not wait for that. */
    void close() {
        connecting.forEach(Thread::interrupt);
        var _ = all.close();
    }

    @Override
    public void afterBoostrapInitialization(Bootstrap bootstrap) {
        var _ = bootstrap.option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT);
    }

    @Override
    public void afterChannelInitialization(Channel channel) {
        all.add(channel);
        PlainCodec.install(channel, scheme);
        var tls = channel.pipeline().get(SslHandler.class);
        if (tls != null) {
            tls.setHandshakeTimeoutMillis(handshake.toMillis());
            ServerNames.sendAhead(tls.engine());
            channel.pipeline().addAfter(channel.pipeline().context(tls).name(), null, new Listener());
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
