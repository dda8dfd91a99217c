package dev.weir;

import dev.weir.call.Patience;
import dev.weir.call.Refusal;
import dev.weir.decide.DecisionListener;
import dev.weir.decide.HitListener;
import dev.weir.decide.UndecidedException;
import dev.weir.grpc.CallListener;
import dev.weir.metrics.Ending;
import dev.weir.metrics.Rpc;
import dev.weir.metrics.Statistics;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import dev.weir.rules.watch.RulesListener;
import dev.weir.socket.Seldom;
import dev.weir.store.MeanTrip;
import dev.weir.store.StoreException;
import dev.weir.store.layer.OverLimitListener;
import dev.weir.store.redis.RedisListener;
import dev.weir.words.Counted;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Writes what happens in the rooms into the log and the statistics, and wakes the health. */
final class Events implements DecisionListener, CallListener, RedisListener, OverLimitListener, RulesListener {
    private static final Logger LOG = LoggerFactory.getLogger("weir");
    private static final Duration BETWEEN_FAILURES = Duration.ofSeconds(10);

    private final Statistics statistics;
    private final Logger requestLog;
    private final Runnable stateChanged;
    private final AtomicBoolean isGroupingTold = new AtomicBoolean();
    private final Evictions evictions = new Evictions(LOG);
    private final Seldom failures = new Seldom(BETWEEN_FAILURES);
    private final Seldom policies = new Seldom(BETWEEN_FAILURES);
    private final Seldom overruns = new Seldom(BETWEEN_FAILURES);
    private final MeanTrip trip = new MeanTrip();
    private volatile boolean isWarmingUp;

    /**
     * Creates the listener.
     *
     * @param stateChanged is run when rules came into force or were refused, or the store was lost or found
     * @param requestLog is told what happens to requests
     */
    Events(Statistics statistics, Runnable stateChanged, Logger requestLog) {
        this.statistics = statistics;
        this.requestLog = requestLog;
        this.stateChanged = stateChanged;
    }

    /** While the service warms up, nearly all that goes to the store is its own: nothing of that is counted. */
    void warmingUp(boolean isUnderWay) {
        isWarmingUp = isUnderWay;
    }

    /** Returns how long the way to Redis and back takes by itself, as {@link Patience} has it; 0 while that is not known. */
    long tripNanos() {
        return trip.nanos();
    }

    @Override
    public HitListener hits() {
        return statistics.hits();
    }

    @Override
    public void shouldRateLimit(long nanos) {
        statistics.answered(Rpc.SHOULD_RATE_LIMIT, nanos);
    }

    @Override
    public void healthCheck(long nanos) {
        statistics.answered(Rpc.HEALTH_CHECK, nanos);
    }

    @Override
    public void refused(Refusal why) {
        statistics.refused(why);
    }

    @Override
    public void decided(Request request, Verdict verdict) {
        statistics.answered(verdict.isOver() ? Ending.OVER_LIMIT : Ending.OK);
    }

    @Override
    public void refused(InvalidRequestException mistake) {
        statistics.answered(Ending.INVALID);
        requestLog.debug("refused: {}", mistake.getMessage());
    }

    @Override
    public void withoutRules() {
        statistics.answered(Ending.NO_RULES);
    }

    @Override
    public void turnedAway() {
        statistics.answered(Ending.SHED);
    }

    @Override
    public void failed() {
        statistics.answered(Ending.DEFECT);
    }

    @Override
    public void abandoned() {
        statistics.answered(Ending.DEADLINE);
    }

    /** An outage fails every request: the log gets the first failure and then one line in ten seconds. */
    @Override
    public void undecided(UndecidedException failure) {
        statistics.answered(Ending.STORE_FAILURE);
        failures.tell(untold -> requestLog.warn(
                "requests are answered with an error: {} (since the last such line: {})",
                failure.getMessage(),
                untold));
    }

    @Override
    public void decidedWithoutStore(StoreException failure) {
        policies.tell(untold -> requestLog.warn(
                "requests are answered as on_store_failure says: {} (since the last such line: {})",
                failure.getMessage(),
                untold));
    }

    @Override
    public void sent(int checks, int merged) {
        if (!isWarmingUp) {
            statistics.sent(checks, merged);
        }
    }

    @Override
    public void remembered(int checks) {
        if (!isWarmingUp) {
            statistics.remembered(checks);
        }
    }

    @Override
    public void answered(long nanos, long tripNanos) {
        trip.to(tripNanos);
        if (!isWarmingUp) {
            statistics.storeAnswered(nanos);
        }
    }

    @Override
    public void unanswered() {
        if (!isWarmingUp) {
            statistics.storeFailed();
        }
    }

    @Override
    public void overrun() {
        if (!isWarmingUp) {
            statistics.storeOverrun();
            overruns.tell(untold -> LOG.warn(
                    "more is asked of Redis than it takes: too many of its answers came too late, and the newest requests go"
                            + " first (since the last such line: {})",
                    untold));
        }
    }

    @Override
    public void chargeKept() {
        if (!isWarmingUp) {
            statistics.chargeKept();
        }
    }

    @Override
    public void reached(String redis) {
        LOG.info("{} answers", redis);
        stateChanged.run();
    }

    @Override
    public void lost(String reason) {
        LOG.warn("{}; trying again every second", reason);
        stateChanged.run();
    }

    @Override
    public void groupingByTag() {
        if (isGroupingTold.compareAndSet(false, true)) { // each thread finds it out
            LOG.info("Redis has cluster rules: from now on each hash tag gets a call of its own");
        }
    }

    @Override
    public void shortWayClosed(String reason) {
        LOG.warn("hits cannot go the short way to Redis, and cost it more: {}", reason);
    }

    @Override
    public void memory(Memory memory) {
        long newlyEvicted = statistics
                .redisMemory()
                .told(
                        memory.node(),
                        memory.run(),
                        memory.usedBytes(),
                        memory.maxBytes(),
                        memory.evicts(),
                        memory.evictedKeys());
        evictions.heard(memory, newlyEvicted);
    }

    @Override
    public void memoryUnknown(String reason) {
        LOG.info("the metrics will not show the memory of Redis, which does not tell it: {}", reason);
    }

    @Override
    public void loaded(Loaded loaded) {
        statistics.rulesLoaded(loaded.version(), loaded.domains(), loaded.rules());
        boolean isEmpty = loaded.domains() == 0;
        LOG.atLevel(isEmpty ? Level.WARN : Level.INFO)
                .log(
                        "rules in force: {} of {} from {} (version {}){}",
                        Counted.of(loaded.rules(), "rule"),
                        Counted.of(loaded.domains(), "domain"),
                        loaded.origin(),
                        loaded.version(),
                        isEmpty ? ": without a domain every request passes" : "");
        loaded.remarks().forEach(LOG::warn);
        stateChanged.run();
    }

    @Override
    public void failed(Failed failed) {
        statistics.rulesRefused();
        for (String mistake : failed.mistakes()) {
            LOG.error("{}", mistake);
        }
        LOG.error(
                failed.versionInForce() == 0
                        ? "the rules were not loaded, and there are none in force: every request is answered with an error"
                        : "the rules were not loaded; those of version " + failed.versionInForce() + " stay in force");
        stateChanged.run();
    }

    @Override
    public void passedOver(String reason) {
        LOG.warn("{}", reason);
    }
}
