package dev.weir.store.redis;

import dev.weir.loop.EventLoops;
import dev.weir.store.Batch;
import dev.weir.store.Merged;
import dev.weir.store.Queued;
import dev.weir.store.RoundTrip;
import dev.weir.store.StoreException;
import dev.weir.store.WaitingPlans;
import dev.weir.store.WaitingRoom;
import dev.weir.store.redis.failure.FailureWords;
import dev.weir.store.redis.plain.ShortWay;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends plans to Redis in natural batches.
 *
 * <p>Redis takes one call with many checks far more cheaply than many calls, and so does everything on the way. While the
 * allowed number of batches is under way, plans queue; each reply sends the next batch with all that has come meanwhile.
 * There is no timer: under low load a plan leaves at once, under high load batches grow by themselves. "At once" is when the
 * thread that brought it has read what else is there, so that the requests of one round leave together.
 */
final class Dispatcher {
    /** How a batch is asked: sent at that nanosecond, and each of its checks answered, or left for the script. */
    private interface Way {
        CompletableFuture<Void> ask(Batch batch, long sent);
    }

    private final RedisLink link;
    private final HashTags tags;
    private final int maxInFlight;
    private final RedisListener listener;
    private final WaitingPlans waiting;
    private final EventLoops loops;
    private final ShortWay shortWay;
    private final RoundTrip trip = new RoundTrip(System.nanoTime());
    private final @Nullable Consumer<Queued> forScript;
    private final AtomicBoolean isSendingDue = new AtomicBoolean();
    private final AtomicBoolean isSending = new AtomicBoolean();
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile long heardNanos = System.nanoTime();
    private final Way add = this::add;
    private final Way decide = this::decide;

    /**
     * Creates a queue.
     *
     * @param shortWay knows the clock of its node
     * @param forScript of a queue for a node of a cluster, whose counters are in any of its slots: takes what needs the script,
     *     which the node runs for one slot at a time; null if the queue calls it itself
     */
    Dispatcher(
            RedisLink link,
            HashTags tags,
            int maxInFlight,
            RedisListener listener,
            WaitingRoom room,
            EventLoops loops,
            ShortWay shortWay,
            @Nullable Consumer<Queued> forScript) {
        this.link = link;
        this.tags = tags;
        this.maxInFlight = maxInFlight;
        this.listener = listener;
        this.waiting = new WaitingPlans(tags::tagOf, tags.count(), room);
        this.loops = loops;
        this.shortWay = shortWay;
        this.forScript = forScript;
    }

    /**
     * Queues a plan, and sends what can be sent at the end of the round. Where no turn is free, whoever gives one back looks
     * at the queue afterwards.
     */
    void submit(Queued plan) {
        waiting.add(plan);
        if (isTurnFree()) {
            if (!isSendingDue.get() && isSendingDue.compareAndSet(false, true)) {
                sendAfterRound();
            }
        } else {
            waiting.makeRoom();
        }
    }

    /** Returns whether a batch was answered since that nanosecond. */
    boolean hasAnsweredSince(long nanos) {
        return heardNanos - nanos > 0;
    }

    /** Returns whether Redis was seen to refuse what is not in one hash tag. */
    boolean groupsByTag() {
        return waiting.groups();
    }

    /** Takes from now on only counters of one hash tag into a call: Redis was seen to refuse others. */
    void groupByTag() {
        if (waiting.groupByPlace()) {
            listener.groupingByTag();
        }
    }

    /** What cannot be done now is not due: the next plan has it done. */
    private void sendAfterRound() {
        try {
            loops.afterRound(this::sendDue);
        } catch (Throwable thrown) {
            isSendingDue.set(false);
            throw thrown;
        }
    }

    private void sendDue() {
        isSendingDue.set(false);
        sendWhilePossible();
    }

    /**
     * One at a time sends. Whoever queues a plan or gives a turn back meanwhile leaves it to that one, who looks again afterwards. So
     * does a batch that fails within its sending, as all do before Redis is reached: if each sent the next from where it failed, a
     * burst of them would be one on the other on the stack, and the turns of those that did not fit would never come back.
     */
    private void sendWhilePossible() {
        while (canSend() && isSending.compareAndSet(false, true)) {
            try {
                sendNext();
            } finally {
                isSending.set(false);
            }
        }
    }

    private boolean canSend() {
        return !waiting.isEmpty() && isTurnFree();
    }

    private boolean isTurnFree() {
        return inFlight.get() < waiting.turns(maxInFlight);
    }

    private void sendNext() {
        if (!canSend()) {
            return; // another was quicker
        }
        var scattered = new ArrayList<Queued>(0);
        List<Batch> batches = waiting.drain(scattered);
        if (!batches.isEmpty()) {
            send(batches);
        }
        scattered.forEach(Queued::scattered);
    }

    /** Takes a turn for batches that share it: one call each, and the turn is over when the last is answered. */
    private void send(List<Batch> batches) {
        var unanswered = new AtomicInteger(batches.size());
        inFlight.incrementAndGet();
        for (int i = 0; i < batches.size(); i++) { // indexed: nothing may be thrown here that ends no turn
            try {
                call(batches.get(i), unanswered);
            } catch (Throwable _) {
                // Told or, where there is no memory to tell it, over: the others are still to be sent.
            }
        }
    }

