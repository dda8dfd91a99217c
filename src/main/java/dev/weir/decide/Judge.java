package dev.weir.decide;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.request.Descriptor;
import dev.weir.request.Status;
import dev.weir.request.Verdict;
import dev.weir.rules.NamedLimit;
import dev.weir.store.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes the verdict of what the rules say and what the store read, exactly as envoyproxy/ratelimit answers. */
final class Judge {
    /** No leaky bucket lets the request pass. It is less than any delay. */
    static final long NO_DELAY = -1;

    private final Answering answering;
    private final AnswerHeaders headers;

    Judge(Answering answering) {
        this.answering = answering;
        this.headers = new AnswerHeaders(answering);
    }

    /**
     * Returns the verdict.
     *
     * @param readings one for each check of {@link Matched#plan}
     */
    Verdict judge(Matched matched, List<Reading> readings) {
        int size = matched.request().descriptors().size();
        var statuses = new ArrayList<Status>(size);
        int reading = 0;
        long delayMicros = NO_DELAY;
        for (int i = 0; i < size; i++) {
            List<NamedLimit> limits = matched.limits(i);
            if (limits.isEmpty()) {
                statuses.add(matched.isUnlimited(i) ? Status.UNLIMITED : Status.NO_RULE);
            } else {
                int shown = shown(limits, readings, reading);
                statuses.add(status(readings.get(reading + shown), limits.get(shown), matched.isShadow(i)));
                for (int j = 0; j < limits.size(); j++) { // indexed: an iterator for each request would be garbage
                    delayMicros =
                            Math.max(delayMicros, delayMicros(limits.get(j).limit(), readings.get(reading++)));
                }
            }
        }
        return verdict(matched, statuses, readings, delayMicros);
    }

    /**
     * Returns the verdict that follows from the answers to the descriptors.
     *
     * @param readings of the store, or none where it was not asked
     * @param delayMicros how long the request should wait if it passes, or {@link #NO_DELAY}
     */
    Verdict verdict(Matched matched, List<Status> statuses, List<Reading> readings, long delayMicros) {
        boolean isOver = isOver(matched, statuses);
        Map<String, Object> metadata =
                answering.dynamicMetadata() ? DynamicMetadata.of(matched, statuses, isOver, delayMicros) : Map.of();
        boolean isRefused = isOver && !answering.shadowMode();
        long waitMicros = isRefused
                ? Math.max(retryMicros(matched, statuses), spentMicros(matched, readings))
                : isOver ? 0 : Math.max(0, delayMicros); // what passes in shadow mode is held by no bucket
        return new Verdict(
                isRefused, statuses, waitMicros, headers.of(matched, statuses, isRefused, waitMicros), metadata);
    }

    /**
     * Returns which of the limits on one descriptor its status shows.
     *
     * @param first where their readings begin
     */
    static int shown(List<NamedLimit> limits, List<Reading> readings, int first) {
        return limits.size() == 1 ? 0 : mostRestrictive(limits, readings, first);
    }

    /** Of the limits that refuse the one with the longest wait; if none does, the one with the smallest share left. */
    private static int mostRestrictive(List<NamedLimit> limits, List<Reading> readings, int first) {
        int worst = 0;
        for (int i = 1; i < limits.size(); i++) {
            Reading one = readings.get(first + i);
            Reading other = readings.get(first + worst);
            boolean isWorse = one.isAdmitted() == other.isAdmitted()
                    ? one.isAdmitted()
                            ? hasSmallerShare(
                                    one.remaining(),
                                    limits.get(i).limit().capacity(),
                                    other.remaining(),
                                    limits.get(worst).limit().capacity())
                            : one.retryMicros() > other.retryMicros()
                    : !one.isAdmitted();
            if (isWorse) {
                worst = i;
            }
        }
        return worst;
    }

    /** Compares remaining / capacity without a division; all are below 2^32. Of nothing, nothing is left. */
    private static boolean hasSmallerShare(long remaining, long capacity, long otherRemaining, long otherCapacity) {
        return Long.compareUnsigned(remaining * Math.max(1, otherCapacity), otherRemaining * Math.max(1, capacity)) < 0;
    }

    /** Returns the answer to a descriptor, of whose limits this one is shown. */
    static Status status(Reading reading, NamedLimit limit, boolean isShadow) {
        boolean refused = !reading.isAdmitted();
        long micros = refused ? reading.retryMicros() : reading.resetMicros();
        return new Status(
                refused && !isShadow,
                limit.limit().quota(),
                limit.name(),
                Math.min(reading.remaining(), Quota.MAX_HITS),
                Math.max(1, micros));
    }

    /**
     * Returns how long a request that passes should wait, as one limit has it; of several the longest holds. Leaky buckets say it. One that
     * is full has no place for the request, though its rule lets it pass (shadow, quota), and says nothing.
     */
    static long delayMicros(Limit limit, Reading reading) {
        return limit.algorithm() instanceof Algorithm.LeakyBucket && reading.isAdmitted()
                ? reading.delayMicros()
                : NO_DELAY;
    }

    /** A descriptor that is over refuses the request, but those that count as quota only together: where all are over. */
    static boolean isOver(Matched matched, List<Status> statuses) {
        boolean someQuota = false;
        boolean somePassed = false;
        for (int i = 0; i < statuses.size(); i++) {
            boolean over = statuses.get(i).isOver();
            if (matched.isQuota(i)) {
                someQuota = true;
                somePassed |= !over;
            } else if (over) {
                return true;
            }
        }
        return someQuota && !somePassed;
    }

    /**
     * Returns when a refused request may pass: when the last of those that refuse by themselves does not any more, and the first of those
     * that refuse only together.
     */
    private static long retryMicros(Matched matched, List<Status> statuses) {
        long last = 0;
        long first = Long.MAX_VALUE;
        for (int i = 0; i < statuses.size(); i++) {
            Status status = statuses.get(i);
            long micros = status.isOver() ? status.resetMicros() : 0;
            if (matched.isQuota(i)) {
                first = Math.min(first, micros);
            } else {
                last = Math.max(last, micros);
            }
        }
        return first == Long.MAX_VALUE ? last : Math.max(last, first);
    }

    /**
     * Returns when the last of the windows ends that had room for a refused request and has none for the next like it: fixed windows are
     * charged for what others refuse, too.
     */
    private static long spentMicros(Matched matched, List<Reading> readings) {
        long last = 0;
        int reading = 0;
        for (int i = 0; reading < readings.size(); i++) {
            Descriptor descriptor = matched.request().descriptors().get(i);
            boolean mayRefuse = !matched.isShadow(i) && !matched.isQuota(i) && !descriptor.isRefund();
            long hits = matched.request().hitsOf(descriptor);
            List<NamedLimit> limits = matched.limits(i);
            for (int j = 0; j < limits.size(); j++) { // indexed: an iterator for each refusal would be garbage
                Reading read = readings.get(reading++);
                if (mayRefuse
                        && isChargedAnyway(limits.get(j).limit())
                        && read.isAdmitted()
                        && read.remaining() < hits) {
                    last = Math.max(last, read.resetMicros());
                }
            }
        }
        return last;
    }

    private static boolean isChargedAnyway(Limit limit) {
        return limit.charge() != Charge.ON_ADMIT && limit.algorithm() instanceof Algorithm.FixedWindow;
    }
}
