package dev.weir.metrics;

import dev.weir.call.Refusal;
import dev.weir.decide.HitListener;
import dev.weir.handshake.HandshakeFailure;
import dev.weir.meter.Histogram;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What this process counts of itself. Every meter of Weir's own exists from the start, so that a zero is seen as a zero, and
 * none is made by a caller's words. The series of rules are made by what happens.
 *
 * <p>Safe for use by any thread; a count takes no lock.
 */
public final class Statistics {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    /** Finer than the Go service's from below, and all of its own among them. */
    private static final double[] SECONDS = {
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
    };

    private static final double[] MILLISECONDS = {
        0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000
    };

    private static final double[] CHECKS = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024};

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final Map<Ending, Counter> requests = new EnumMap<>(Ending.class);
    private final Map<Refusal, Counter> refusals = new EnumMap<>(Refusal.class);
    private final Map<HandshakeFailure.Kind, Counter> tlsFailures = new EnumMap<>(HandshakeFailure.Kind.class);
    private final Map<Rpc, Histogram> responseTimes = new EnumMap<>(Rpc.class);
    private final List<Map<Rpc, Samples>> samples = new CopyOnWriteArrayList<>();
    private final Histogram storeLatency = new Histogram(NANOS_PER_SECOND, SECONDS);
    private final Histogram batchSize = new Histogram(1, CHECKS);
    private final Counter batches = registry.counter(MeterNames.BATCHES);
    private final Counter checks = registry.counter(MeterNames.CHECKS);
    private final Counter checksMerged = registry.counter(MeterNames.CHECKS_MERGED);
    private final Counter checksRemembered = registry.counter(MeterNames.CHECKS_REMEMBERED);
    private final Counter storeFailures = registry.counter(MeterNames.STORE_FAILURES);
    private final Counter storeOverruns = registry.counter(MeterNames.STORE_OVERRUNS);
    private final Counter chargesKept = registry.counter(MeterNames.CHARGES_KEPT);
    private final Counter rulesLoaded = registry.counter(MeterNames.RULE_LOADS, MeterNames.OUTCOME, "ok");
    private final Counter rulesRefused = registry.counter(MeterNames.RULE_LOADS, MeterNames.OUTCOME, "failed");
    private final AtomicLong areRulesRefused = registry.gauge(MeterNames.RULES_REFUSED, new AtomicLong());
    private final AtomicLong rulesVersion = registry.gauge(MeterNames.RULES_VERSION, new AtomicLong());
    private final AtomicLong rulesDomains = registry.gauge(MeterNames.RULES_DOMAINS, new AtomicLong());
    private final AtomicLong rulesSize = registry.gauge(MeterNames.RULES_SIZE, new AtomicLong());
    private final SeriesBook series;
    private final HitCounts hits;
    private final RedisMemory redisMemory = new RedisMemory(System::nanoTime);
    private final Watched watched = new Watched(registry);

    /**
     * Creates every meter, at zero.
     *
     * @param options how to count
     */
    public Statistics(Options options) {
        for (Ending ending : Ending.values()) {
            requests.put(ending, registry.counter(MeterNames.REQUESTS, MeterNames.OUTCOME, ending.tag()));
        }
        for (Refusal why : Refusal.values()) {
            String reason = why.name().toLowerCase(Locale.ROOT);
            refusals.put(why, registry.counter(MeterNames.CALLS_REFUSED, MeterNames.REASON, reason));
        }
        for (HandshakeFailure.Kind kind : HandshakeFailure.Kind.values()) {
            String reason = kind.name().toLowerCase(Locale.ROOT);
            tlsFailures.put(kind, registry.counter(MeterNames.TLS_FAILURES, MeterNames.REASON, reason));
        }
        for (Rpc rpc : Rpc.values()) {
            responseTimes.put(
                    rpc,
                    options.isInMilliseconds()
                            ? new Histogram(NANOS_PER_MILLI, MILLISECONDS)
                            : new Histogram(NANOS_PER_SECOND, SECONDS));
        }
        series = new SeriesBook(options.maxSeries());
        hits = new HitCounts(
                series,
                options.nearRatio(),
                policy -> registry.counter(MeterNames.WITHOUT_STORE, MeterNames.POLICY, policy.word()));
        registry.more()
                .counter(MeterNames.UNMATCHED, Tags.of(MeterNames.REASON, "domain"), hits, HitCounts::withoutDomain);
        registry.more().counter(MeterNames.UNMATCHED, Tags.of(MeterNames.REASON, "rule"), hits, HitCounts::withoutRule);
        registry.gauge(MeterNames.SERIES_MADE, series, SeriesBook::made);
        registry.more().counter(MeterNames.SERIES_FOLDED, List.of(), series, SeriesBook::folded);
    }

    /**
     * How to count.
     *
     * @param nearRatio the share of a limit from which on hits are near it, 0 or more
     * @param maxSeries how many series callers may make by their values
     * @param isInMilliseconds whether response times are shown in milliseconds, not in seconds
     */
    public record Options(float nearRatio, int maxSeries, boolean isInMilliseconds) {}

    /** Returns who counts hits, rule by rule. */
    public HitListener hits() {
        return hits;
    }

    /** From now on this tells which Weir runs, and on which Java. */
    public void runs(String version, String java) {
        registry.gauge(MeterNames.BUILD, Tags.of("version", version, "java", java), this, _ -> 1);
    }

    /** From now on this tells whether the store can be reached, and how many replicas share it, as far as that is counted. */
    public void watchStore(BooleanSupplier reachable, IntSupplier sharing) {
        watched.store(reachable, sharing);
    }

    /**
     * From now on this tells of callers' connections.
     *
     * @param open how many there are
     * @param refused how many were too many so far
     * @param sentAway how many had to go for another one so far
     */
    public void watchConnections(IntSupplier open, LongSupplier refused, LongSupplier sentAway) {
        watched.connections(open, refused, sentAway);
    }

    /**
     * A call of gRPC was answered.
     *
     * @param nanos how long that took
     */
    public void answered(Rpc rpc, long nanos) {
        responseTime(rpc).record(nanos);
        for (int i = 0; i < samples.size(); i++) { // an iterator for each call would be garbage
            Objects.requireNonNull(samples.get(i).get(rpc)).offer(nanos);
        }
    }

    /** A request was answered. */
    public void answered(Ending ending) {
        counter(ending).increment();
    }

    /** A call was refused before anybody looked at its message. */
    public void refused(Refusal why) {
        Objects.requireNonNull(refusals.get(why)).increment();
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
        batchSize.record(checkCount);
    }

    /**
     * A batch was answered by the store.
     *
     * @param nanos how long that took
     */
    public void storeAnswered(long nanos) {
        storeLatency.record(nanos);
    }

    /** So many checks were refused from memory; the store was not asked. */
    public void remembered(int checkCount) {
        checksRemembered.increment(checkCount);
    }

    /** A batch was not answered. */
    public void storeFailed() {
        storeFailures.increment();
    }

    /** Too many answers of the store came too late for some time. */
    public void storeOverrun() {
        storeOverruns.increment();
    }

    /** Hits that should have been given back stay counted. */
    public void chargeKept() {
        chargesKept.increment();
    }

    /** Returns who is told what each Redis says of its memory. */
    public RedisMemory redisMemory() {
        return redisMemory;
    }

    /**
     * Rules were put in force.
     *
     * @param version the number of their set, from 1
     * @param domains how many domains it has
     * @param rules how many rules it has
     */
    public void rulesLoaded(long version, int domains, int rules) {
        rulesLoaded.increment();
        areRulesRefused.set(0);
        rulesVersion.set(version);
        rulesDomains.set(domains);
        rulesSize.set(rules);
    }

    /** Rules were found wrong; those in force stay. */
    public void rulesRefused() {
        rulesRefused.increment();
        areRulesRefused.set(1);
    }

    /** From now on this tells whether there is a stream on which a control plane has spoken. */
    public void watchControlPlane(BooleanSupplier connected) {
        watched.controlPlane(connected);
    }

    /** A caller got no connection because of TLS. */
    public void refusedByTls(HandshakeFailure.Kind kind) {
        Objects.requireNonNull(tlsFailures.get(kind)).increment();
    }

    /**
     * From now on this tells when a certificate expires.
     *
     * @param which one, in a word
     */
    public void watchCertificate(String which, Supplier<Instant> expiry) {
        watched.certificate(which, expiry);
    }

    /** From now on some response times are kept as they are, for one who wants no histogram; returns them. */
    Map<Rpc, Samples> keepSamples() {
        var kept = new EnumMap<Rpc, Samples>(Rpc.class);
        for (Rpc rpc : Rpc.values()) {
            kept.put(rpc, new Samples());
        }
        samples.add(kept);
        return kept;
    }

    MeterRegistry registry() {
        return registry;
    }

    SeriesBook series() {
        return series;
    }

    HitCounts hitCounts() {
        return hits;
    }

    long calls(Rpc rpc) {
        return responseTime(rpc).count();
    }

    Histogram responseTime(Rpc rpc) {
        return Objects.requireNonNull(responseTimes.get(rpc));
    }

    Histogram storeLatency() {
        return storeLatency;
    }

    Histogram batchSize() {
        return batchSize;
    }

    long loads(boolean isGood) {
        return (long) (isGood ? rulesLoaded : rulesRefused).count();
    }

    long requests(Ending ending) {
        return (long) counter(ending).count();
    }

    private Counter counter(Ending ending) {
        return Objects.requireNonNull(requests.get(ending));
    }
}
