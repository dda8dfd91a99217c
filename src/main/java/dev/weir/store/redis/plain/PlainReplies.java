package dev.weir.store.redis.plain;

import dev.weir.store.StoreException;
import dev.weir.store.redis.failure.FailureWords;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What Redis answers to the commands of a {@link PlainCall}, in their order: the time, and for each counter its count, where
 * it is begun after a reply that is passed over. Belongs to the thread of the connection until all are there.
 */
final class PlainReplies {
    private static final long REFUSED = Long.MIN_VALUE;
    private static final long UNKNOWN = REFUSED + 1;
    private static final int CLOCK = -1;

    /** What a node answers to TIME too while it runs a script for long. In any other trouble it tells the time. */
    private static final String BUSY = "BUSY ";

    private final long[] begins;
    private final long[] counts;
    private long now;
    private @Nullable StoreException broken;
    private @Nullable String unknown;
    private int next = CLOCK;
    private boolean isBeginRead;
    private boolean isRefused;
    private boolean isBusy;

    /**
     * Waits for the replies.
     *
     * @param begins of each counter other than zero if it is begun; empty if none is
     */
    PlainReplies(int counters, long[] begins) {
        this.counts = new long[counters];
        this.begins = begins;
    }

    /** Returns whether a counter is begun, where it does not stand there, before its hits are added. */
    boolean isBegun(int i) {
        return begins.length > 0 && begins[i] != 0;
    }

    /** Returns whether all were read. */
    boolean areAll() {
        return next == counts.length;
    }

    /** Reads the next reply, all of which is there. What became of a SET is told by the count after it. */
    void read(ByteBuf in) {
        byte kind = in.readByte();
        boolean isCount = next != CLOCK && (isBeginRead || !isBegun(next));
        try {
            if (next == CLOCK) {
                readTime(kind, in);
            } else if (isCount) {
                counts[next] = counted(kind, in);
            }
        } catch (NumberFormatException e) {
            broken = StoreException.ofAnswer(
                    "Redis does not say the " + (isCount ? "count: " : "time: ") + e.getMessage());
        }
        isBeginRead = !isCount && next != CLOCK;
        if (!isBeginRead) {
            next++;
        }
    }

    private void readTime(byte kind, ByteBuf in) {
        if (kind == '-') {
            String error = Resp.line(in);
            isBusy = error.startsWith(BUSY);
            broken = StoreException.ofAnswer("Redis failed: " + FailureWords.answered(error));
        } else {
            now = ServerClock.micros(kind, in);
        }
    }

    private long counted(byte kind, ByteBuf in) {
        if (kind == '-') {
            isRefused = true;
            String error = Resp.line(in);
            if (Refusals.isOfRedis(error)) {
                return REFUSED; // nothing was added
            }
            unknown = FailureWords.answered(error);
            return UNKNOWN;
        }
        if (kind != ':') {
            throw new NumberFormatException("no number");
        }
        return Resp.number(in);
    }

    /** Returns why they do not say what became of the hits, all of which Redis may have added; {@code null} if they do. */
    @Nullable
    StoreException broken() {
        return broken;
    }

    /** Returns whether the node was running a script, which says nothing of the short way. */
    boolean isBusy() {
        return isBusy;
    }

    /** Returns Redis's time in microseconds. */
    long now() {
        return now;
    }

    /** Returns whether the node that told the time is seen to keep the counters: that it refused none of them. */
    boolean isTimeOfCounters() {
        return counts.length > 0 && !isRefused;
    }

    /** Returns whether a count came. */
    boolean isCounted(int i) {
        return counts[i] > UNKNOWN;
    }

    /** Returns what a counter holds since its hits were added. */
    long count(int i) {
        return counts[i];
    }

    /** Returns why nobody knows whether the hits of a counter were added; {@code null} if they were not. */
    @Nullable
    StoreException unknown(int i) {
        return counts[i] == UNKNOWN ? StoreException.ofAnswer("Redis failed: " + unknown) : null;
    }
}
