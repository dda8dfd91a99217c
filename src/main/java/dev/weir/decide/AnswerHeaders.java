package dev.weir.decide;

import dev.weir.limit.Quota;
import dev.weir.request.Header;
import dev.weir.request.Status;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the headers that tell a caller's client about its limit. */
final class AnswerHeaders {
    private static final long MICROS_PER_SECOND = 1_000_000;

    private final Answering.@Nullable LimitHeaders ofLimit;
    private final @Nullable String retryAfter;

    AnswerHeaders(Answering answering) {
        this.ofLimit = answering.limitHeaders();
        this.retryAfter = answering.retryAfterHeader();
    }

    /**
     * Returns the headers of an answer.
     *
     * @param isRefused whether it refuses the request
     * @param waitMicros when it may pass if it is refused
     */
    List<Header> of(Matched matched, List<Status> statuses, boolean isRefused, long waitMicros) {
        List<Header> headers = ofLimit == null ? List.of() : ofLimit(ofLimit, matched, statuses);
        if (retryAfter == null || !isRefused) {
            return headers;
        }
        var withRetry = new ArrayList<>(headers);
        withRetry.add(new Header(retryAfter, Long.toString(Math.ceilDiv(waitMicros, MICROS_PER_SECOND))));
        return withRetry;
    }

    /** Speaks of the first status with the least left, or of the last one that is over and refuses by itself. */
    private static List<Header> ofLimit(Answering.LimitHeaders names, Matched matched, List<Status> statuses) {
        Status told = null;
        for (int i = 0; i < statuses.size(); i++) {
            Status status = statuses.get(i);
            boolean isTighter = status.quota() != null && (told == null || status.remaining() < told.remaining());
            boolean refusesByItself = status.isOver() && !matched.isQuota(i);
            if (isTighter || refusesByItself) {
                told = status;
            }
        }
        if (told == null || told.quota() == null) {
            return List.of();
        }
        return List.of(
                new Header(names.limit(), limitText(told.quota())),
                new Header(names.remaining(), Long.toString(told.remaining())),
                new Header(names.reset(), Long.toString(told.resetSeconds())));
    }

    /** The hits, and for a window that is no unit its seconds too, as Envoy writes them in its own header. */
    private static String limitText(Quota quota) {
        String hits = Long.toString(quota.hits());
        return quota.unit() != null ? hits : hits + ", " + hits + ";w=" + quota.windowSeconds();
    }
}
