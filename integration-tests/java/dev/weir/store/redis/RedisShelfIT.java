package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.store.Shelf;
import dev.weir.store.Shelf.Standing;
import dev.weir.store.ShelfContract;
import dev.weir.store.StoreException;
import dev.weir.testing.RedisServer;
import dev.weir.testing.RedisVersion;
import dev.weir.testing.RedisVersions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("versions")
final class RedisShelfIT implements ShelfContract {
    private final RedisServer redis;
    private final RedisBench bench;

    RedisShelfIT(RedisVersion version) {
        redis = RedisServer.start(version);
        bench = RedisBench.on(redis.port()).awaitReached();
    }

    static List<RedisVersion> versions() {
        return RedisVersions.available();
    }

    @Override
    public Shelf shelf() {
        return bench.store.shelf();
    }

    @Test
    void what_stands_there_is_one_hash_that_does_not_expire() {
        shelf().replace("", new Standing("1", "a")).toCompletableFuture().join();
        assertThat(redis.command("KEYS", "weir:*")).isEqualTo(List.of("weir:rules"));
        assertThat(redis.command("HGETALL", "weir:rules")).isEqualTo(List.of("stamp", "1", "text", "a"));
        assertThat(redis.command("TTL", "weir:rules")).isEqualTo(-1L);
    }

    @Test
    void what_somebody_else_has_put_under_its_name_is_told() {
        redis.command("SET", "weir:rules", "mine");
        assertThatThrownBy(() -> shelf().stamp().toCompletableFuture().join())
                .hasRootCauseInstanceOf(StoreException.class)
                .hasMessageContaining("WRONGTYPE");
        assertThatThrownBy(() -> shelf().replace("", new Standing("1", "a"))
                        .toCompletableFuture()
                        .join())
                .hasMessageContaining("WRONGTYPE");
        assertThat(redis.command("GET", "weir:rules")).isEqualTo("mine");
    }

    @AfterEach
    void close() {
        bench.close();
        redis.close();
    }
}
