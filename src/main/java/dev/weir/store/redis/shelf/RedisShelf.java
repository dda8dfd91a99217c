package dev.weir.store.redis.shelf;

import dev.weir.store.Shelf;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.redisson.api.RFuture;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

/** A shelf that is a hash in Redis, with the fields {@code stamp} and {@code text}. */
public final class RedisShelf implements Shelf {
    private static final String STAMP = "stamp";
    private static final String TEXT = "text";

    private static final String REPLACE = """
            local stands = redis.call('HMGET', KEYS[1], 'stamp')
            if (stands[1] or '') ~= ARGV[1] then
              return 0
            end
            redis.call('HSET', KEYS[1], 'stamp', ARGV[2], 'text', ARGV[3])
            return 1
            """;

    private final Way way;
    private final String key;

    /** The way to Redis. */
    @FunctionalInterface
    public interface Way {
        /** Asks a question; the answer fails with a {@link dev.weir.store.StoreException}. */
        <T> CompletableFuture<T> ask(Function<RedissonClient, RFuture<T>> question);
    }

    /** Creates the shelf that is the hash of this key. */
    public RedisShelf(Way way, String key) {
        this.way = way;
        this.key = key;
    }

    @Override
    public String place() {
        return "the key " + key;
    }

    @Override
    public CompletionStage<String> stamp() {
        return fields(STAMP).thenApply(fields -> fields.getOrDefault(STAMP, ""));
    }

    @Override
    public CompletionStage<Standing> read() {
        return fields(STAMP, TEXT)
                .thenApply(fields -> new Standing(fields.getOrDefault(STAMP, ""), fields.getOrDefault(TEXT, "")));
    }

    @Override
    public CompletionStage<Boolean> replace(String stamp, Standing next) {
        return way.ask(client -> client.getScript(StringCodec.INSTANCE)
                .<Boolean>evalAsync(
                        key,
                        RScript.Mode.READ_WRITE,
                        REPLACE,
                        RScript.ReturnType.BOOLEAN,
                        List.of(key),
                        stamp,
                        next.stamp(),
                        next.text()));
    }

    private CompletableFuture<Map<String, String>> fields(String... names) {
        return way.ask(client ->
                client.<String, String>getMap(key, StringCodec.INSTANCE).getAllAsync(Set.of(names)));
    }
}
