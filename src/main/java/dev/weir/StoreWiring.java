package dev.weir;

import dev.weir.loop.EventLoops;
import dev.weir.settings.Backend;
import dev.weir.settings.Settings;
import dev.weir.settings.redis.AuthFile;
import dev.weir.settings.redis.RedisSettings;
import dev.weir.settings.redis.RedisSettings.Credentials;
import dev.weir.store.OwnShare;
import dev.weir.store.Shelf;
import dev.weir.store.Store;
import dev.weir.store.layer.DeadlineStore;
import dev.weir.store.layer.OverLimitListener;
import dev.weir.store.layer.OverLimitStore;
import dev.weir.store.memory.MemoryShelf;
import dev.weir.store.memory.MemoryStore;
import dev.weir.store.memory.Ticker;
import dev.weir.store.redis.RedisListener;
import dev.weir.store.redis.RedisOptions;
import dev.weir.store.redis.RedisOptions.Login;
import dev.weir.store.redis.RedisOptions.Topology;
import dev.weir.store.redis.RedisPair;
import dev.weir.store.redis.RedisStore;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Turns settings into the store, and what stands in for it. */
final class StoreWiring {
    // What callers wait is bounded by a layer in front; a call gives its turn away this late.
    private static final Duration SHORTEST_CALL_TIMEOUT = Duration.ofMillis(250);

    private StoreWiring() {}

    /**
     * What the store is for.
     *
     * @param counters in it
     * @param shelf for what replicas share beside them
     */
    record Stores(Store counters, Shelf shelf) {}

    /**
     * Returns where counters live.
     *
     * @param tls how connections to Redis are encrypted if they are to be
     */
    static Stores stores(
            Settings settings,
            RedisOptions.@Nullable Tls tls,
            EventLoops loops,
            RedisListener listener,
            OverLimitListener overLimit,
            UnaryOperator<Store> traced) {
        Backend backend = settings.backend();
        return switch (backend.type()) {
            case MEMORY ->
                new Stores(
                        MemoryStore.swept(
                                Ticker.system(),
                                backend.maxMemoryCounters(),
                                Runtime.getRuntime().maxMemory() / 2),
                        new MemoryShelf());
            case REDIS -> {
                Stores stores = redis(settings, tls, loops, listener);
                Store redis = traced.apply(new DeadlineStore(stores.counters(), backend.timeout()));
                long bytes = overLimitBytes(
                        backend.overLimitBytes(), Runtime.getRuntime().maxMemory());
                yield new Stores(bytes == 0 ? redis : OverLimitStore.around(redis, bytes, overLimit), stores.shelf());
            }
        };
    }

    /**
     * Returns this replica's own counters, for when the store that all replicas share fails.
     *
     * @param replicas how many share each limit
     */
    static OwnShare ownShare(Backend backend, IntSupplier replicas) {
        long bytes = Runtime.getRuntime().maxMemory() / 4;
        return new OwnShare(MemoryStore.swept(Ticker.system(), backend.maxMemoryCounters(), bytes), replicas);
    }

    /** Tells the log where counters live, and why if that may surprise. */
    static void tell(Settings settings, Logger log) {
        var backend = settings.backend();
        String counts = place(settings);
        String why = backend.isAssumed() ? " (BACKEND_TYPE is not set)" : "";
        if (!backend.passedOver().isEmpty()) {
            log.warn("{} (BACKEND_TYPE=memory passes over {})", counts, String.join(", ", backend.passedOver()));
        } else if (backend.isAssumed() && settings.isInKubernetes()) {
            log.warn("{}{}", counts, why);
        } else {
            log.info("{}{}", counts, why);
        }
    }

    /** Returns where counters live, for the log. */
    private static String place(Settings settings) {
        return switch (settings.backend().type()) {
            case MEMORY -> "counts are kept in memory: this process counts for itself alone";
            case REDIS -> {
                RedisSettings perSecond = settings.redisPerSecond();
                yield "counts are kept in Redis at " + settings.redis().place()
                        + (perSecond == null ? "" : ", those of limits per second at " + perSecond.place());
            }
        };
    }

    /** Who sized it for another program may have asked for more than this heap has. */
    static long overLimitBytes(OptionalLong wanted, long heap) {
        return Math.min(wanted.orElse(heap / 20), heap / 4);
    }

    private static Stores redis(
            Settings settings, RedisOptions.@Nullable Tls tls, EventLoops loops, RedisListener listener) {
        Duration timeout = Wiring.longer(settings.backend().timeout(), SHORTEST_CALL_TIMEOUT);
        RedisOptions first = options(settings.redis(), timeout, tls);
        RedisSettings perSecond = settings.redisPerSecond();
        if (perSecond == null) {
            var redis = RedisStore.start(first, loops, listener);
            return new Stores(redis, redis.shelf());
        }
        var pair = RedisPair.start(first, options(perSecond, timeout, tls), loops, listener);
        return new Stores(pair, pair.shelf());
    }

    /**
     * Returns how to reach and use a Redis.
     *
     * @param timeout after which a call has failed
     * @param tls how connections are encrypted if they are to be
     */
    private static RedisOptions options(RedisSettings redis, Duration timeout, RedisOptions.@Nullable Tls tls) {
        AuthFile authFile = redis.authFile();
        return new RedisOptions(
                topology(redis),
                login(redis.credentials()),
                authFile == null ? null : () -> login(authFile.newest()),
                redis.database(),
                redis.tls() == null ? null : tls,
                redis.connectTimeout(),
                timeout,
                redis.keyPrefix(),
                redis.hashTags(),
                redis.inFlight());
    }

    private static Login login(Credentials said) {
        return new Login(orNull(said.user()), orNull(said.password()));
    }

    private static Topology topology(RedisSettings redis) {
        List<String> addresses = redis.addresses().stream()
                .map(address -> redisUrl(address, redis.tls() != null))
                .toList();
        return switch (redis.layout()) {
            case SINGLE -> new Topology.Single(addresses.getFirst());
            case SENTINEL ->
                new Topology.Sentinel(
                        redis.master(),
                        addresses,
                        orNull(redis.sentinelCredentials().user()),
                        orNull(redis.sentinelCredentials().password()));
            case CLUSTER -> new Topology.Cluster(addresses);
        };
    }

    private static String redisUrl(RedisSettings.Address address, boolean isTls) {
        return switch (address) {
            case RedisSettings.Address.Tcp tcp -> (isTls ? "rediss://" : "redis://") + tcp;
            case RedisSettings.Address.Socket socket -> "redis+uds://" + socket;
        };
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
