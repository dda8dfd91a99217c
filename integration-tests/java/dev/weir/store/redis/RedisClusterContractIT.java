package dev.weir.store.redis;

import dev.weir.store.Store;
import dev.weir.store.StoreContract;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisVersion;
import dev.weir.testing.RedisVersions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("versions")
final class RedisClusterContractIT implements StoreContract {
    /** A cluster takes seconds to find itself well: one serves all tests of a version. */
    private static final Map<RedisVersion, RedisCluster> CLUSTERS = new HashMap<>();

    private final RedisCluster cluster;
    private final RedisBench bench;

    RedisClusterContractIT(RedisVersion version) {
        cluster = CLUSTERS.computeIfAbsent(version, RedisCluster::start);
        cluster.clear();
        bench = RedisBench.withTestClock(cluster).awaitReached();
    }

    static List<RedisVersion> versions() {
        return RedisVersions.here();
    }

    @Override
    public Store store() {
        return bench.store;
    }

    @Override
    public void at(long micros) {
        RedisBench.setClock(cluster, micros);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @AfterAll
    static void end() {
        CLUSTERS.values().forEach(RedisCluster::close);
        CLUSTERS.clear();
    }
}
