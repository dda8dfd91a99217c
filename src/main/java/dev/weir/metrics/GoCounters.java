package dev.weir.metrics;

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
    private static final Set<Outcome> STORE_ERRORS = EnumSet.of(Outcome.STORE_FAILURE, Outcome.DEADLINE);

    /** They could not be asked, were turned away, or met a defect. */
    private static final Set<Outcome> SERVICE_ERRORS =
            EnumSet.of(Outcome.INVALID, Outcome.NO_RULES, Outcome.SHED, Outcome.DEFECT);

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
        ObjLongConsumer<String> moved = (name, count) -> {
            if (count != 0) {
                told.accept(name, count);
            }
        };
        for (Rpc rpc : Rpc.values()) {
            moved.accept(calls(rpc), statistics.calls(rpc));
        }
        moved.accept(SERVICE + "config_load_success", statistics.loads(true));
        moved.accept(SERVICE + "config_load_error", statistics.loads(false));
        moved.accept(SERVICE + "global_shadow_mode", statistics.hitCounts().shadowed());
        moved.accept(SERVICE + "call.should_rate_limit.redis_error", requests(STORE_ERRORS));
        moved.accept(SERVICE + "call.should_rate_limit.service_error", requests(SERVICE_ERRORS));
        statistics
                .series()
                .unknownDomains()
                .forEach((domain, count) -> moved.accept(RATE_LIMIT + domain + ".domain_not_found", count.sum()));
        for (Series series : statistics.series().all()) {
            tell(RATE_LIMIT + series.name() + ".", series, moved);
        }
    }

    private long requests(Set<Outcome> outcomes) {
        return outcomes.stream().mapToLong(statistics::requests).sum();
    }

    /** Returns the name of the counter of calls. */
    static String calls(Rpc rpc) {
        return "ratelimit_server." + rpc.word() + ".total_requests";
    }

    private void tell(String prefix, Series series, ObjLongConsumer<String> moved) {
        for (Stat stat : Stat.values()) {
            if (hasLocalCache || stat != Stat.OVER_LIMIT_WITH_LOCAL_CACHE) {
                moved.accept(prefix + stat.word(), series.count(stat));
            }
        }
    }
}
