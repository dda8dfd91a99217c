package dev.weir.store.redis;

import dev.weir.loop.EventLoops;
import dev.weir.store.redis.RedisOptions.Login;
import dev.weir.store.redis.RedisOptions.Topology;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.config.BaseConfig;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;
import org.redisson.config.Credentials;
import org.redisson.config.CredentialsResolver;
import org.redisson.config.ReadMode;
import org.redisson.config.ShardedSubscriptionMode;
import org.redisson.config.SslVerificationMode;
import org.redisson.config.SubscriptionMode;
import org.redisson.config.TransportMode;

/**
 * What Redisson is told: to resend nothing, to keep few connections, and to notice soon when one is dead or a slot has
 * moved.
 */
final class RedissonConfig {
    // Below ten connections Redisson gives one back as soon as the command is written, so calls follow each other in
    // it.
    private static final int MAX_CONNECTIONS = 8;
    private static final Duration RECONNECT_EVERY = Duration.ofMillis(200);

    // A peer that is gone without a word is noticed by the second ping; but not before those who wait for it give up.
    private static final int PING_EVERY_MILLIS = 1_000;

    // Until it is learned, a slot's new place costs a round trip more, and a new master nobody was sent to is unknown.
    private static final int LOOK_EVERY_MILLIS = 1_000;

    private static final String DEFAULT_USER = "default";

    private RedissonConfig() {}

    /** Returns the configuration of a {@link RedissonClient} whose connections all belong to one thread. */
    static Config of(RedisOptions options, EventLoops loops, int loop) {
        Config config = new Config();
        config.setCodec(ByteArrayCodec.INSTANCE);
        config.setThreads(1);
        config.setTcpKeepAlive(true);
        config.setTcpNoDelay(true);
        config.setEventLoopGroup(loops.loop(loop));
        config.setTransportMode(loops.isEpoll() ? TransportMode.EPOLL : TransportMode.NIO);
        if (options.newestLogin() != null) {
            config.setCredentialsResolver(newest(options.newestLogin()));
        } else if (options.login().password() != null) {
            config.setUsername(options.login().username())
                    .setPassword(options.login().password());
        }
        if (options.tls() != null) {
            encrypt(config, options.tls());
        }
        switch (options.topology()) {
            case Topology.Single single -> useSingle(config, single, options);
            case Topology.Cluster cluster -> useCluster(config, cluster, options);
            case Topology.Sentinel sentinel -> useSentinel(config, sentinel, options);
        }
        return config;
    }

    /** Completes at once: Redisson sends SELECT and PING without waiting for it, and Redis refuses both before AUTH. */
    private static CredentialsResolver newest(Supplier<Login> logins) {
        return _ -> {
            Login login = logins.get();
            return CompletableFuture.completedFuture(new Credentials(login.username(), login.password()));
        };
    }

    private static void encrypt(Config config, RedisOptions.Tls tls) {
        config.setSslTrustManagerFactory(tls.authorities());
        if (tls.identity() != null) {
            config.setSslKeyManagerFactory(tls.identity());
        }
        config.setSslVerificationMode(tls.isCheckingName() ? SslVerificationMode.STRICT : SslVerificationMode.CA_ONLY);
    }

    private static void useSingle(Config config, Topology.Single single, RedisOptions options) {
        int connections = Math.min(MAX_CONNECTIONS, options.inFlight());
        setAlways(config.useSingleServer(), options)
                .setAddress(single.address())
                .setDatabase(options.database())
                .setConnectionPoolSize(connections)
                .setConnectionMinimumIdleSize(connections)
                .setSubscriptionConnectionPoolSize(1)
                .setSubscriptionConnectionMinimumIdleSize(0);
    }

    /** Masters only; one that is down shall not keep us from the others, so slots may be without a node. */
    private static void useCluster(Config config, Topology.Cluster cluster, RedisOptions options) {
        var servers = setForMasters(config.useClusterServers(), options)
                .setShardedSubscriptionMode(ShardedSubscriptionMode.OFF)
                .setCheckSlotsCoverage(false)
                .setScanInterval(LOOK_EVERY_MILLIS);
        servers.setNodeAddresses(cluster.addresses());
    }

    /** Any one of the sentinels will do, also if it is the only one. */
    private static void useSentinel(Config config, Topology.Sentinel sentinel, RedisOptions options) {
        var servers = setForMasters(config.useSentinelServers(), options)
                .setMasterName(sentinel.master())
                .setDatabase(options.database())
                .setCheckSentinelsList(false)
                .setScanInterval(LOOK_EVERY_MILLIS);
        servers.setSentinelAddresses(sentinel.addresses());
        if (sentinel.password() != null) {
            servers.setSentinelUsername(sentinel.username()).setSentinelPassword(sentinel.password());
            if (options.login().password() == null) {
                // Redisson has no ear for what sentinels ask for unless there is a password for Redis as well. A Redis
                // without one takes any of its default user.
                config.setUsername(DEFAULT_USER).setPassword(DEFAULT_USER);
            }
        } else if (options.login().password() != null) {
            // To a sentinel that asks for one Redisson would say Redis's, which is none of its business.
            servers.setSentinelUsername(DEFAULT_USER).setSentinelPassword(DEFAULT_USER);
        }
    }

    private static <T extends BaseMasterSlaveServersConfig<T>> T setForMasters(T servers, RedisOptions options) {
        int connections = Math.min(MAX_CONNECTIONS, options.inFlight());
        return setAlways(servers, options)
                .setReadMode(ReadMode.MASTER)
                .setSubscriptionMode(SubscriptionMode.MASTER)
                .setMasterConnectionPoolSize(connections)
                .setMasterConnectionMinimumIdleSize(connections)
                .setSubscriptionConnectionPoolSize(1)
                .setSubscriptionConnectionMinimumIdleSize(0);
    }

    private static <T extends BaseConfig<T>> T setAlways(T servers, RedisOptions options) {
        return servers.setConnectTimeout((int) options.connectTimeout().toMillis())
                .setTimeout((int) options.timeout().toMillis())
                .setPingConnectionInterval(
                        Math.max(PING_EVERY_MILLIS, (int) options.timeout().toMillis()))
                .setRetryAttempts(0)
                .setReconnectionDelay(new ConstantDelay(RECONNECT_EVERY));
    }
}
