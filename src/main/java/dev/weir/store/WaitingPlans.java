package dev.weir.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The plans that wait in one queue, and the batches in which they leave it.
 *
 * <p>Those that came first leave first, as many as a batch holds. When more come than the store can take, that ends badly: whoever
 * is next has waited for nearly as long as he may, his answer comes too late, so does that of the one behind him, and the store
 * works for nobody. So when for some time most of each batch came too late, the store is overrun, and for two seconds
 *
 * <ul>
 *   <li>the newest leave first. Those who are passed stand until their time is up, or fewer come. Nobody passes what is urgent;
 *   <li>one batch is under way at a time, for what is sent behind it waits for it;
 *   <li>a batch of which much comes too late was too large: the next ones are smaller, and grow again while little does.
 * </ul>
 *
 * <p>A store that stands still for a moment is not overrun: its late answers come all at once
 * ({@code docs/decisions/0038-the-newest-first.md}).
 */
public final class WaitingPlans {
    // Half of the seats are not taken in this time, and a look at all of them is some tenths of a millisecond.
    private static final long PAUSE_NANOS = 10_000_000;

    /** So many batches in a row, for longer than a moment: what a store that stood still had under way is answered at once. */
    private static final int LATE_BATCHES = 5;

    private static final long MOMENT_NANOS = 30_000_000;

    /** Callers who wait for less than that are late by their own fault, and must not slow the others down. */
    private static final long SHORT_NANOS = 2_000_000;

    private static final long OVERRUN_NANOS = 2_000_000_000;

    // By what part batches shrink of which most came too late, or more than an eighth, and grow when fewer did.
    private static final int HALF = 2;
    private static final int EIGHTH = 8;
    private static final int SIXTEENTH = 16;
    private static final int LEAST_CHECKS = 8;

    private final ToIntFunction<CounterKey> place;
    private final int places;
    private final WaitingRoom room;
    private final Queue<Queued> queue = new ConcurrentLinkedQueue<>();
    private volatile boolean isStanding;
    private volatile boolean isOverrun;
    private volatile int mostChecks = Batch.MAX_CHECKS; // of a batch
    private volatile boolean groups;

    // Of the threads on which the store answers, mostly one: what two take from each other is no more than a moment.
    private int lateInARow; // batches of which most came too late
    private long sinceNanos; // they have come, or the store is overrun, since then

