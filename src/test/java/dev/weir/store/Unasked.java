package dev.weir.store;

/** Waits in tests in which nothing is sent, so that no answer can come. */
interface Unasked extends Batch.Receiver {
    @Override
    default void answered(int position, Reading reading, long at) {
        throw new AssertionError("nobody was asked");
    }

    @Override
    default void failed(int position, StoreException failure) {
        throw new AssertionError("nobody was asked", failure);
    }

    @Override
    default void scattered() {
        throw new AssertionError("nobody was asked");
    }
}
