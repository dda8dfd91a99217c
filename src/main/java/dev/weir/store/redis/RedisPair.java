package dev.weir.store.redis;

import dev.weir.loop.EventLoops;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Shelf;
import dev.weir.store.Store;
import dev.weir.store.StoreBusyException;
import dev.weir.store.Turnstile;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * Two Redis: one for the counters of limits whose window is one second, which come and go fast, and one for all others.
 *
 * <p>A counter is always in the same one, for its window is part of its key. A plan with counters in both is decided as one
 * whose counters are in several places ({@link ScatteredPlan}).
 */
public final class RedisPair implements Store {
    private final RedisStore first;
    private final RedisStore perSecond;
    private final int tags;
    private final EventLoops loops;
    private final RedisListener listener;

    /** One for each thread, where those who have none share the first. */
    private final List<Turnstile<PendingPlan>> turnstiles;

    private RedisPair(RedisStore first, RedisStore perSecond, int tags, EventLoops loops, RedisListener listener) {
        this.first = first;
        this.perSecond = perSecond;
        this.tags = tags;
        this.loops = loops;
        this.listener = listener;
        this.turnstiles = Stream.generate(() -> new Turnstile<>(this::begin, listener::overrun, System::nanoTime))
                .limit(loops.count())
                .toList();
    }

    /**
     * Returns a store that begins to connect to both.
     *
     * @param first has as many hash tags as the other: a counter has the same place in both
     * @param perSecond of the limits whose window is one second
     * @param loops for the connections of both; they outlive the store
     */
    public static RedisPair start(
            RedisOptions first, RedisOptions perSecond, EventLoops loops, RedisListener listener) {
        if (first.hashTags() != perSecond.hashTags()) {
            throw new IllegalArgumentException(
                    "two Redis with %d and %d hash tags".formatted(first.hashTags(), perSecond.hashTags()));
        }
        return new RedisPair(
                RedisStore.start(first, loops, listener, "the Redis of all other limits"),
                RedisStore.start(perSecond, loops, listener, "the Redis of limits per second"),
                first.hashTags(),
                loops,
                listener);
    }

    /** Returns the shelf, of the Redis of all other limits. */
    public Shelf shelf() {
        return first.shelf();
    }

    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        List<Check> checks = plan.checks();
        boolean isPerSecond = isPerSecond(checks.getFirst());
        for (int i = 1; i < checks.size(); i++) {
            if (isPerSecond(checks.get(i)) != isPerSecond) {
                return scatter(plan);
            }
        }
        return storeOf(checks.getFirst()).decide(plan);
    }

    private CompletableFuture<List<Reading>> scatter(Plan plan) {
        if (first.isFull() || perSecond.isFull()) {
            return CompletableFuture.failedFuture(new StoreBusyException());
        }
        var whole = PendingPlan.inSteps(plan);
        turnstiles.get(Math.max(0, loops.current())).enter(whole);
        return whole.answer();
    }

    private void begin(PendingPlan whole, Turnstile<PendingPlan>.Visit visit) {
        whole.visit(visit);
        ScatteredPlan.decide(
                whole,
                this::placeOf,
                part -> storeOf(part.plan().checks().getFirst()).submit(part),
                listener::chargeKept);
    }

    @Override
    public CompletionStage<Boolean> forget(Check check) {
        return storeOf(check).forget(check);
    }

    private int placeOf(Check check) {
        return isPerSecond(check) ? tags + perSecond.placeOf(check) : first.placeOf(check);
    }

    private RedisStore storeOf(Check check) {
        return isPerSecond(check) ? perSecond : first;
    }

    private static boolean isPerSecond(Check check) {
        return check.limit().quota().windowSeconds() == 1;
    }

    @Override
    public int parts() {
        return first.parts() + perSecond.parts();
    }

    @Override
    public int partOf(Check check) {
        return isPerSecond(check) ? first.parts() + perSecond.partOf(check) : first.partOf(check);
    }

    @Override
    public boolean hasAnsweredSince(int part, long nanos) {
        return part < first.parts()
                ? first.hasAnsweredSince(part, nanos)
                : perSecond.hasAnsweredSince(part - first.parts(), nanos);
    }

    @Override
    public CompletionStage<Void> firstReached() {
        return CompletableFuture.allOf(
                first.firstReached().toCompletableFuture(),
                perSecond.firstReached().toCompletableFuture());
    }

    @Override
    public boolean isReachable() {
        return first.isReachable() && perSecond.isReachable();
    }

    /** Both at the same time: each may have to wait. */
    @Override
    public void close() {
        Thread end = RedisStore.ending(perSecond::close);
        try {
            first.close();
        } finally {
            RedisStore.awaitEnds(List.of(end), RedisStore.PATIENCE_WITH_ENDS);
        }
    }
}
