package dev.weir.busiest;

import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import java.util.List;

/**
 * What was seen of plans. Refunds are not counted as hits, and neither are checks of 0 hits in a plan that also hits. Where a limit refuses
 * some of a check's hits it refuses all of them. Not for several threads.
 */
public final class Seen {
    private final FrequentKeys hits = new FrequentKeys();
    private final FrequentKeys over = new FrequentKeys();
    private long plans;
    private long failures;

    void add(Plan plan, List<Reading> readings) {
        plans++;
        for (int i = 0; i < readings.size(); i++) {
            Check check = plan.checks().get(i);
            if (check.hits() == 0 || check.isRefund()) {
                continue;
            }
            hits.add(check.key(), check.limit(), check.hits());
            if (!readings.get(i).isAdmitted()) {
                over.add(check.key(), check.limit(), check.hits());
            }
        }
    }

    void addFailure() {
        failures++;
    }

    void addAll(Seen others) {
        plans += others.plans;
        failures += others.failures;
        hits.addAll(others.hits);
        over.addAll(others.over);
    }

    /** Returns how many plans the store has decided: requests that some limit holds for, and that do not only look. */
    public long plans() {
        return plans;
    }

    /** Returns how many plans the store has not decided, or nobody waited for; nothing is known of their hits. */
    public long failures() {
        return failures;
    }

    /** Returns the counters with all their hits. */
    public FrequentKeys hits() {
        return hits;
    }

    /** Returns the counters with those hits that their limit refused, whether its rule enforces it or not. */
    public FrequentKeys over() {
        return over;
    }
}
