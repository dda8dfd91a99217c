package dev.weir.store.memory;

import dev.weir.store.StoreException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** How many counters a store holds and how much memory they take, within bounds. Safe for use by any thread. */
final class Holdings implements Segment.Forgotten {
    // Cell, lock, array, and places in the table or in the tree, measured with compact headers, and rounded up.
    private static final long BYTES_BESIDE_KEY = 120;

    // By this part of the bound counters that exist may pass it.
    private static final int SHARE_TO_GROW = 16;

    private final int maxCounters;
    private final long maxBytes;
    private final AtomicInteger counters = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /**
     * Creates bounds within which nothing is held yet.
     *
     * @param maxCounters at least 1
     * @param maxBytes about, and a sixteenth more where counters that exist grow
     */
    Holdings(int maxCounters, long maxBytes) {
        if (maxCounters < 1) {
            throw new IllegalArgumentException("a store needs room for a counter, not for " + maxCounters);
        }
        this.maxCounters = maxCounters;
        this.maxBytes = maxBytes;
    }

    /**
     * Takes the room that a plan needs. Before anything is counted, so that racing plans together never pass the bounds and none
     * counts half.
     *
     * @throws StoreException if there is none; then nothing is taken
     */
    void take(List<Trial.Draft> drafts) {
        int more = 0;
        long moreBytes = 0;
        for (Trial.Draft draft : drafts) {
            Counter before = draft.before();
            Counter after = draft.after();
            more += (after == null ? 0 : 1) - (before == null ? 0 : 1);
            int length = draft.key.bytes().length;
            moreBytes += bytesOf(length, after) - bytesOf(length, before);
        }
        if (more == 0 && moreBytes == 0) {
            return;
        }
        boolean isTooMany = counters.addAndGet(more) > maxCounters && more > 0;
        long beyond = bytes.addAndGet(moreBytes) - maxBytes;
        boolean isTooMuch = beyond > (more > 0 ? 0 : maxBytes / SHARE_TO_GROW) && moreBytes > 0;
        if (isTooMany || isTooMuch) {
            counters.addAndGet(-more);
            bytes.addAndGet(-moreBytes);
            throw StoreException.ofUnasked("the memory store is full: it holds " + counters + " counters"
                    + (isTooMany ? " (MEMORY_MAX_COUNTERS)" : ", which is half of the heap (WEIR_HEAP)")
                    + ", and none was found that may be forgotten");
        }
    }

    @Override
    public void became(int keyLength, Counter before, @Nullable Counter after) {
        if (after == null) {
            counters.decrementAndGet();
        }
        bytes.addAndGet(bytesOf(keyLength, after) - bytesOf(keyLength, before));
    }

    private static long bytesOf(int keyLength, @Nullable Counter counter) {
        return counter == null ? 0 : keyLength + BYTES_BESIDE_KEY + counter.bytes();
    }

    /** Returns how many counters there are. */
    int counters() {
        return counters.get();
    }
}
