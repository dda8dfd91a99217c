package dev.weir.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Beyond;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Role;
import dev.weir.store.StoreContract;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every small plan against its rules written down plainly: two hits in a minute on each of two counters, at one instant.
 *
 * <p>Each check, charge and role is tried with each other one; {@link Plain} knows neither models nor drafts.
 */
final class TrialTest {
    private static final long NOW = StoreContract.NOON_MICROS;
    private static final long LIMIT = 2;
    private static final List<Beyond> BEYOND = List.of(Beyond.values());
    private static final Quota TWO = Quota.per(Unit.MINUTE, LIMIT);
    private static final Algorithm FIXED = new Algorithm.FixedWindow();
    private static final CounterKey A = StoreContract.key("a");
    private static final CounterKey B = StoreContract.key("b");

    /** What a counter holds, the plain way. */
    private record Held(long count, boolean isLocked) {
        static final Held NOTHING = new Held(0, false);

        long left() {
            return Math.max(0, LIMIT - count);
        }

        Held with(long hits) {
            return new Held(Math.max(0, count + hits), isLocked);
        }
    }

    /** What a check is told, of its reading. */
    private record Told(boolean isAdmitted, long remaining, long available) {
        static Told of(Reading reading) {
            return new Told(reading.isAdmitted(), reading.remaining(), reading.available());
        }
    }

    /** The rules of a plan, one after the other, without a thought for speed. */
    private static final class Plain {
        private final Plan plan;
        private final Map<CounterKey, Held> counters;
        private final List<Told> told = new ArrayList<>();

        Plain(Plan plan, Map<CounterKey, Held> before) {
            this.plan = plan;
            this.counters = new HashMap<>(before);
            for (Check check : plan.checks()) {
                told.add(ask(check));
            }
            if (isRefused()) {
                discard(before);
            }
        }

        private Told ask(Check check) {
            Held held = counters.getOrDefault(check.key(), Held.NOTHING);
            boolean isHeldUp = held.isLocked && check.limit().blockSeconds() > 0;
            if (check.isRefund()) {
                Held after = held.with(-check.hits());
                counters.put(check.key(), after);
                return isHeldUp ? new Told(true, 0, 0) : new Told(true, after.left(), after.left());
            }
            boolean isAdmitted = !isHeldUp && fits(check, held);
            long charged = switch (check.limit().charge()) {
                case ALWAYS -> check.hits();
                case ON_ADMIT -> isAdmitted ? check.hits() : 0;
                case DRAIN -> Math.min(check.hits(), held.left());
            };
            boolean locks = !isAdmitted && check.hits() > 0 && check.limit().blockSeconds() > 0;
            Held after = held.with(charged);
            counters.put(check.key(), new Held(after.count, held.isLocked || locks));
            return isAdmitted
                    ? new Told(true, after.left(), held.left())
                    : new Told(false, 0, isHeldUp ? 0 : held.left());
        }

        private static boolean fits(Check check, Held held) {
            if (check.hits() > 0) {
                return held.count + check.hits() <= LIMIT;
            }
            return held.count <= LIMIT && (check.limit().charge() != Charge.DRAIN || held.left() > 0);
        }

        /** Enforcing checks refuse by themselves, quota descriptors only all together, shadows never. */
        private boolean isRefused() {
            var quotas = new HashMap<Integer, Boolean>();
            for (int i = 0; i < told.size(); i++) {
                Check check = plan.checks().get(i);
                boolean isOver = !told.get(i).isAdmitted;
                switch (check.role()) {
                    case ENFORCING -> {
                        if (isOver) {
                            return true;
                        }
                    }
                    case QUOTA -> quotas.merge(check.descriptor(), isOver, Boolean::logicalOr);
                    case SHADOW -> {}
                }
            }
            return switch (plan.beyond()) {
                case NOTHING -> !quotas.isEmpty() && !quotas.containsValue(false);
                case SOME_QUOTA_PASSES -> false;
                case REFUSED -> true;
            };
        }

