package dev.weir.store.redis;

import dev.weir.loop.EventLoops;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.redis.RedisOptions.Topology;
import dev.weir.store.redis.plain.PlainCall;
import dev.weir.store.redis.plain.ShortWay;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * One thread's connections to Redis, and the queues before them. What a thread has read it sends itself, and it reads the
 * reply itself: a decision that changes threads pays for waking them up, which costs more than all else it needs
 * (docs/performance.md).
 *
 * <p>In a cluster there is a queue for each node: that of the first hash tag that lives there. A node that is slow or gone
 * then holds up the plans of its own counters only; in one queue its batches would soon take all turns.
 */
final class Line {
    private final RedisLink link;
    private final HashTags tags;
    private final RedisListener listener;
    private final ShortWay shortWay;
    private final Dispatcher[] queues;

    /** For each hash tag the number of its queue. */
    private volatile int[] queueOfTag;

    Line(
            RedisLink link,
            RedisOptions options,
            HashTags tags,
            RedisListener listener,
            WaitingRoom waiting,
            EventLoops loops,
            ShortWay shortWay) {
        this.link = link;
        this.tags = tags;
        this.listener = listener;
        this.shortWay = shortWay;
        int count = options.topology() instanceof Topology.Cluster ? tags.count() : 1;
        this.queues = Stream.generate(() ->
                        new Dispatcher(link, tags, options.inFlight(), listener, waiting, loops, shortWay, count > 1))
                .limit(count)
                .toArray(Dispatcher[]::new);
        this.queueOfTag = new int[tags.count()];
        lookAtNodes();
    }

    RedisLink link() {
        return link;
    }

    /** Sends a plain call that counts nothing; in a cluster the number says to which hash tag. */
    CompletableFuture<PlainCall> plainCall(int number) {
        return link.add(tags.tag(number % tags.count()), List.of(), tags, shortWay);
    }

    /**
     * Looks which hash tags live on one node. Where that has changed and was not seen yet, Redis sends to the right node
     * what came to the wrong one.
     */
    void lookAtNodes() {
        if (queues.length > 1) {
            queueOfTag = link.firstOnNode(tags);
        }
    }

    private int queueOf(CounterKey key) {
        return queueOfTag[tags.tagOf(key)];
    }

    /** Queues a plan, in parts where its counters cannot go together. */
    CompletableFuture<List<Reading>> decide(Plan plan) {
        var pending = new PendingPlan(plan, this::scatter);
        if (queues.length == 1 || plan.isTogether(plan.isIndependent() ? this::queueOf : tags::tagOf)) {
            submit(pending);
        } else {
            scatter(pending);
        }
        return pending.answer();
    }

    /** Queues a plan whose counters are all in one hash tag, or on one node if its checks are independent. */
    void submit(Dispatcher.Queued plan) {
        queues[queueOf(plan.plan().checks().getFirst().key())].submit(plan);
    }

    private void scatter(PendingPlan whole) {
        ScatteredPlan.decide(whole, tags::tagOf, this::submit, listener::chargeKept);
    }
}
