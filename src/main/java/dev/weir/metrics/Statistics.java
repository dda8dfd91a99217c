package dev.weir.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * What this process counts of itself. Every meter exists from the start, so that a zero is seen as a zero, and none is
 * made by a caller's words.
 *
 * <p>Safe for use by any thread; a count takes no lock.
 */
public final class Statistics {
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final Map<Outcome, Counter> requests = new EnumMap<>(Outcome.class);
    private final Counter batches = registry.counter(MeterNames.BATCHES);
    private final Counter checks = registry.counter(MeterNames.CHECKS);
    private final Counter checksMerged = registry.counter(MeterNames.CHECKS_MERGED);
    private final Counter checksRemembered = registry.counter(MeterNames.CHECKS_REMEMBERED);
    private final Counter storeFailures = registry.counter(MeterNames.STORE_FAILURES);
    private final Counter chargesKept = registry.counter(MeterNames.CHARGES_KEPT);
    private final Counter rulesLoaded = registry.counter(MeterNames.RULE_LOADS, MeterNames.OUTCOME, "ok");
    private final Counter rulesRefused = registry.counter(MeterNames.RULE_LOADS, MeterNames.OUTCOME, "failed");
    private final AtomicLong rulesVersion = registry.gauge(MeterNames.RULES_VERSION, new AtomicLong());

    /** Creates every meter, at zero. */
    public Statistics() {
        for (Outcome outcome : Outcome.values()) {
            requests.put(outcome, registry.counter(MeterNames.REQUESTS, MeterNames.OUTCOME, outcome.tag()));
        }
    }

    /** A request was answered. */
    public void answered(Outcome outcome) {
        Objects.requireNonNull(requests.get(outcome)).increment();
    }

    /**
     * A batch was sent to the store.
     *
     * @param checkCount how many checks it answers
     * @param mergedCount how many of them share an entry with an equal one before them
     */
    public void sent(int checkCount, int mergedCount) {
        batches.increment();
        checks.increment(checkCount);
        checksMerged.increment(mergedCount);
    }

    /** So many checks were refused from memory; the store was not asked. */
    public void remembered(int checkCount) {
        checksRemembered.increment(checkCount);
    }

    /** A batch was not answered. */
    public void storeFailed() {
        storeFailures.increment();
    }

    /** Hits that should have been given back stay counted. */
    public void chargeKept() {
        chargesKept.increment();
    }

    /**
     * Rules were put in force.
     *
     * @param version the number of their set, from 1
     */
    public void rulesLoaded(long version) {
        rulesLoaded.increment();
        rulesVersion.set(version);
    }

    /** Rules were found wrong; those in force stay. */
    public void rulesRefused() {
        rulesRefused.increment();
    }

    /** Returns {@code name{tag=value}: number} for each meter, sorted. */
    public List<String> lines() {
        return registry.getMeters().stream().map(Statistics::line).sorted().toList();
    }

    private static String line(Meter meter) {
        String tags = meter.getId().getTags().stream()
                .map(tag -> tag.getKey() + "=" + tag.getValue())
                .collect(Collectors.joining(","));
        double value = 0;
        for (var measurement : meter.measure()) {
            if (measurement.getStatistic() == Statistic.COUNT || measurement.getStatistic() == Statistic.VALUE) {
                value = measurement.getValue();
            }
        }
        return meter.getId().getName() + (tags.isEmpty() ? "" : "{" + tags + "}") + ": "
                + new BigDecimal(value).toBigInteger();
    }
}
