package dev.weir.admin;

import org.jspecify.annotations.Nullable;

/** Tells the states in which the service cannot decide (its store is gone, it has no rules) from its defects. */
@FunctionalInterface
public interface Outage {

    /** Returns what to tell the caller of a decision that failed like this, or null if the failure is a defect. */
    @Nullable
    String sentence(Throwable failure);
}
