package dev.weir.store;

/** What is known of the rest of a request, beyond the checks of a plan. */
public enum Beyond {
    /** There is nothing, or nothing that matters. */
    NOTHING,

    /** Some descriptor that counts as quota passes, so that no quota can refuse. */
    SOME_QUOTA_PASSES,

    /** It is refused already: what would be charged only on admission is shown, and not charged. */
    REFUSED
}