        /** What is charged in any case is asked once more on what there was, locks begin where they did, and the others see what that leaves. */
        private void discard(Map<CounterKey, Held> before) {
            counters.clear();
            counters.putAll(before);
            for (int i = 0; i < told.size(); i++) {
                Check check = plan.checks().get(i);
                Held held = counters.getOrDefault(check.key(), Held.NOTHING);
                boolean isAdmitted = told.get(i).isAdmitted;
                if (!waits(check)) {
                    Told again = ask(check);
                    if (isAdmitted) {
                        told.set(i, again);
                    }
                }
                Held after = counters.getOrDefault(check.key(), Held.NOTHING);
                boolean locks = !isAdmitted && check.hits() > 0 && check.limit().blockSeconds() > 0;
                counters.put(check.key(), new Held(after.count, held.isLocked || locks));
            }
            for (int i = 0; i < told.size(); i++) {
                Check check = plan.checks().get(i);
                if (waits(check) && told.get(i).isAdmitted) {
                    Held held = counters.getOrDefault(check.key(), Held.NOTHING);
                    long left = held.isLocked && check.limit().blockSeconds() > 0 ? 0 : held.left();
                    told.set(i, new Told(true, left, left));
                }
            }
        }

        /** Whether it is charged only if the request is admitted. */
        private static boolean waits(Check check) {
            return !check.isRefund() && check.hits() > 0 && check.limit().charge() == Charge.ON_ADMIT;
        }
    }

    @Test
    void plans_of_one_check_do_as_the_rules_say() {
        for (Check only : checks(true, 0, 1, 2, 3)) {
            inEveryState(List.of(only));
        }
    }

    @Test
    void plans_of_two_checks_do_as_the_rules_say() {
        var checks = checks(true, 0, 1, 2);
        for (Check first : onA(checks)) {
            for (Check second : checks) {
                inEveryState(List.of(first, second));
            }
        }
    }

    @Test
    void plans_of_three_checks_do_as_the_rules_say() {
        var checks = checks(false, 1, 2);
        for (Check first : onA(checks)) {
            for (Check second : checks) {
                for (Check third : checks) {
                    agree(List.of(first, second, third), 0, Beyond.NOTHING, Held.NOTHING, new Held(1, false));
                    agree(List.of(first, second, third), 1, Beyond.NOTHING, Held.NOTHING, Held.NOTHING);
                    agree(List.of(first, second, third), 2, Beyond.NOTHING, new Held(1, false), Held.NOTHING);
                }
            }
        }
    }

    /** So many that the counters of the plan are looked up by their keys. */
    @Test
    void plans_of_many_checks_do_as_the_rules_say() {
        var checks = checks(true, 0, 1, 2, 3);
        var states = states();
        for (long seed = 1; seed <= 2_000; seed++) {
            var random = new SplittableRandom(seed);
            var plan = new ArrayList<Check>();
            for (int i = 17 + random.nextInt(8); i > 0; i--) {
                plan.add(checks.get(random.nextInt(checks.size())));
            }
            agree(
                    plan,
                    0,
                    BEYOND.get(random.nextInt(BEYOND.size())),
                    states.get(random.nextInt(states.size())),
                    states.get(random.nextInt(states.size())));
        }
    }

    @Test
    void plans_of_up_to_six_checks_do_as_the_rules_say() {
        var checks = checks(true, 0, 1, 2, 3);
        var states = states();
        for (long seed = 1; seed <= 100_000; seed++) {
            var random = new SplittableRandom(seed);
            var plan = new ArrayList<Check>();
            for (int i = 1 + random.nextInt(6); i > 0; i--) {
                plan.add(checks.get(random.nextInt(checks.size())));
            }
            agree(
                    plan,
                    random.nextInt(32),
                    BEYOND.get(random.nextInt(BEYOND.size())),
                    states.get(random.nextInt(states.size())),
                    states.get(random.nextInt(states.size())));
        }
    }

