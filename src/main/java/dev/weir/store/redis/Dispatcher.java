package dev.weir.store.redis;

import dev.weir.store.Batch;
import dev.weir.store.Check;
import dev.weir.store.Merged;
import dev.weir.store.Plan;
import dev.weir.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sends plans to Redis in natural batches.
 *
 * <p>Redis takes one call with many checks far more cheaply than many calls, and so does everything on the way. While the
 * allowed number of batches is under way, plans queue; each reply sends the next batch with all that has come meanwhile.
 * There is no timer: under low load a plan leaves at once, under high load batches grow by themselves.
 */
final class Dispatcher {
    private final RedisLink link;
    private final HashTags tags;
    private final int maxInFlight;
    private final RedisListener listener;
    private final Queue<PendingPlan> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile boolean groupsByTag;

    Dispatcher(RedisLink link, HashTags tags, int maxInFlight, RedisListener listener) {
        this.link = link;
        this.tags = tags;
        this.maxInFlight = maxInFlight;
        this.listener = listener;
    }

    /** Queues a plan and sends what can be sent. */
    void submit(PendingPlan plan) {
        queue.add(plan);
        sendWhilePossible();
    }

    /**
     * A place among those under way is taken before the queue is looked at and given back if there was nothing to send;
     * whoever queues looks for a place afterwards. So a plan that comes in between is seen by one of the two.
     */
    private void sendWhilePossible() {
        while (!queue.isEmpty() && takePlace()) {
            List<Batch> batches = drain();
            if (batches.isEmpty()) {
                inFlight.decrementAndGet();
            } else {
                send(batches);
            }
        }
    }

    private boolean takePlace() {
        int taken = inFlight.get();
        while (taken < maxInFlight) {
            if (inFlight.compareAndSet(taken, taken + 1)) {
                return true;
            }
            taken = inFlight.get();
        }
        return false;
    }

    /** Takes plans from the queue until a batch is full: one batch, or one for each tag where keys must share a tag. */
    private List<Batch> drain() {
        boolean grouped = groupsByTag;
        var batches = new Batch[grouped ? tags.count() : 1];
        int checks = 0;
        while (checks < Batch.MAX_CHECKS) {
            PendingPlan pending = queue.poll();
            if (pending == null) {
                break;
            }
            if (pending.isOver()) {
                continue;
            }
            Plan plan = pending.plan();
            for (int i = 0; i < plan.checks().size(); i++) {
                Check check = plan.checks().get(i);
                int place = grouped ? tags.tagOf(check.key()) : 0;
                if (batches[place] == null) {
                    batches[place] = new Batch();
                }
                int before = batches[place].checks().size();
                batches[place].add(check, pending, i);
                checks += batches[place].checks().size() - before;
            }
        }
        var filled = new ArrayList<Batch>(batches.length);
        for (Batch batch : batches) {
            if (batch != null) {
                filled.add(batch);
            }
        }
        return filled;
    }

    /** Sends batches that share a place: one call each, and the place is free when the last is answered. */
    private void send(List<Batch> batches) {
        var unanswered = new AtomicInteger(batches.size());
        for (Batch batch : batches) {
            listener.sent(batch.size(), batch.size() - batch.checks().size());
            call(batch, unanswered);
        }
    }

    private void call(Batch batch, AtomicInteger unanswered) {
        CompletableFuture<byte[]> reply;
        try {
            reply = ask(batch);
        } catch (RuntimeException defect) {
            // Whatever it is, the place must be free again and nobody may wait in vain.
            reply = CompletableFuture.failedFuture(defect);
        }
        var _ = reply.whenComplete((bytes, failure) -> {
            if (failure != null && RedisLink.isCrossSlot(failure) && !sharesTag(batch)) {
                regroup(batch, unanswered);
                return;
            }
            if (unanswered.decrementAndGet() == 0) {
                inFlight.decrementAndGet();
                // Before the answers are written, so that Redis works while they are.
                sendWhilePossible();
            }
            answer(batch, bytes, failure);
        });
    }

    private CompletableFuture<byte[]> ask(Batch batch) {
        List<Merged> checks = batch.checks();
        var keys = new ArrayList<Object>(checks.size());
        for (Merged merged : checks) {
            keys.add(tags.redisKey(merged.check().key()));
        }
        String slotKey = tags.tag(tags.tagOf(checks.getFirst().check().key()));
        return link.call(slotKey, keys, Wire.pack(checks));
    }

    private void answer(Batch batch, byte[] reply, @Nullable Throwable failure) {
        if (failure != null) {
            batch.fail(link.told(failure));
            return;
        }
        try {
            Wire.unpack(reply, batch.checks());
            batch.answer();
        } catch (StoreException unreadable) {
            batch.fail(unreadable);
        }
    }

    private boolean sharesTag(Batch batch) {
        int first = tags.tagOf(batch.checks().getFirst().check().key());
        return batch.checks().stream()
                .allMatch(merged -> tags.tagOf(merged.check().key()) == first);
    }

    /** Redis refused the call as a whole because it has cluster rules: nothing ran, and each tag gets a call of its own. */
    private void regroup(Batch batch, AtomicInteger unanswered) {
        if (!groupsByTag) {
            groupsByTag = true;
            listener.groupingByTag();
        }
        List<Batch> parts = batch.splitBy(tags::tagOf, tags.count());
        unanswered.addAndGet(parts.size() - 1);
        for (Batch part : parts) {
            call(part, unanswered);
        }
    }
}
