package dev.weir.store.memory;

import dev.weir.limit.Evaluation;
import dev.weir.limit.Limit;
import dev.weir.limit.Lock;
import dev.weir.limit.Model;
import dev.weir.limit.State;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A plan tried on drafts of its counters: what it leads to, before any counter is touched. The script's plan.lua does the
 * same.
 *
 * <p>The checks run in order and see what those before them charged. If that refuses the request, what {@code on_admit} would
 * have charged is dropped: the others run once more on fresh drafts, and say what they read there, and the dropped ones are shown
 * what is left then. Who was refused stays so, and locks where it did.
 */
final class Trial {
    /** Of more checks than this a map finds the draft sooner than a look at all. */
    private static final int FEW = 16;

    private final Plan plan;
    private final Function<CounterKey, @Nullable Cell> held;
    private final long now;
    private List<Draft> drafts = new ArrayList<>(1);
    private @Nullable Map<CounterKey, Draft> draftsByKey;
    private final List<Reading> readings;

    /**
     * Tries a plan.
     *
     * @param held gives where a counter lies, null for nowhere
     * @param now microseconds since the Unix epoch
     */
    Trial(Plan plan, Function<CounterKey, @Nullable Cell> held, long now) {
        this.plan = plan;
        this.held = held;
        this.now = now;
        this.readings = new ArrayList<>(plan.checks().size());
        run();
    }

    private void run() {
        List<Check> checks = plan.checks();
        var refused = new boolean[checks.size()];
        boolean isIndependent = plan.isIndependent();
        draftsByKey = checks.size() > FEW ? HashMap.newHashMap(checks.size()) : null;
        for (int i = 0; i < refused.length; i++) {
            Check check = checks.get(i);
            Draft draft = draftOf(check.key());
            Evaluation evaluation = draft.ask(check);
            refused[i] = evaluation.admitted() == 0;
            readings.add(Reading.of(check, evaluation, 0));
            if (isIndependent) {
                draft.settleEach();
            }
        }
        if (!isIndependent && plan.isRefused(refused)) {
            discard(refused);
        }
    }

    private void discard(boolean[] refused) {
        drafts = new ArrayList<>(drafts.size());
        if (draftsByKey != null) {
            draftsByKey.clear();
        }
        List<Check> checks = plan.checks();
        for (int i = 0; i < refused.length; i++) {
            Check check = checks.get(i);
            Draft draft = draftOf(check.key());
            if (!check.isTentative()) {
                Evaluation again = draft.repeat(check);
                if (!refused[i]) { // with less charged before it, it is not refused now either
                    readings.set(i, Reading.of(check, again, 0));
                }
            }
            if (refused[i]) {
                draft.lock(check);
            }
        }
        for (int i = 0; i < refused.length; i++) {
            Check check = checks.get(i);
            if (check.isTentative() && !refused[i]) {
                readings.set(i, Reading.of(check, draftOf(check.key()).show(check.limit()), 0));
            }
        }
    }

    private Draft draftOf(CounterKey key) {
        if (draftsByKey != null) {
            return draftsByKey.computeIfAbsent(key, this::newDraft);
        }
        for (int i = 0; i < drafts.size(); i++) {
            if (drafts.get(i).key.equals(key)) {
                return drafts.get(i);
            }
        }
        return newDraft(key);
    }

    private Draft newDraft(CounterKey key) {
        var draft = new Draft(key, held.apply(key), now);
        drafts.add(draft);
        return draft;
    }

    /** Returns a reading for each check. */
    List<Reading> readings() {
        return readings;
    }

    /** Returns the counters of the plan as they stand after it, each once. */
    List<Draft> drafts() {
        return drafts;
    }

    /** What becomes of one counter. */
    static final class Draft {
        final CounterKey key;
        final @Nullable Cell cell;
        private final @Nullable Counter before;
        private final long now;
        private @Nullable State state;
        private @Nullable Lock lock;
        private @Nullable Model model;
        private @Nullable Limit limit;
        private long forgetAt;
        private @Nullable Counter after;
        private boolean isSettled;

        private Draft(CounterKey key, @Nullable Cell cell, long now) {
            this.key = key;
            this.cell = cell;
            this.before = cell == null ? null : cell.counter();
            this.now = now;
            this.state = before == null ? null : before.state();
            this.lock = before == null ? null : before.lock();
            this.forgetAt = before == null || state == null ? now : before.forgetAt();
        }

        /** One model for the whole plan: what it holds is made a state only once. */
        private Model under(Limit current) {
            if (model == null) {
                model = Model.at(state, current, now);
            } else if (!current.equals(limit)) {
                forgetAt = forgetAt();
                model.under(current);
            }
            limit = current;
            return model;
        }

        /** Checks that are independent stand in a plan as if each had one of its own. */
        private void settleEach() {
            forgetAt = forgetAt();
            state = state();
            model = null;
        }

        /** When what each limit so far left here is as good as none at its own rate, whichever takes longest. */
        private long forgetAt() {
            return model == null ? forgetAt : Math.max(forgetAt, now + model.resetMicros());
        }

        private Evaluation ask(Check check) {
            Evaluation evaluation = repeat(check);
            if (evaluation.admitted() == 0) {
                lock(check);
            }
            return evaluation;
        }

        /** A check that is refused locks, unless it was a lock that refused it. */
        private void lock(Check check) {
            if (check.locks() && lockMicros(check.limit()) == 0) {
                lock = new Lock(now, check.limit().blockMicros());
            }
        }

        private Evaluation repeat(Check check) {
            return check.evaluate(under(check.limit()), lockMet(check), 1);
        }

        private Evaluation show(Limit current) {
            return Evaluation.ofDiscarded(under(current), lockMicros(current));
        }

        /**
         * Hits that are given back met no lock when they came: one that holds now began since, over hits that they may have
         * been among, and goes with them.
         */
        private long lockMet(Check check) {
            long left = lockMicros(check.limit());
            if (left > 0 && check.chargedAt() != Check.NO_INSTANT) {
                lock = null;
                return 0;
            }
            return left;
        }

        /** Only limits that lock are held up by a lock. */
        private long lockMicros(Limit current) {
            return current.blockSeconds() == 0 ? 0 : Lock.leftMicros(lock, now);
        }

        private @Nullable State state() {
            return model == null ? state : model.state();
        }

        /** Returns the counter as it shall stand: the one before if nothing changed, null for nothing. */
        @Nullable
        Counter after() {
            if (!isSettled) {
                after = settle();
                isSettled = true;
            }
            return after;
        }

        private @Nullable Counter settle() {
            State after = state();
            boolean isAsBefore =
                    before != null && Objects.equals(before.state(), after) && Objects.equals(before.lock(), lock);
            if (isAsBefore || (after == null && lock == null)) {
                return isAsBefore ? before : null;
            }
            return new Counter(after, lock, forgetAt());
        }

        /** Returns the counter as it stood, null for nothing. */
        @Nullable
        Counter before() {
            return before;
        }
    }
}
