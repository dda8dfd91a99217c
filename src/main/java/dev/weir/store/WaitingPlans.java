package dev.weir.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The plans that wait in one queue, and the batches in which they leave it. */
public final class WaitingPlans {
    // Half of the seats are not taken in this time, and a look at all of them is some tenths of a millisecond.
    private static final long PAUSE_NANOS = 10_000_000;

    private final ToIntFunction<CounterKey> place;
    private final int places;
    private final WaitingRoom room;
    private final Queue<Queued> queue = new ConcurrentLinkedQueue<>();
    private volatile boolean groups;

    private long lookedNanos = System.nanoTime() - PAUSE_NANOS; // guarded by this

    /**
     * Creates an empty queue.
     *
     * @param place says where a counter lives, where that matters: 0 to {@code places} - 1
     * @param room that all queues of a store share
     */
    public WaitingPlans(ToIntFunction<CounterKey> place, int places, WaitingRoom room) {
        this.place = place;
        this.places = places;
        this.room = room;
    }

    /** Queues a plan. */
    public void add(Queued plan) {
        room.come();
        queue.add(plan);
    }

    /** Returns whether none waits. */
    public boolean isEmpty() {
        return queue.isEmpty();
    }

    /**
     * Takes from now on only counters of one place into a batch.
     *
     * @return whether that is new
     */
    public boolean groupByPlace() {
        boolean isNew = !groups;
        groups = true;
        return isNew;
    }

    /**
     * Takes those out for whom nobody waits any more, where seats are short: while all turns wait for a node that hangs, nobody
     * drains its queue, and the plans of other nodes shall find room. Looks at all, for one in front may have to be sent in any
     * case, and so only now and then.
     */
    public void makeRoom() {
        if (room.isHalfFull()) {
            dropOver();
        }
    }

    private synchronized void dropOver() {
        long now = System.nanoTime();
        if (now - lookedNanos < PAUSE_NANOS) {
            return;
        }
        lookedNanos = now;
        int dropped = 0;
        for (var plans = queue.iterator(); plans.hasNext(); ) {
            if (plans.next().isOver()) {
                plans.remove();
                dropped++;
            }
        }
        room.leave(dropped);
    }

    /**
     * Takes plans from the queue until one more could be too many: one batch, or one for each place where counters must share
     * it. Two turns do not drain at once, so that what is looked at is what is taken.
     *
     * @param scattered where plans are put whose checks depend on each other and do not share a place
     */
    public synchronized List<Batch> drain(List<Queued> scattered) {
        var parts = new @Nullable Batch[groups ? places : 1];
        int checks = 0;
        int taken = 0;
        for (Queued next = queue.peek(); next != null && fits(checks, next); next = queue.peek()) {
            queue.remove();
            taken++;
            if (!next.isOver()) {
                checks += add(next, parts, scattered);
            }
        }
        room.leave(taken);
        var batches = new ArrayList<Batch>(parts.length);
        for (Batch part : parts) {
            if (part != null) {
                batches.add(part);
            }
        }
        return batches;
    }

    /** A plan is not torn apart; one that is too large by itself goes alone. */
    private static boolean fits(int checks, Queued next) {
        return checks == 0 || checks + next.plan().checks().size() <= Batch.MAX_CHECKS;
    }

    /** Returns by how many different checks the batches have grown. */
    private int add(Queued pending, @Nullable Batch[] parts, List<Queued> scattered) {
        Plan plan = pending.plan();
        if (parts.length == 1) {
            Batch only = partOf(0, parts);
            int before = only.checks().size();
            only.add(plan, pending);
            return only.checks().size() - before;
        }
        if (!plan.isIndependent()) {
            return addTogether(pending, parts, scattered);
        }
        int grown = 0;
        for (int i = 0; i < plan.checks().size(); i++) {
            Check check = plan.checks().get(i);
            Batch part = partOf(place.applyAsInt(check.key()), parts);
            int before = part.checks().size();
            part.add(check, pending, i);
            grown += part.checks().size() - before;
        }
        return grown;
    }

    private int addTogether(Queued pending, @Nullable Batch[] parts, List<Queued> scattered) {
        Plan plan = pending.plan();
        if (!plan.isTogether(place)) {
            scattered.add(pending);
            return 0;
        }
        partOf(place.applyAsInt(plan.checks().getFirst().key()), parts).add(plan, pending);
        return plan.checks().size();
    }

    private static Batch partOf(int number, @Nullable Batch[] parts) {
        Batch part = parts[number];
        if (part == null) {
            part = new Batch();
            parts[number] = part;
        }
        return part;
    }
}
