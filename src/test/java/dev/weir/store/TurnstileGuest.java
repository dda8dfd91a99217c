package dev.weir.store;

/** A plan of which only matters whether it waits: there is no store. */
abstract class TurnstileGuest implements Queued {
    @Override
    public final Plan plan() {
        throw new AssertionError("nobody looks at it here");
    }

    @Override
    public final boolean isUrgent() {
        return false;
    }

    @Override
    public final void answered(int position, Reading reading, long at) {
        throw new AssertionError("there is no store");
    }

    @Override
    public final void failed(int position, StoreException failure) {
        throw new AssertionError("there is no store");
    }

    @Override
    public final void scattered() {
        throw new AssertionError("there is no store");
    }
}
