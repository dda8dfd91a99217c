package dev.weir.store.redis;

import dev.weir.store.Store;
import dev.weir.store.StoreContract;
import dev.weir.store.layer.OverLimitStore;
import dev.weir.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;

/** The over-limit memory in front of Redis is as good a store as Redis. */
final class OverLimitContractIT implements StoreContract {
    private final RedisServer redis = RedisServer.start();
    private final RedisBench bench = RedisBench.withTestClock(redis).awaitReached();
    private final Store store = OverLimitStore.around(bench.store, 1 << 20, _ -> {});

    @Override
    public Store store() {
        return store;
    }

    @Override
    public void at(long micros) {
        RedisBench.setClock(redis, micros);
    }

    @AfterEach
    void close() {
        store.close();
        bench.close();
        redis.close();
    }
}
