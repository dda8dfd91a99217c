package dev.weir.store.redis;

import dev.weir.loop.EventLoops;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Queued;
import dev.weir.store.Reading;
import dev.weir.store.Turnstile;
import dev.weir.store.WaitingRoom;
import dev.weir.store.redis.RedisOptions.Topology;
import dev.weir.store.redis.failure.FailureWords;
import dev.weir.store.redis.plain.Owed;
import dev.weir.store.redis.plain.Owed.Debt;
import dev.weir.store.redis.plain.PlainCall;
import dev.weir.store.redis.plain.ShortWay;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * One thread's connections to Redis, and the queues before them. What a thread has read it sends itself, and it reads the
 * reply itself: a decision that changes threads pays for waking them up (docs/decisions/0012).
 *
 * <p>In a cluster there is a queue for each node, for hits that need only be added, and one for each hash tag, for what goes
 * by the script, which takes one slot at a time. A node that is slow or gone, or a slot that moves, then holds up the plans
 * of its own counters only; in one queue its batches would soon take all turns.
 */
final class Line {
    /**
     * Calls in a beat. Where a call takes counters of one hash tag only, a sixteenth of all tags if that is more: every tag then
     * has its turn within sixteen beats.
     */
    private static final int MOST_SETTLING = 16;

    private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final RedisLink link;
    private final HashTags tags;
    private final RedisListener listener;
    private final Dispatcher[] queues;
    private final ShortWay[] shortWays;

    /** In a cluster, for each hash tag a queue; a node uses the one of the first tag that it keeps. Empty elsewhere. */
    private final Dispatcher[] nodeQueues;

    private volatile int[] firstOnNode = {0};

    private final Turnstile<PendingPlan> turnstile;

    /**
     * Creates a line.
     *
     * @param shortWays one for each queue by the script: for each hash tag of a cluster, else one; all lines share them
     */
    Line(
            RedisLink link,
            RedisOptions options,
            HashTags tags,
            RedisListener listener,
            WaitingRoom waiting,
            EventLoops loops,
            ShortWay[] shortWays) {
        this.link = link;
        this.tags = tags;
        this.listener = listener;
        this.shortWays = shortWays;
        boolean isCluster = options.topology() instanceof Topology.Cluster;
        int count = shortWays.length;
        Dispatcher[] ofTags = new Dispatcher[count];
        this.nodeQueues = new Dispatcher[isCluster ? count : 0];
        for (int i = 0; i < count; i++) {
            ShortWay own = shortWays[i];
            ofTags[i] = new Dispatcher(link, tags, options.inFlight(), listener, waiting, loops, own, null);
            if (isCluster) {
                Consumer<Queued> forScript = part -> ofTags[tagOf(part.plan())].submit(part);
                nodeQueues[i] =
                        new Dispatcher(link, tags, options.inFlight(), listener, waiting, loops, own, forScript);
            }
        }
        this.queues = ofTags;
        this.turnstile = new Turnstile<>(this::begin, listener::overrun, System::nanoTime);
        lookAtNodes();
    }

    RedisLink link() {
        return link;
    }

    /** Sends a plain call that counts nothing, the short way of that number. */
    CompletableFuture<PlainCall> plainCall(int number) {
        return link.add(tags.tag(number), List.of(), tags, shortWays[number]);
    }

    /** Looks counters up that may have been left without an expiry. */
    void settle() {
        int most = takesAllTags() ? MOST_SETTLING : Math.max(MOST_SETTLING, tags.count() / MOST_SETTLING);
        owed().take(placeInCalls(), most, System.nanoTime()).forEach(this::settle);
    }

    /** Does the same with all of them at once, at the end. */
    void settleAll() {
        owed().takeAll(placeInCalls(), System.nanoTime()).forEach(this::settle);
    }

    private Owed owed() {
        return shortWays[0].owed();
    }

    private ToIntFunction<Check> placeInCalls() {
        return takesAllTags() ? _ -> 0 : tags::tagOf;
    }

    /**
     * Looks up counters that one call takes. A look that is answered late may have run before the hits that left them without an
     * expiry; they then stay owed.
     */
    private void settle(List<Debt> some) {
        long begun = System.nanoTime();
        List<Check> checks = some.stream().map(Debt::check).toList();
        List<Object> keys =
                checks.stream().<Object>map(check -> tags.redisKey(check.key())).toList();
        var _ = link.call(tags.tag(tags.tagOf(checks.getFirst())), keys, Wire.packPlainLooks(checks), false)
                .whenComplete((reply, failure) -> {
                    if (failure != null && FailureWords.isCrossSlot(failure)) {
                        queues[0].groupByTag();
                    } else if (failure == null && System.nanoTime() - begun <= SOON_NANOS) {
                        IntStream.range(0, some.size())
                                .filter(i -> Wire.isSeen(reply, i))
                                .mapToObj(some::get)
                                .forEach(owed()::settle);
                    }
                });
    }

