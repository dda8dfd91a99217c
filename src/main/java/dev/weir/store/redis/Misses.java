package dev.weir.store.redis;

import dev.weir.store.StoreException;
import dev.weir.store.redis.failure.FailureWords;
import org.jspecify.annotations.Nullable;

/** The hits of one counter of the {@link Pulse} that were missed in a row, and why. Belongs to the thread of the pulse. */
final class Misses {
    private static final int UNTIL_LOST = 2;

    /** So often in a row another reason must be given than the one that holds: two may take turns. */
    private static final int UNTIL_ANOTHER_REASON = 5;

    private int count;
    private int ofReplica; // in a row
    private boolean areSilent;
    private @Nullable String reason;
    private @Nullable String otherReason;
    private int ofOther; // in a row

    boolean areNone() {
        return count == 0;
    }

    /** Returns whether the last one had no answer of Redis. */
    boolean areSilent() {
        return areSilent;
    }

    /** Returns whether it is time to look for a master: now and then only, for it may stay a replica. */
    boolean areOfAReplica(int beatsUntilAnew) {
        return ofReplica % beatsUntilAnew == UNTIL_LOST;
    }

    /** Returns whether there are so many that Redis is lost to this counter. */
    boolean areALoss() {
        return reason != null;
    }

    /** Returns why Redis is lost. */
    String reason() {
        return String.valueOf(reason);
    }

    /** Notes a hit. */
    void end() {
        count = 0;
        ofReplica = 0;
        areSilent = false;
        reason = null;
        ofOther = 0;
    }

    /**
     * Notes a miss. One is a hiccup of either side; before the first answer there is nothing to mistake it for.
     *
     * @param wasReached whether Redis has ever answered
     */
    void miss(StoreException failure, boolean wasReached) {
        count++;
        ofReplica = FailureWords.isReadOnly(failure) ? ofReplica + 1 : 0;
        areSilent = !failure.isAnswer();
        String now = String.valueOf(failure.getMessage());
        if (reason == null) {
            reason = count >= UNTIL_LOST || !wasReached ? now : null;
        } else if (now.equals(reason)) {
            ofOther = 0;
        } else {
            other(now);
        }
    }

    private void other(String now) {
        ofOther = now.equals(otherReason) ? ofOther + 1 : 1;
        otherReason = now;
        if (ofOther == UNTIL_ANOTHER_REASON) {
            reason = now;
            ofOther = 0;
        }
    }
}
