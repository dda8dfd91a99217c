package dev.weir.store.redis;

import dev.weir.store.Shelf;
import dev.weir.store.ShelfContract;
import dev.weir.testing.RedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

final class RedisClusterShelfIT implements ShelfContract {
    private static RedisCluster cluster;
    private RedisBench bench;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start();
    }

    @BeforeEach
    void connect() {
        cluster.clear();
        bench = RedisBench.on(cluster).awaitReached();
    }

    @Override
    public Shelf shelf() {
        return bench.store.shelf();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @AfterAll
    static void end() {
        cluster.close();
    }
}
