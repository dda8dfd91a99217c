package dev.weir.decide;

import dev.weir.store.StoreException;

/**
 * The store could not answer, so nothing was decided; what it counted is unknown, unless it was {@link #isUnasked not asked}. The
 * message is for caller and operator.
 */
public final class UndecidedException extends RuntimeException {
    private final boolean isUnasked;

    UndecidedException(String message, StoreException cause) {
        super(message, cause, false, false);
        isUnasked = cause.isUnasked();
    }

    /** Returns whether no counter was asked, so that nothing was counted or forgotten. */
    public boolean isUnasked() {
        return isUnasked;
    }
}
