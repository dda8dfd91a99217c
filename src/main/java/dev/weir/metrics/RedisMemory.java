package dev.weir.metrics;

import dev.weir.meter.Meters;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;

/** What each Redis said of its memory last. One that says nothing for a minute has left, or is lost, and is not shown. */
final class RedisMemory {
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

    private record Told(long usedBytes, long maxBytes, long nanos) {}

    void told(String node, long usedBytes, long maxBytes) {
        byNode.put(node, new Told(usedBytes, maxBytes, clock.getAsLong()));
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
        });
    }

    /** Tells it under our own names. */
    void forEach(ObjLongConsumer<String> taker) {
        forget();
        byNode.forEach((node, told) -> {
            taker.accept(MeterNames.REDIS_MEMORY_USED + "{node=" + node + "}", told.usedBytes());
            taker.accept(MeterNames.REDIS_MEMORY_MAX + "{node=" + node + "}", told.maxBytes());
        });
    }

    private void forget() {
        long now = clock.getAsLong();
        byNode.values().removeIf(told -> now - told.nanos() > KEPT_NANOS);
    }
}
