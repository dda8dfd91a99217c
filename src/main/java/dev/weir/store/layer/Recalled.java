package dev.weir.store.layer;

import dev.weir.store.Beyond;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Role;
import dev.weir.store.StoreException;
import dev.weir.store.layer.Remembered.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What memory says to a plan: some of its checks are refused, and the rest is to be asked. */
final class Recalled {
    private final Plan plan;
    private final @Nullable Refusal[] refusals;
    private final long now;

    private Recalled(Plan plan, @Nullable Refusal[] refusals, long now) {
        this.plan = plan;
        this.refusals = refusals;
        this.now = now;
    }

    /** Returns what memory says, or null if it knows none of the plan's checks. */
    static @Nullable Recalled of(Plan plan, OverLimitMemory memory, long now) {
        List<Check> checks = plan.checks();
        @Nullable Refusal[] refusals = null;
        for (int i = 0; i < checks.size(); i++) { // indexed: an iterator for each request would be garbage
            Refusal refusal = memory.recall(checks.get(i), now);
            if (refusal != null) {
                refusals = refusals == null ? new @Nullable Refusal[checks.size()] : refusals;
                refusals[i] = refusal;
            }
        }
        return refusals == null ? null : new Recalled(plan, refusals, now);
    }

    /** Returns how many checks memory refuses. */
    int size() {
        int size = 0;
        for (Refusal refusal : refusals) {
            size += refusal == null ? 0 : 1;
        }
        return size;
    }

    /**
     * Returns the plan of all other checks, decided as it is in the whole one; null if there are none.
     *
     * <p>A request that is refused whatever they are told is said to be refused. Else, of what was refused from memory, only a
     * descriptor that counts as quota matters: it does not pass, so that its other checks must not make it pass, and have
     * no say.
     */
    @Nullable
    Plan rest() {
        List<Check> checks = plan.checks();
        var rest = new ArrayList<Check>(checks.size());
        var refused = new boolean[checks.size()];
        for (int i = 0; i < refused.length; i++) {
            refused[i] = refusals[i] != null;
            if (!refused[i]) {
                Check check = checks.get(i);
                boolean hasNoSay = check.role() == Role.QUOTA && isRefused(check.descriptor());
                rest.add(hasNoSay ? check.as(Role.SHADOW, check.descriptor()) : check);
            }
        }
        if (rest.isEmpty()) {
            return null;
        }
        return new Plan(rest, plan.isRefused(refused) ? Beyond.REFUSED : plan.beyond());
    }

    private boolean isRefused(int descriptor) {
        for (int i = 0; i < refusals.length; i++) {
            if (refusals[i] != null && plan.checks().get(i).descriptor() == descriptor) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns a reading for each check of the plan, in its order.
     *
     * @param ofRest the store's readings for the checks of {@link #rest}
     */
    List<Reading> readings(List<Reading> ofRest) {
        var all = new Reading[refusals.length];
        int asked = 0;
        for (int i = 0; i < all.length; i++) {
            Refusal refusal = refusals[i];
            all[i] = refusal == null ? ofRest.get(asked++) : refusal.reading(now);
        }
        return Arrays.asList(all);
    }

    /** Returns the store's failure to answer {@link #rest}, with what memory says. */
    StoreException failure(StoreException ofRest) {
        List<@Nullable Reading> some = ofRest.readings();
        var all = new ArrayList<@Nullable Reading>(refusals.length);
        int asked = 0;
        for (Refusal refusal : refusals) {
            if (refusal != null) {
                all.add(refusal.reading(now));
            } else {
                all.add(some.isEmpty() ? null : some.get(asked));
                asked++;
            }
        }
        return ofRest.withReadings(all);
    }
}
