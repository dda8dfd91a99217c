package dev.weir.limit;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts hits in a window that moves with the clock, cut into equal parts. Mirrored by sliding_window.lua for one part (two
 * counters) and by sliding_parts.lua for more.
 *
 * <p>A window of {@code parts} parts lies over {@code parts + 1} parts of the clock: the newest is the current one, and of
 * the oldest only a piece is still in view. Its hits are taken to have come evenly, so that piece's share of them counts,
 * rounded up; all others count whole.
 *
 * <pre>
 *     used = newer parts + ceil(oldest * (partMicros - position) / partMicros)
 * </pre>
 *
 * <p>With one part: 86 hits in the last minute, 12 in this, at 15 s: 12 + 86 * 45/60 = 76.5, so of a limit of 100 a minute
 * 23 are left. What it costs in exactness: hits that came late in the oldest part are forgotten early, by at most one part.
 * A stretch as long as the window less one part never holds more than the limit, and none as long as the window more than
 * twice of it, which takes a client that knows the clock and was silent before.
 */
final class SlidingWindowModel implements Model {
    // Refused hits may count, so counts can pass the limit; as in fixed windows they end here.
    private static final long MAX_COUNT = (1L << 43) - 1;

    private final @Nullable State before;
    private long limit;
    private final long windowMicros;
    private final long partMicros;
    private final long now;
    private final long at;
    private final long part;
    private final long[] counts; // the oldest part first
    private boolean isChanged;

    SlidingWindowModel(@Nullable State before, Quota quota, int parts, long now) {
        this.before = before;
        this.limit = quota.hits();
        this.windowMicros = quota.windowMicros();
        this.partMicros = windowMicros / parts;
        this.now = now;
        long clock = Math.floorDiv(now, partMicros);
        if (before instanceof Parts held && held.part <= clock + parts) {
            this.part = Math.max(clock, held.part);
            this.counts = held.seenFrom(part);
        } else {
            this.part = clock;
            this.counts = new long[parts + 1];
        }
        this.at = Math.max(now, part * partMicros);
    }

    private int newest() {
        return counts.length - 1;
    }

    private long used() {
        long whole = 0;
        for (int i = 1; i < counts.length; i++) {
            whole += counts[i];
        }
        return whole + Exact.quotientUp(partMicros - position(), counts[0], partMicros);
    }

    private long position() {
        return at - part * partMicros;
    }

    @Override
    public void under(Limit other) {
        limit = other.quota().hits();
    }

    @Override
    public long left() {
        return Math.max(0, limit - used());
    }

    @Override
    public boolean isOver() {
        return used() > limit;
    }

    @Override
    public void take(long hits) {
        counts[newest()] = Math.min(MAX_COUNT, counts[newest()] + hits);
        isChanged = true;
    }

    @Override
    public void give(long hits) {
        long rest = hits;
        for (int i = newest(); i >= 0 && rest > 0; i--) {
            rest -= giveIn(i, rest);
        }
    }

    @Override
    public void giveBack(long hits, long chargedAt) {
        long index = newest() - (part - Math.floorDiv(chargedAt, partMicros));
        if (index >= 0 && index <= newest()) {
            giveIn((int) index, hits);
        }
    }

    private long giveIn(int index, long hits) {
        long given = Math.min(counts[index], hits);
        counts[index] -= given;
        isChanged |= given > 0;
        return given;
    }

    @Override
    public long at() {
        return at;
    }

    @Override
    public long resetMicros() {
        for (int i = newest(); i >= 0; i--) {
            if (counts[i] > 0) {
                return (part - newest() + i + counts.length) * partMicros - now;
            }
        }
        return 0;
    }

    /**
     * Part after part leaves the window; the check fits in the first step in which the parts in full view leave room, as
     * soon as enough of the oldest has moved out.
     */
    @Override
    public long retryMicros(long hits) {
        if (hits > limit) {
            return Math.max(resetMicros(), isEmpty() ? windowMicros : 0);
        }
        long room = limit - hits;
        long whole = 0;
        for (int i = 1; i < counts.length; i++) {
            whole += counts[i];
        }
        int oldest = 0;
        while (whole > room) { // ends: after all parts nothing is whole
            oldest++;
            whole -= counts[oldest];
        }
        long most = room - whole;
        long count = counts[oldest];
        long moved = count <= most ? 0 : Exact.quotientUp(partMicros, count - most, count);
        return Math.max(0, oldest * partMicros + moved - position()) + at - now;
    }

    private boolean isEmpty() {
        return Arrays.stream(counts).allMatch(count -> count == 0);
    }

    /** The newest part with a hit in it becomes the newest of all: what was given back leaves no trace. */
    @Override
    public @Nullable State state() {
        if (!isChanged) {
            return before;
        }
        for (int i = newest(); i >= 0; i--) {
            if (counts[i] > 0) {
                int gone = newest() - i;
                var held = new long[counts.length];
                System.arraycopy(counts, 0, held, gone, counts.length - gone);
                return new Parts(part - gone, held);
            }
        }
        return null;
    }

    /** What a counter in a sliding window holds: counts by part, the newest of them with at least one hit. */
    static final class Parts implements State {
        private final long part;
        private final long[] counts;

        private Parts(long part, long[] counts) {
            this.part = part;
            this.counts = counts;
        }

        /** Returns the counts as they lie in a window that ends with the given part, not before this state's own. */
        private long[] seenFrom(long newest) {
            var seen = new long[counts.length];
            long moved = newest - part;
            if (moved < counts.length) {
                System.arraycopy(counts, (int) moved, seen, 0, counts.length - (int) moved);
            }
            return seen;
        }

        @Override
        public long bytes() {
            return 40 + 8L * counts.length;
        }
    }
}
