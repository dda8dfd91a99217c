package dev.weir.store.layer;

/** Is told what an {@link OverLimitStore} spares its store. Called from event loops: must not block, must not throw. */
@FunctionalInterface
public interface OverLimitListener {

    /**
     * Checks of a plan were refused from memory, without asking the store.
     *
     * @param checks how many, at least 1
     */
    void remembered(int checks);
}