    /** Returns where the short way of that number leads to, for what is told. */
    String placeOf(int number) {
        return link.nodeOf(tags.tag(number));
    }

    /** Returns for each short way the number of the first one to the same node, as it was looked at last. */
    int[] firstOnNode() {
        return firstOnNode.clone();
    }

    /**
     * Looks which hash tags live on one node. Where that has changed and was not seen yet, Redis sends to the right node
     * what came to the wrong one.
     */
    void lookAtNodes() {
        if (nodeQueues.length > 0) {
            int[] first = link.firstOnNode(tags);
            long now = System.nanoTime();
            for (int i = 0; i < first.length; i++) {
                shortWays[first[i]].learnClock(shortWays[i]); // nothing may ever be asked of the first tag itself
                shortWays[i].openAs(shortWays[first[i]], now); // only that one is probed
            }
            firstOnNode = first;
        }
    }

    /** Returns whether Redis, or the node that keeps this hash tag, has answered since that nanosecond. */
    boolean hasAnsweredSince(int tag, long nanos) {
        return queues[tag].hasAnsweredSince(nanos)
                || (nodeQueues.length > 0 && nodeQueues[firstOnNode[tag]].hasAnsweredSince(nanos));
    }

    /** Returns whether one call takes counters of any hash tags, as far as is known. */
    boolean takesAllTags() {
        return queues.length == 1 && !queues[0].groupsByTag();
    }

    /** Queues a plan, in parts where its counters cannot go together. */
    CompletableFuture<List<Reading>> decide(Plan plan) {
        return decide(plan, new PendingPlan(plan, turnstile::enter));
    }

    /** Does the same with a plan that lets nobody go before it who came later. */
    CompletableFuture<List<Reading>> decideUrgently(Plan plan) {
        return decide(plan, PendingPlan.urgent(plan, turnstile::enter));
    }

    /**
     * Deletes a counter and then its lock, and returns whether one of them was there. In this order, for a counter that is full would lock
     * itself again.
     */
    CompletableFuture<Boolean> forget(CounterKey counter) {
        String slotKey = tags.tag(tags.tagOf(counter));
        byte[] key = tags.redisKey(counter);
        return link.delete(slotKey, key)
                .thenCompose(
                        was -> link.delete(slotKey, HashTags.lockKey(key)).thenApply(wasLocked -> was || wasLocked))
                .exceptionally(failure -> {
                    throw link.told(failure);
                });
    }

    private CompletableFuture<List<Reading>> decide(Plan plan, PendingPlan pending) {
        boolean isPlain = canGoPlain(plan);
        if (queues.length == 1 || plan.isTogether(isPlain ? this::nodeOf : tags::tagOf)) {
            submit(pending, isPlain);
        } else {
            turnstile.enter(pending);
        }
        return pending.answer();
    }

    /** Queues a plan whose counters are all in one place ({@link RedisStore#placeOf}): in a cluster, one hash tag. */
    void submit(Queued queued) {
        submit(queued, canGoPlain(queued.plan()));
    }

    private void submit(Queued queued, boolean isPlain) {
        int tag = tagOf(queued.plan());
        if (isPlain) {
            nodeQueues[firstOnNode[tag]].submit(queued);
        } else {
            queues[queues.length == 1 ? 0 : tag].submit(queued);
        }
    }

    private int tagOf(Plan plan) {
        return tags.tagOf(plan.checks().getFirst());
    }

    /**
     * Returns whether there are nodes, and all that a plan does is to add hits where the short way is open: then one node will do
     * for one hash tag. Not if it asks for a counter twice: where that has to go on to the script, the second could come there
     * first.
     */
    private boolean canGoPlain(Plan plan) {
        boolean isPlain = nodeQueues.length > 0;
        List<Check> checks = plan.checks();
        for (int i = 0; isPlain && i < checks.size(); i++) { // indexed: an iterator for each request would be garbage
            Check check = checks.get(i);
            isPlain = check.isPlain() && shortWays[nodeOf(check.key())].isOpen();
        }
        return isPlain && !plan.repeats();
    }

    private int nodeOf(CounterKey key) {
        return firstOnNode[tags.tagOf(key)];
    }

    private void begin(PendingPlan whole, Turnstile<PendingPlan>.Visit visit) {
        whole.visit(visit);
        ScatteredPlan.decide(whole, tags::tagOf, this::submit, listener::chargeKept);
    }
}
