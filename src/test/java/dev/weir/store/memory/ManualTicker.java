package dev.weir.store.memory;

/** A clock that stands until it is set. */
public final class ManualTicker implements Ticker {
    private volatile long micros;

    /** Sets the clock. */
    public void set(long now) {
        micros = now;
    }

    @Override
    public long micros() {
        return micros;
    }
}
