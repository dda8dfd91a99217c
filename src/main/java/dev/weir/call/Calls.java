package dev.weir.call;

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
}
