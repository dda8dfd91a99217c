package dev.weir.store;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * The checks of one request, decided together.
 *
 * @param checks at least one, in the order of the request's descriptors
 * @param beyond what is known of the rest of the request
 */
public record Plan(List<Check> checks, Beyond beyond) {
    /** Of more checks than this a set tells sooner than each compared with each. */
    private static final int FEW = 16;

    public Plan {
        if (checks.isEmpty()) {
            throw new IllegalArgumentException("a plan needs a check");
        }
    }

    /** Returns a plan in which every descriptor has a check. */
    public static Plan of(List<Check> checks) {
        return new Plan(checks, Beyond.NOTHING);
    }

    /**
     * Returns whether no check's charge depends on what another one is told, so that each can be decided by itself: there
     * is only one, or none waits for the others.
     */
    public boolean isIndependent() {
        if (checks.size() == 1 && beyond != Beyond.REFUSED) {
            return true;
        }
        for (int i = 0; i < checks.size(); i++) { // indexed: an iterator for each request would be garbage
            if (checks.get(i).isTentative()) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a counter is asked for more than once. */
    public boolean repeats() {
        if (checks.size() > FEW) {
            Set<CounterKey> seen = HashSet.newHashSet(checks.size());
            return !checks.stream().allMatch(check -> seen.add(check.key()));
        }
        for (int i = 1; i < checks.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (checks.get(i).key().equals(checks.get(j).key())) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns whether all counters of the plan lie in one part. */
    public boolean isTogether(ToIntFunction<CounterKey> part) {
        int first = part.applyAsInt(checks.getFirst().key());
        for (int i = 1; i < checks.size(); i++) {
            if (part.applyAsInt(checks.get(i).key()) != first) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether the request is refused, as envoyproxy/ratelimit decides it: by an enforcing check that refuses, or
     * where there are quota descriptors and each has a check that refuses.
     *
     * @param refused for each check whether it refused
     */
    public boolean isRefused(boolean[] refused) {
        if (beyond == Beyond.REFUSED) {
            return true;
        }
        boolean someQuota = false;
        boolean somePasses = beyond == Beyond.SOME_QUOTA_PASSES;
        for (int i = 0; i < refused.length; i++) {
            Role role = checks.get(i).role();
            if (role == Role.ENFORCING && refused[i]) {
                return true;
            }
            if (role == Role.QUOTA && isFirstOfDescriptor(i)) {
                someQuota = true;
                somePasses |= !someRefused(i, refused);
            }
        }
        return someQuota && !somePasses;
    }

    private boolean isFirstOfDescriptor(int check) {
        return check == 0
                || checks.get(check - 1).descriptor() != checks.get(check).descriptor();
    }

    private boolean someRefused(int first, boolean[] refused) {
        int descriptor = checks.get(first).descriptor();
        for (int i = first; i < refused.length && checks.get(i).descriptor() == descriptor; i++) {
            if (refused[i]) {
                return true;
            }
        }
        return false;
    }
}
