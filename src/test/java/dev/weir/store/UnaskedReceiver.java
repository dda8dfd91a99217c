package dev.weir.store;

import java.util.function.BooleanSupplier;

/**
 * Waits in tests in which nothing is sent, so that no answer can come.
 *
 * @param over whether nobody waits any more
 */
public record UnaskedReceiver(BooleanSupplier over) implements Batch.Receiver {
    @Override
    public boolean isOver() {
        return over.getAsBoolean();
    }

    @Override
    public void answered(int position, Reading reading, long at) {
        throw new AssertionError("nobody was asked");
    }

    @Override
    public void failed(int position, StoreException failure) {
        throw new AssertionError("nobody was asked", failure);
    }

    @Override
    public void scattered() {
        throw new AssertionError("nobody was asked");
    }
}
