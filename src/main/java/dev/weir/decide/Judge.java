package dev.weir.decide;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.request.Header;
import dev.weir.request.Status;
import dev.weir.request.Verdict;
import dev.weir.rules.Rule;
import dev.weir.store.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the verdict of what the rules say and what the store read, exactly as envoyproxy/ratelimit answers. */
final class Judge {
    private static final long MICROS_PER_SECOND = 1_000_000;

    private final Answering answering;

    Judge(Answering answering) {
        this.answering = answering;
    }

    /**
     * Returns the verdict.
     *
     * @param readings one for each of {@link Matched#checks}
     */
    Verdict judge(Matched matched, List<Reading> readings) {
        int size = matched.request().descriptors().size();
        var statuses = new ArrayList<Status>(size);
        int reading = 0;
        for (int i = 0; i < size; i++) {
            Limit limit = matched.limit(i);
            if (limit != null) {
                statuses.add(status(readings.get(reading++), limit.quota(), matched.rule(i)));
            } else {
                statuses.add(matched.isUnlimited(i) ? Status.UNLIMITED : Status.NO_RULE);
            }
        }
        Map<String, Object> metadata = answering.dynamicMetadata() ? DynamicMetadata.of(matched, statuses) : Map.of();
        return new Verdict(
                isOver(matched, statuses) && !answering.shadowMode(), statuses, headers(matched, statuses), metadata);
    }

    private static Status status(Reading reading, Quota quota, @Nullable Rule rule) {
        boolean refused = !reading.isAdmitted();
        long micros = refused ? reading.retryMicros() : reading.resetMicros();
        return new Status(
                refused && (rule == null || !rule.flags().shadowMode()),
                quota,
                rule == null ? "" : rule.limits().getFirst().name(),
                refused ? 0 : Math.min(reading.remaining(), Quota.MAX_HITS),
                Math.max(1, Math.ceilDiv(micros, MICROS_PER_SECOND)));
    }

    /**
     * A rule that is over refuses the request, but quota rules refuse it only together: where all of them are over. Under
     * the global quota mode every descriptor counts as one, also those that no rule limits (they pass), but not
     * unlimited ones.
     */
    private boolean isOver(Matched matched, List<Status> statuses) {
        boolean someQuota = false;
        boolean somePassed = false;
        for (int i = 0; i < statuses.size(); i++) {
            boolean over = statuses.get(i).isOver();
            if (isQuota(matched, i)) {
                someQuota = true;
                somePassed |= !over;
            } else if (over) {
                return true;
            }
        }
        return someQuota && !somePassed;
    }

    private boolean isQuota(Matched matched, int descriptor) {
        if (answering.quotaMode()) {
            return !matched.isUnlimited(descriptor);
        }
        Rule rule = matched.rule(descriptor);
        return rule != null && !rule.isUnlimited() && rule.flags().quotaMode();
    }

    /** Speaks of the first status with the least left, or of the last one that is over and refuses by itself. */
    private List<Header> headers(Matched matched, List<Status> statuses) {
        Answering.HeaderNames names = answering.headerNames();
        if (names == null) {
            return List.of();
        }
        Status told = null;
        for (int i = 0; i < statuses.size(); i++) {
            Status status = statuses.get(i);
            boolean isTighter = status.quota() != null && (told == null || status.remaining() < told.remaining());
            boolean refusesByItself = status.isOver() && !isQuota(matched, i);
            if (isTighter || refusesByItself) {
                told = status;
            }
        }
        if (told == null || told.quota() == null) {
            return List.of();
        }
        return List.of(
                new Header(names.limit(), Long.toString(told.quota().hits())),
                new Header(names.remaining(), Long.toString(told.remaining())),
                new Header(names.reset(), Long.toString(told.resetSeconds())));
    }
}
