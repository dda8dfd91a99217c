package dev.weir.call;

/** A call under way. Everything comes on the thread of its connection; nothing here may block or throw. */
public interface Call {
    /** Takes a message of the caller; the bytes are the callee's now. */
    void message(byte[] bytes);

    /** Says that no further message comes. */
    void halfClose();

    /** Returns whether the call may be ended by {@link #turnAway} in place of {@link #halfClose}: a {@link Gate} minds it then. */
    default boolean isGated() {
        return false;
    }

    /** Returns whether nothing is held of what it was given when {@link #halfClose} returns, or {@link #turnAway}. */
    default boolean keepsNothing() {
        return isGated();
    }

    /** Says, in place of {@link #halfClose}, that more calls came than can be answered in time: this one ends at once. */
    default void turnAway() {
        throw new IllegalStateException("not a gated call");
    }

    /** Says that nobody waits for the answer any more: the caller gave up, left, or its deadline passed. */
    void cancel();

    /**
     * Says, in place of any other end, that the caller sent what is no message, or one that is too large. It was told so.
     *
     * @param told what the call ended with
     */
    default void broken(Outcome told) {
        cancel();
    }

    /** Returns whether more messages may come now; if not, the caller is held back until {@link Replies#ready()}. */
    default boolean isReady() {
        return true;
    }
}