    /** Whatever it throws, its part of the turn ends by itself, once: this holds for all that is called here. */
    private void call(Batch batch, AtomicInteger unanswered) {
        long now = System.nanoTime();
        Batch plain;
        try {
            plain = shortWay.take(batch, now);
        } catch (Throwable defect) {
            giveUp(batch, null, unanswered, defect);
            return;
        }
        if (plain == null) {
            callScript(batch, unanswered, now);
            return;
        }
        try {
            if (plain != batch) {
                unanswered.incrementAndGet();
                callScript(batch, unanswered, now); // first: the script takes longer
            }
        } finally {
            call(plain, unanswered, add, now);
        }
    }

    private void callScript(Batch batch, AtomicInteger unanswered, long now) {
        if (forScript == null) {
            call(batch, unanswered, decide, now);
            return;
        }
        try {
            batch.handOn(forScript);
        } catch (Throwable defect) {
            giveUp(batch, null, unanswered, defect);
            return;
        }
        endCall(unanswered);
    }

    private void call(Batch batch, AtomicInteger unanswered, Way way, long sent) {
        try {
            var _ = way.ask(batch, sent).whenComplete((_, failure) -> hear(batch, unanswered, failure, sent));
        } catch (Throwable defect) { // of asking: what hear throws is kept by the stage that whenComplete returns
            hear(batch, unanswered, defect, sent);
        }
    }

    private void hear(Batch batch, AtomicInteger unanswered, @Nullable Throwable failure, long sent) {
        long nanos = System.nanoTime() - sent;
        List<Batch> parts;
        StoreException told;
        Batch rest = null;
        try {
            parts = failure == null ? null : partsOf(batch, failure);
            told = failure == null ? null : link.told(failure);
            rest = failure == null ? batch.takeUnanswered() : null;
            // Before the next is sent. One that does not answer, or lets nobody in, has not too much to do.
            boolean isHeard = told == null || (told.isAnswer() && !told.isShutOut());
            if (parts == null && isHeard && waiting.learn(batch, nanos, sent + nanos)) {
                listener.overrun();
            }
        } catch (Throwable defect) {
            giveUp(batch, rest, unanswered, defect);
            return;
        }
        if (parts != null) {
            sendInParts(parts, unanswered);
            return;
        }
        try {
            // Before the answers are written, so that Redis works while they are.
            if (rest == null) {
                endCall(unanswered);
            } else {
                callScript(rest, unanswered, sent + nanos);
            }
        } finally {
            answer(batch, told, nanos);
        }
    }

    /** Whatever goes wrong, the turn ends and nobody waits in vain: memory may be full, and free again later. */
    private void giveUp(Batch batch, @Nullable Batch rest, AtomicInteger unanswered, Throwable defect) {
        try {
            batch.fail(link.told(defect));
            if (rest != null) {
                rest.fail(link.told(defect));
            }
        } finally {
            endCall(unanswered);
        }
    }

    /**
     * Returns the parts in which a batch may be answered where Redis has refused it as a whole, because it has cluster rules, or because a
     * slot is moving and its keys are on two nodes: nothing ran then. Null for any other failure.
     */
    private @Nullable List<Batch> partsOf(Batch batch, Throwable failure) {
        if (FailureWords.isCrossSlot(failure) && !tags.areTogether(batch.checks())) {
            groupByTag();
            return batch.splitBy(tags::tagOf, tags.count());
        }
        return FailureWords.isTryAgain(failure) && batch.isSplittable() ? batch.splitByCounter() : null;
    }

    private void endCall(AtomicInteger unanswered) {
        if (unanswered.decrementAndGet() == 0) {
            inFlight.decrementAndGet();
            sendWhilePossible();
        }
    }

    /** The short way, for hits that need only be added. */
    private CompletableFuture<Void> add(Batch batch, long sent) {
        return link.add(slotKey(batch), batch.checks(), tags, shortWay).thenAccept(call -> call.answer(shortWay));
    }

    /** The long way, for all else: the script. */
    private CompletableFuture<Void> decide(Batch batch, long sent) {
        List<Merged> checks = batch.checks();
        return link.call(slotKey(batch), Wire.keys(checks, tags), Wire.pack(checks), !batch.isSplittable())
                .thenAccept(bytes -> Wire.unpack(bytes, checks, shortWay, sent));
    }

    private String slotKey(Batch batch) {
        return tags.tag(tags.tagOf(batch.checks().getFirst().check()));
    }

    private void answer(Batch batch, @Nullable StoreException failure, long nanos) {
        listener.sent(batch.size(), batch.size() - batch.checks().size());
        if (failure == null) {
            long now = System.nanoTime();
            heardNanos = now;
            listener.answered(nanos, withItsTurn(trip.took(nanos, now)));
            batch.answer();
        } else {
            listener.unanswered();
            batch.fail(failure);
        }
    }

    /** Whoever comes while all turns are taken waits for one, and they come back one after the other. */
    private long withItsTurn(long tripNanos) {
        return tripNanos + tripNanos / maxInFlight;
    }

    /** Each part gets a call of the script. */
    private void sendInParts(List<Batch> parts, AtomicInteger unanswered) {
        // The call itself counts as one of them until all are sent: the turn does not end between two, and does if
        // there are none.
        unanswered.addAndGet(parts.size());
        for (int i = 0; i < parts.size(); i++) {
            try {
                call(parts.get(i), unanswered, decide, System.nanoTime());
            } catch (Throwable _) { // as above
            }
        }
        endCall(unanswered);
    }
}
