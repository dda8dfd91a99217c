package dev.weir.decide;

import dev.weir.limit.Charge;
import dev.weir.limit.FailurePolicy;
import org.jspecify.annotations.Nullable;

/**
 * What holds for every answer, whatever the rules say.
 *
 * @param shadowMode nothing is refused; statuses still tell what would have been
 * @param quotaMode every descriptor counts as one of quota mode, also where no rule limits it; unlimited ones do not
 * @param limitHeaders the headers that tell the caller's client about its limit, or null for none
 * @param retryAfterHeader the header of a refusal with the whole seconds until its limits admit again, or null for none
 * @param dynamicMetadata whether answers carry dynamic metadata
 * @param onStoreFailure what is answered where the store cannot be asked, and neither a rule nor its domain says it
 * @param fixedWindowCharge when hits in fixed windows count for limits that callers send along; rules say it for themselves
 */
public record Answering(
        boolean shadowMode,
        boolean quotaMode,
        @Nullable LimitHeaders limitHeaders,
        @Nullable String retryAfterHeader,
        boolean dynamicMetadata,
        FailurePolicy onStoreFailure,
        Charge fixedWindowCharge) {

    /** Nothing is added to what the rules say. */
    public static final Answering PLAIN =
            new Answering(false, false, null, null, false, FailurePolicy.ERROR, Charge.ALWAYS);

    /**
     * The names of the headers for the limit, what remains of it, and the seconds until it resets.
     *
     * @param limit hits per window
     * @param remaining hits left
     * @param reset whole seconds
     */
    public record LimitHeaders(String limit, String remaining, String reset) {}
}
