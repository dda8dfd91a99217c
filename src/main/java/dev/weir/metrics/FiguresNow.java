package dev.weir.metrics;

import dev.weir.live.Figures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Takes down what is counted, for who wants to see what changes. */
public final class FiguresNow {
    private FiguresNow() {}

    /** Returns what is counted by now. */
    public static Figures of(Statistics statistics) {
        Map<String, Long> requests = new LinkedHashMap<>();
        for (Ending ending : Ending.values()) {
            requests.put(ending.tag(), statistics.requests(ending));
        }
        return new Figures(
                requests,
                statistics.responseTime(Rpc.SHOULD_RATE_LIMIT).spread(),
                statistics.storeLatency().spread(),
                count(statistics, MeterNames.CHECKS_REMEMBERED),
                count(statistics, MeterNames.STORE_FAILURES),
                rules(statistics),
                state(statistics));
    }

    private static Figures.State state(Statistics statistics) {
        return new Figures.State(
                gauge(statistics, MeterNames.STORE_REACHABLE) == 1,
                (int) gauge(statistics, MeterNames.CONNECTIONS),
                (int) gauge(statistics, MeterNames.REPLICAS),
                gauge(statistics, MeterNames.RULES_VERSION),
                gauge(statistics, MeterNames.RULES_SIZE),
                gauge(statistics, MeterNames.RULES_REFUSED) == 1);
    }

    private static long count(Statistics statistics, String name) {
        return (long) statistics.registry().get(name).counter().count();
    }

    private static long gauge(Statistics statistics, String name) {
        return (long) statistics.registry().get(name).gauge().value();
    }

    private static List<Figures.OfRule> rules(Statistics statistics) {
        List<Figures.OfRule> rules = new ArrayList<>();
        for (Series series : statistics.series().all()) {
            add(series, series.name(), rules);
        }
        for (HitCounts.NamedSeries named : statistics.hitCounts().named()) {
            add(named.series(), named.rule() + ": " + named.limit(), rules);
        }
        return rules;
    }

    /** One that was never hit says nothing. */
    private static void add(Series series, String name, List<Figures.OfRule> rules) {
        long hits = series.count(Stat.TOTAL_HITS);
        if (hits > 0) {
            rules.add(new Figures.OfRule(name, hits, series.count(Stat.NEAR_LIMIT), series.count(Stat.OVER_LIMIT)));
        }
    }
}
