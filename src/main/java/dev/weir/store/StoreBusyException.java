package dev.weir.store;

/** More waits for the store than it can answer in time, so it was not asked: nothing was counted. */
public final class StoreBusyException extends RuntimeException {

    /** Creates the failure. */
    public StoreBusyException() {
        // There are many in little time, so there is no stack trace to fill in.
        super("more waits for the store than it can answer in time", null, false, false);
    }
}
