package dev.weir.store.redis;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How to reach Redis and how to use it.
 *
 * @param address {@code redis://host:port}
 * @param username of the ACL user, or null
 * @param password or null; never printed
 * @param database number of the database
 * @param connectTimeout for one attempt to make one connection
 * @param timeout after which a call has failed and the next one may go. Callers are not bound by it but by a layer's
 *     deadline: a call that is under way keeps its turn even when nobody waits for it any more, for what was written to a
 *     silent Redis stays in memory, and few calls under way keep that small
 * @param keyPrefix before every key; holds no braces
 * @param hashTags number of hash tags that counters are spread over, a power of two
 * @param inFlight batches that may be under way at once, 1 to 8
 */
public record RedisOptions(
        String address,
        @Nullable String username,
        @Nullable String password,
        int database,
        Duration connectTimeout,
        Duration timeout,
        String keyPrefix,
        int hashTags,
        int inFlight) {

    @Override
    public String toString() {
        return address + "/" + database;
    }
}
