package dev.weir.limit;

import java.util.Arrays;

/**
 * The admitted hits of one window, oldest first: for each entry its instant and the sum of all hits up to it.
 *
 * <p>Sums, not single weights: then what lies in a window, what must leave it and what a refund takes are each found by
 * binary search, in Redis too.
 *
 * <p>Logs are immutable, but share their arrays as slices of a growing one do: who was appended to first goes on in the same
 * arrays, anybody else copies. So an append costs no copy of the log, and a log that is dropped costs nothing.
 */
final class SlidingLog implements State {
    /** Nothing was admitted. Without room, so that who appends to it gets arrays of their own. */
    static final SlidingLog EMPTY = new SlidingLog(new Entries(0), 0, 0, 0);

    private static final long BYTES_OF_ENTRY = 16;

    private final Entries shared;
    private final int from;
    private final int to;
    private final long sumBefore;

    private SlidingLog(Entries shared, int from, int to, long sumBefore) {
        this.shared = shared;
        this.from = from;
        this.to = to;
        this.sumBefore = sumBefore;
    }

    boolean isEmpty() {
        return from == to;
    }

    long hits() {
        return isEmpty() ? 0 : shared.sums[to - 1] - sumBefore;
    }

    /** Returns the instant of the newest entry of a log that is not empty. */
    long newest() {
        return shared.instants[to - 1];
    }

    /** Returns the log without the entries up to and including an instant. */
    SlidingLog after(long instant) {
        int first = from;
        int end = to;
        while (first < end) {
            int middle = (first + end) >>> 1;
            if (shared.instants[middle] <= instant) {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        return first == from ? this : new SlidingLog(shared, first, to, shared.sums[first - 1]);
    }

    /** Returns the instant of the entry with which the oldest {@code hits} of the log's end. */
    long instantOf(long hits) {
        return shared.instants[indexOf(sumBefore + hits)];
    }

    /** Returns the index of the first entry whose sum is at least this. */
    private int indexOf(long sum) {
        int first = from;
        int end = to;
        while (first < end) {
            int middle = (first + end) >>> 1;
            if (shared.sums[middle] < sum) {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        return first;
    }

    /** Returns the log with one more entry, not older than its newest. */
    SlidingLog with(long instant, long hits) {
        long sum = sumBefore + hits() + hits;
        if (to == shared.used && to < shared.instants.length) {
            shared.append(instant, sum);
            return new SlidingLog(shared, from, to + 1, sumBefore);
        }
        var own = shared.copyOf(from, to);
        own.append(instant, sum);
        return new SlidingLog(own, 0, to - from + 1, sumBefore);
    }

    /** Returns the log without its newest {@code hits}, less than it holds in all. */
    private SlidingLog withoutNewest(long hits) {
        long sum = sumBefore + hits() - hits;
        int last = indexOf(sum);
        boolean isWhole = shared.sums[last] == sum;
        var rest = new SlidingLog(shared, from, isWhole ? last + 1 : last, sumBefore);
        return isWhole ? rest : rest.with(shared.instants[last], sum - sumBefore - rest.hits());
    }

    /** Returns the log without its newest {@code hits}, or as many as there are. */
    SlidingLog without(long hits) {
        return hits == 0 ? this : hits >= hits() ? EMPTY : withoutNewest(hits);
    }

    /** Returns the log without {@code hits} of those counted at one instant, or as many as there are. */
    SlidingLog without(long hits, long instant) {
        SlidingLog later = after(instant);
        SlidingLog here = new SlidingLog(shared, from, later.from, sumBefore);
        SlidingLog before = here.upTo(instant - 1);
        SlidingLog log = here.without(Math.min(hits, here.hits() - before.hits()));
        for (int i = later.from; i < to; i++) {
            long own = shared.sums[i] - (i == later.from ? later.sumBefore : shared.sums[i - 1]);
            log = log.with(shared.instants[i], own);
        }
        return log;
    }

    private SlidingLog upTo(long instant) {
        return new SlidingLog(shared, from, after(instant).from, sumBefore);
    }

    @Override
    public long bytes() {
        return 88 + BYTES_OF_ENTRY * shared.instants.length;
    }

    /** Two arrays of equal length and how much of them is taken. Grown by whoever owns their end. */
    private static final class Entries {
        final long[] instants;
        final long[] sums;
        int used;

        Entries(int length) {
            this(new long[length], new long[length], 0);
        }

        private Entries(long[] instants, long[] sums, int used) {
            this.instants = instants;
            this.sums = sums;
            this.used = used;
        }

        /** Room for half as many entries again, and what was before the first is gone. */
        Entries copyOf(int from, int to) {
            int size = to - from;
            int length = size + Math.max(4, size / 2);
            return new Entries(
                    Arrays.copyOfRange(instants, from, from + length),
                    Arrays.copyOfRange(sums, from, from + length),
                    size);
        }

        void append(long instant, long sum) {
            instants[used] = instant;
            sums[used] = sum;
            used++;
        }
    }
}