    private static List<Check> checks(boolean locking, long... hits) {
        var checks = new ArrayList<Check>();
        for (Role role : Role.values()) {
            for (CounterKey key : List.of(A, B)) {
                for (long block : locking ? new long[] {0, 60} : new long[] {0}) {
                    for (long asked : hits) {
                        for (Charge charge : Charge.values()) {
                            checks.add(Check.of(key, new Limit(TWO, FIXED, charge, block), asked)
                                    .as(role, 0));
                        }
                        var limit = new Limit(TWO, FIXED, Charge.ON_ADMIT, block);
                        checks.add(Check.refund(key, limit, asked).as(role, 0));
                    }
                }
            }
        }
        return checks;
    }

    /** Which of the two counters comes first makes no difference. */
    private static List<Check> onA(List<Check> checks) {
        return checks.stream().filter(check -> check.key().equals(A)).toList();
    }

    private static List<Held> states() {
        return List.of(Held.NOTHING, new Held(1, false), new Held(2, false), new Held(3, false), new Held(3, true));
    }

    private static void inEveryState(List<Check> checks) {
        for (int joined = 0; joined < 1 << (checks.size() - 1); joined++) {
            for (Beyond beyond : Beyond.values()) {
                for (Held a : states()) {
                    agree(checks, joined, beyond, a, new Held(1, false));
                }
            }
        }
    }

    /** Compares what is told and held. Bit i of {@code joined}: check i + 1 is of check i's descriptor, and so of its role. */
    private static void agree(List<Check> checks, int joined, Beyond beyond, Held a, Held b) {
        var placed = new ArrayList<Check>();
        for (int i = 0; i < checks.size(); i++) {
            boolean isJoined = i > 0 && (joined >> (i - 1) & 1) == 1;
            placed.add(checks.get(i)
                    .as(
                            isJoined ? placed.get(i - 1).role() : checks.get(i).role(),
                            isJoined ? placed.get(i - 1).descriptor() : i));
        }
        var plan = new Plan(placed, beyond);
        var before = Map.of(A, a, B, b);
        var plain = new Plain(plan, before);
        var trial = new Trial(plan, key -> cell(before.getOrDefault(key, Held.NOTHING)), NOW);
        if (!trial.readings().stream().map(Told::of).toList().equals(plain.told)) {
            assertThat(trial.readings())
                    .as("%s from %s", plan, before)
                    .extracting(Told::of)
                    .isEqualTo(plain.told);
        }
        for (Trial.Draft draft : trial.drafts()) {
            Held expected = plain.counters.getOrDefault(draft.key, Held.NOTHING);
            if (!held(draft).equals(expected)) {
                assertThat(held(draft)).as("%s from %s", plan, before).isEqualTo(expected);
            }
        }
    }

    private static final Map<Held, List<@Nullable Counter>> COUNTERS = new HashMap<>();

    /** A counter that came to its state the usual way. */
    private static @Nullable Cell cell(Held held) {
        return cell(COUNTERS.computeIfAbsent(held, TrialTest::made).getFirst());
    }

    private static @Nullable Cell cell(@Nullable Counter counter) {
        return counter == null ? null : Cell.of(A, 1, counter);
    }

    private static List<@Nullable Counter> made(Held held) {
        var counter = new ArrayList<@Nullable Counter>();
        counter.add(null);
        var limit = new Limit(TWO, FIXED, Charge.ALWAYS, held.isLocked ? 60 : 0);
        for (long i = 0; i < held.count; i++) {
            var trial = new Trial(Plan.of(List.of(Check.of(A, limit, 1))), _ -> cell(counter.getFirst()), NOW);
            counter.set(0, trial.drafts().getFirst().after());
        }
        return counter;
    }

    private static Held held(Trial.Draft draft) {
        var wide = Limit.fixedWindow(Quota.per(Unit.MINUTE, 1_000));
        var locking = new Limit(wide.quota(), FIXED, Charge.ALWAYS, 60);
        var looks = List.of(Check.of(draft.key, wide, 0), Check.of(draft.key, locking, 0));
        var readings = new Trial(Plan.of(looks), _ -> cell(draft.after()), NOW).readings();
        return new Held(1_000 - readings.get(0).remaining(), !readings.get(1).isAdmitted());
    }
}
