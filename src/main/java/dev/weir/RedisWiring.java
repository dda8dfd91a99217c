package dev.weir;

import dev.weir.settings.redis.RedisSettings;
import dev.weir.store.redis.RedisOptions;
import dev.weir.store.redis.RedisOptions.Topology;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns the settings of one Redis into what its store is built from. */
final class RedisWiring {
    private RedisWiring() {}

    /**
     * Returns how to reach and use a Redis.
     *
     * @param timeout after which a call has failed
     * @param tls how connections are encrypted if they are to be
     */
    static RedisOptions options(RedisSettings redis, Duration timeout, RedisOptions.@Nullable Tls tls) {
        return new RedisOptions(
                topology(redis),
                orNull(redis.credentials().user()),
                orNull(redis.credentials().password()),
                redis.database(),
                redis.tls() == null ? null : tls,
                redis.connectTimeout(),
                timeout,
                redis.keyPrefix(),
                redis.hashTags(),
                redis.inFlight());
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
