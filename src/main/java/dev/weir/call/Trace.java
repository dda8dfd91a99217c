package dev.weir.call;

/**
 * Is told of the steps of one call, for whoever follows calls from service to service. Nothing here may block or throw.
 *
 * <p>Nearly every call has {@link #NONE}, which costs nothing.
 */
public interface Trace {
    /** Listens to nothing. */
    Trace NONE = new Trace() {};

    /**
     * The request was read; until {@link #handedOver} this thread works on it and on nothing else.
     *
     * @param domain of the request
     * @param descriptors how many it has
     */
    default void asked(String domain, int descriptors) {}

    /** The request waits for its answer, or has it; this thread turns to something else. */
    default void handedOver() {}

    /** The request is decided. */
    default void decided(boolean isOver) {}

    /** The call ended, however that came about: the last step, and the only one that always comes. */
    default void ended(Outcome outcome) {}
}
