package dev.weir.store;

import java.util.concurrent.CompletionStage;

/** A place in the store for one text that all replicas share. It has no expiry, and no part in counting. */
public interface Shelf {

    /**
     * What stands there.
     *
     * @param stamp changes with each text that is put there; empty as long as there is none
     */
    record Standing(String stamp, String text) {
        public static final Standing NOTHING = new Standing("", "");
    }

    /** Returns what the place is called, as in {@code the key weir:rules}, for who looks after the store. */
    String place();

    /** Returns the stamp of what stands there, empty if nothing does; or a {@link StoreException}. */
    CompletionStage<String> stamp();

    /** Returns what stands there; or a {@link StoreException}. */
    CompletionStage<Standing> read();

    /**
     * Puts a text there, in one step, if what it is made from still stands there.
     *
     * @param stamp of what it is made from, empty if that is nothing
     * @return whether it was put; or a {@link StoreException}, and then nobody knows
     */
    CompletionStage<Boolean> replace(String stamp, Standing next);
}
