package dev.weir.store.redis;

import dev.weir.store.Store;
import dev.weir.store.StoreContract;
import dev.weir.testing.RedisServer;
import dev.weir.testing.RedisVersion;
import dev.weir.testing.RedisVersions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("versions")
final class RedisStoreContractIT implements StoreContract {
    private final RedisServer redis;
    private final RedisBench bench;

    RedisStoreContractIT(RedisVersion version) {
        redis = RedisServer.start(version);
        bench = RedisBench.withTestClock(redis).awaitReached();
    }

    static List<RedisVersion> versions() {
        return RedisVersions.available();
    }

    @Override
    public Store store() {
        return bench.store;
    }

    @Override
    public void at(long micros) {
        RedisBench.setClock(redis, micros);
    }

    @AfterEach
    void close() {
        bench.close();
        redis.close();
    }
}
