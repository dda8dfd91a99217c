package dev.weir.store;

import java.util.function.BooleanSupplier;

/**
 * One who is not asked.
 *
 * @param over whether nobody waits any more
 */
public record UnaskedReceiver(BooleanSupplier over) implements Unasked {
    @Override
    public boolean isOver() {
        return over.getAsBoolean();
    }
}
