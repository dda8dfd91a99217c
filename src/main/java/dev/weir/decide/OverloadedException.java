package dev.weir.decide;

/** More is asked than can be answered in time: the request was turned away, and nothing was counted. */
public final class OverloadedException extends RuntimeException {

    /** Creates the failure. */
    public OverloadedException() {
        super(
                "the rate limit service has more requests than it can answer in time; nothing was counted",
                null,
                false,
                false);
    }
}
