package dev.weir.limit;

/** What a counter holds between two checks: immutable, and in units that do not depend on the limit. */
public sealed interface State
        permits FixedWindowModel.Count, SlidingWindowModel.Parts, SlidingLog, BucketModel.Level, GcraModel.Arrival {

    /** Returns about how many bytes of memory the state takes. */
    long bytes();
}
