package dev.weir.call;

/**
 * The way back to a caller, from any thread. What comes after the end, whoever brought that about, is dropped: a caller that
 * left is nobody's error.
 */
public interface Replies {
    /** Ends the call with its only message. The bytes must not change any more. */
    void answer(byte[] message);

    /**
     * Sends one of several messages.
     *
     * @param written is run on the thread of the connection when the message is on its way, and another one may follow
     */
    void send(byte[] message, Runnable written);

    /** Ends the call. */
    void close(Outcome outcome);

    /** Says that the call takes messages again, after {@link Call#isReady()} said that it does not. */
    void ready();
}
