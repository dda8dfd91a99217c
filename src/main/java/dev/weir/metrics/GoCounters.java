package dev.weir.metrics;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.ObjLongConsumer;

/**
 * All counters under the names that the Go service gives them. One that never moved does not exist, as there.
 */
final class GoCounters {
    private static final String SERVICE = "ratelimit.service.";
    private static final String RATE_LIMIT = SERVICE + "rate_limit.";

    /** The store did not answer, or not before nobody waited any more. */
    private static final Set<Ending> STORE_ERRORS = EnumSet.of(Ending.STORE_FAILURE, Ending.DEADLINE);

    /** They could not be asked, were turned away, or met a defect. */
    private static final Set<Ending> SERVICE_ERRORS =
            EnumSet.of(Ending.INVALID, Ending.NO_RULES, Ending.SHED, Ending.DEFECT);

    private final Statistics statistics;
    private final boolean hasLocalCache;

    /**
     * Prepares the reading of counters.
     *
     * @param hasLocalCache whether hits that were refused from memory are told apart
     */
    GoCounters(Statistics statistics, boolean hasLocalCache) {
        this.statistics = statistics;
        this.hasLocalCache = hasLocalCache;
    }

    /** Tells every counter that has moved. */
    void forEach(ObjLongConsumer<String> told) {
        forService(told);
        for (Series series : series()) {
            forStats(series, (stat, count) -> told.accept(name(series, stat), count));
        }
    }

    /** Tells those that have moved and are not of series. */
    void forService(ObjLongConsumer<String> told) {
        forCalls(told);
        forUnknownDomains((domain, count) -> told.accept(RATE_LIMIT + domain + ".domain_not_found", count));
    }

    /** Tells those that have moved and are named by nobody. */
    void forCalls(ObjLongConsumer<String> told) {
        ObjLongConsumer<String> moved = moved(told);
        for (Rpc rpc : Rpc.values()) {
            moved.accept(calls(rpc), statistics.calls(rpc));
        }
        moved.accept(SERVICE + "config_load_success", statistics.loads(true));
        moved.accept(SERVICE + "config_load_error", statistics.loads(false));
        moved.accept(SERVICE + "global_shadow_mode", statistics.hitCounts().shadowed());
        moved.accept(SERVICE + "call.should_rate_limit.redis_error", requests(STORE_ERRORS));
        moved.accept(SERVICE + "call.should_rate_limit.service_error", requests(SERVICE_ERRORS));
    }

    /** Tells the descriptors of each domain without rules. */
    void forUnknownDomains(ObjLongConsumer<String> told) {
        ObjLongConsumer<String> moved = moved(told);
        statistics.series().unknownDomains().forEach((domain, count) -> moved.accept(domain, count.sum()));
    }

    private static ObjLongConsumer<String> moved(ObjLongConsumer<String> told) {
        return (name, count) -> {
            if (count != 0) {
                told.accept(name, count);
            }
        };
    }

    Collection<Series> series() {
        return statistics.series().all();
    }

    /** Tells the counts of a series that have moved. */
    void forStats(Series series, ObjLongConsumer<Stat> told) {
        for (Stat stat : Stat.values()) {
            long count = series.count(stat);
            if (count != 0 && (hasLocalCache || stat != Stat.OVER_LIMIT_WITH_LOCAL_CACHE)) {
                told.accept(stat, count);
            }
        }
    }

    /** Returns the name of a count of a series. */
    static String name(Series series, Stat stat) {
        return RATE_LIMIT + series.name() + "." + stat.word();
    }

    private long requests(Set<Ending> endings) {
        return endings.stream().mapToLong(statistics::requests).sum();
    }

    /** Returns the name of the counter of calls. */
    static String calls(Rpc rpc) {
        return "ratelimit_server." + rpc.word() + ".total_requests";
    }
}