    // Guarded by this: those who were passed, the newest last, and what nobody passes. Each gets a node before he is
    // put in: an ArrayDeque that cannot grow, as the heap is full, loses all that it holds.
    private final Deque<Queued> standing = new ConcurrentLinkedDeque<>();
    private final Deque<Queued> urgent = new ConcurrentLinkedDeque<>();
    private long lookedNanos = System.nanoTime() - PAUSE_NANOS;

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
        queue.add(plan);
        room.come(); // not before: where there is no room for the plan, it has no seat
    }

    /** Returns whether none waits. */
    public boolean isEmpty() {
        return queue.isEmpty() && !isStanding;
    }

    /** Returns how many of the turns to send a batch may be taken now. */
    public int turns(int all) {
        return isOverrun ? Math.min(1, all) : all;
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

    /** Returns whether {@link #groupByPlace} was called. */
    public boolean groups() {
        return groups;
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
        room.leave(dropOver(standing));
        isStanding = areAnyStanding();
        room.leave(dropOver(queue));
    }

    private static int dropOver(Collection<Queued> plans) {
        var dropped = new int[1];
        plans.removeIf(plan -> {
            boolean isOver = plan.isOver();
            dropped[0] += isOver ? 1 : 0;
            return isOver;
        });
        return dropped[0];
    }

    private boolean areAnyStanding() {
        return !standing.isEmpty() || !urgent.isEmpty();
    }

    /**
     * Takes plans from the queue until one more could be too many: one batch, or one for each place where counters must share
     * it. Two turns do not drain at once, so that what is looked at is what is taken.
     *
     * @param scattered where plans are put whose checks depend on each other and do not share a place
     */
    public synchronized List<Batch> drain(List<Queued> scattered) {
        var parts = new @Nullable Batch[groups ? places : 1];
        boolean areNewestFirst = isOverrun;
        int taken = 0;
        int checks = 0;
        try {
            if (areNewestFirst) {
                stand();
            }
            for (Queued next = next(); next != null && fits(checks, next); next = next()) {
                removeNext();
                taken++;
                if (!next.isOver()) {
                    checks += add(next, parts, scattered);
                }
            }
        } finally {
            isStanding = areAnyStanding();
            room.leave(taken);
        }
        var batches = new ArrayList<Batch>(parts.length);
        for (Batch part : parts) {
            if (part != null) {
                part.newest = areNewestFirst ? checks : 0;
                batches.add(part);
            }
        }
        return batches;
    }

    /**
     * Lets all stand that came, so that the newest leave first; those in front that are over stand no more. Whoever does not stand
     * yet when it is broken off is still in the queue.
     */
    private void stand() {
        for (Queued next = queue.peek(); next != null; next = queue.peek()) {
            (next.isUrgent() ? urgent : standing).addLast(next);
            queue.remove();
        }
        for (Queued first = standing.peekFirst(); first != null && first.isOver(); first = standing.peekFirst()) {
            standing.removeFirst();
            room.leave(1);
        }
    }

    private @Nullable Queued next() {
        if (!urgent.isEmpty()) {
            return urgent.peekFirst();
        }
        return standing.isEmpty() ? queue.peek() : standing.peekLast();
    }

    private void removeNext() {
        if (!urgent.isEmpty()) {
            urgent.removeFirst();
        } else if (!standing.isEmpty()) {
            standing.removeLast();
        } else {
            queue.remove();
        }
    }

    /** A plan is not torn apart; one that is too large by itself goes alone. */
    private boolean fits(int checks, Queued next) {
        return checks == 0 || checks + next.plan().checks().size() <= mostChecks;
    }

    /**
     * Learns from a batch that has ended and is not handed out yet whether the store is overrun, and how large the next batches
     * may be.
     *
     * @param nanos how long it took
     * @param nowNanos by a monotonic clock
     * @return whether the store is overrun as of now
     */
    public boolean learn(Batch ended, long nanos, long nowNanos) {
        if (ended.size() == 0) {
            return false; // all of it goes on to another call
        }
        int late = nanos < SHORT_NANOS ? 0 : ended.countOver();
        boolean isLate = HALF * late > ended.size();
        boolean wasOverrun = isOverrun;
        lateInARow = isLate ? lateInARow + 1 : 0;
        if (isOverrun && nowNanos - sinceNanos >= OVERRUN_NANOS) {
            isOverrun = false;
            lateInARow = 0;
        } else if (!isOverrun && lateInARow <= 1) {
            sinceNanos = nowNanos;
        } else if (!isOverrun && lateInARow >= LATE_BATCHES && nowNanos - sinceNanos >= MOMENT_NANOS) {
            isOverrun = true;
            sinceNanos = nowNanos;
        }
        if (EIGHTH * late > ended.size()) {
            shrink(ended.newest, isLate ? HALF : EIGHTH);
        } else if (mostChecks < Batch.MAX_CHECKS && !isEmpty()) {
            mostChecks = Math.min(Batch.MAX_CHECKS, mostChecks + Math.ceilDiv(mostChecks, SIXTEENTH));
        }
        return isOverrun && !wasOverrun;
    }

    /** Once for all batches that left together. Of a few checks their number is not what takes the time. */
    private void shrink(int checks, int part) {
        if (checks > LEAST_CHECKS) {
            int fewer = checks - Math.ceilDiv(checks, part);
            mostChecks = Math.min(mostChecks, Math.max(LEAST_CHECKS, fewer));
        }
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
