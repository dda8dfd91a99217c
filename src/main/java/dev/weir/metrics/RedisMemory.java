package dev.weir.metrics;

import dev.weir.meter.Meters;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What each Redis said of its memory last. One that says nothing for a minute has left, or is lost, and is not shown.
 *
 * <p>Keys that it evicted are counted from its first word on: its own number is as old as the Redis is, and begins anew with
 * it, and a counter of ours would seem to jump whenever either of the two starts.
 *
 * <p>Safe for use by any thread.
 */
public final class RedisMemory {
    private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Map<String, Told> byNode = new ConcurrentHashMap<>();
    private final LongSupplier clock;

    /**
     * Creates it empty.
     *
     * @param clock of monotonic nanoseconds
     */
    RedisMemory(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * What is known of one Redis.
     *
     * @param run which Redis it was
     * @param evictedKeys as it counts them itself
     * @param newlyEvicted how many of them since its word before
     * @param seenEvicted how many of them since its first word
     * @param nanos when it said so
     */
    private record Told(
            String run,
            long usedBytes,
            long maxBytes,
            boolean evicts,
            long evictedKeys,
            long newlyEvicted,
            long seenEvicted,
            long nanos) {}

    /**
     * A Redis told what it uses of its memory.
     *
     * @param node its address
     * @param run which Redis it is, at an address that may lead to another one; empty if nobody knows
     * @param usedBytes what it uses
     * @param maxBytes what it may use; 0 for as much as there is
     * @param evicts whether it evicts keys when it may use no more
     * @param evictedKeys how many it has evicted since it began to count
     * @return how many it has evicted since its word before; 0 with its first
     */
    public long told(String node, String run, long usedBytes, long maxBytes, boolean evicts, long evictedKeys) {
        return byNode.compute(node, (_, before) -> {
                    long newly = newlyEvicted(before, run, evictedKeys);
                    long seen = before == null ? 0 : before.seenEvicted() + newly;
                    return new Told(run, usedBytes, maxBytes, evicts, evictedKeys, newly, seen, clock.getAsLong());
                })
                .newlyEvicted();
    }

    /**
     * A number that went down has begun anew, or was overtaken by another thread's: what came since is not known. Nor is that of
     * another Redis, which may have evicted keys at any time before.
     */
    private static long newlyEvicted(@Nullable Told before, String run, long evictedKeys) {
        return before == null || !before.run().equals(run) ? 0 : Math.max(0, evictedKeys - before.evictedKeys());
    }

    /** Tells it under the names of Prometheus. */
    void tell(Meters meters) {
        forget();
        byNode.forEach((node, told) -> {
            List<String> labels = List.of("node", node);
            meters.gauge(
                    PrometheusName.escaped(MeterNames.REDIS_MEMORY_USED) + "_bytes", labels, (double) told.usedBytes());
            meters.gauge(
                    PrometheusName.escaped(MeterNames.REDIS_MEMORY_MAX) + "_bytes", labels, (double) told.maxBytes());
            meters.gauge(PrometheusName.escaped(MeterNames.REDIS_MEMORY_EVICTS), labels, told.evicts() ? 1 : 0);
            meters.counter(PrometheusName.escaped(MeterNames.REDIS_EVICTED_KEYS) + "_total", labels, (double)
                    told.seenEvicted());
        });
    }

    /** Tells it under our own names. */
    void forEach(ObjLongConsumer<String> taker) {
        forget();
        byNode.forEach((node, told) -> {
            taker.accept(MeterNames.REDIS_MEMORY_USED + "{node=" + node + "}", told.usedBytes());
            taker.accept(MeterNames.REDIS_MEMORY_MAX + "{node=" + node + "}", told.maxBytes());
            taker.accept(MeterNames.REDIS_MEMORY_EVICTS + "{node=" + node + "}", told.evicts() ? 1 : 0);
            taker.accept(MeterNames.REDIS_EVICTED_KEYS + "{node=" + node + "}", told.seenEvicted());
        });
    }

    private void forget() {
        long now = clock.getAsLong();
        byNode.values().removeIf(told -> now - told.nanos() > KEPT_NANOS);
    }
}
