package dev.weir.call;

import org.jspecify.annotations.Nullable;

/** Answers the calls of a method. */
@FunctionalInterface
public interface Calls {
    /**
     * Begins a call. Comes on the thread of the connection, and must neither block nor throw.
     *
     * @param head what the caller said before the first message
     * @param replies takes the answer, on any thread
     */
    Call begin(Head head, Replies replies);

    /**
     * Returns how large a message may be.
     *
     * @param most bytes that the port takes at most
     */
    default int maxBytes(int most) {
        return most;
    }

    /**
     * Returns how large a message may be that comes packed, when it is unpacked: nobody had to send so much.
     *
     * @param most bytes that the port takes at most
     */
    default int maxUnpackedBytes(int most) {
        return maxBytes(most);
    }

    /**
     * Returns what a call ends with that is turned away before it begins, in place of {@link Call#turnAway}.
     *
     * @return null if every call has to begin
     */
    default @Nullable Outcome turnedAwayWith() {
        return null;
    }

    /** Says that a call was turned away before it began: it was told {@link #turnedAwayWith}. */
    default void turnedAway() {
        throw new IllegalStateException("every call has to begin");
    }
}
