package dev.weir.limit;

import static dev.weir.limit.Timeline.MINUTE;
import static dev.weir.limit.Timeline.NOON;
import static dev.weir.limit.Timeline.SECOND;
import static dev.weir.limit.Timeline.YEAR;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every algorithm and charge, in any state that hits, refunds, overrides and a wavering clock lead to. */
final class AlgorithmLawsTest {
    private static final int SEEDS = 4;
    private static final int STEPS = 1_500;

    static Stream<Limit> limits() {
        return RandomLimits.tenAMinute();
    }

    @Test
    void every_algorithm_is_held_to_the_laws() {
        assertThat(limits().<Class<?>>map(limit -> limit.algorithm().getClass()))
                .containsOnly(Algorithm.class.getPermittedSubclasses());
    }

    /** A counter in some state at an instant, and dice for what to ask of it. */
    private record Moment(OneCounter counter, long now, SplittableRandom random, String place) {}

    /** Leads a counter through many states, and shows each to a law; what the law does to its counter is not kept. */
    private static void inAnyState(Limit limit, BiConsumer<Moment, Limit> law) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            var random = new SplittableRandom(seed);
            var counter = new OneCounter(limit);
            long now = NOON + random.nextLong(MINUTE);
            long latest = now;
            for (int step = 0; step < STEPS; step++) {
                // State further ahead than a window reads as none until time comes near it: laws are for states in
                // force.
                now = Math.max(now + pause(random), latest - MINUTE);
                latest = Math.max(now, latest);
                change(counter, now, random);
                String place = "seed " + seed + ", step " + step + ", " + counter.limit();
                law.accept(new Moment(counter.copy(), now, random.split(), place), counter.limit());
            }
        }
    }

    private static long pause(SplittableRandom random) {
        return switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4, 5 -> 0;
            case 6 -> random.nextLong(2) == 0 ? 2 * MINUTE : 1;
            case 7 -> -random.nextLong(10 * SECOND);
            case 8 -> -random.nextLong(MINUTE);
            default -> random.nextLong(12 * SECOND);
        };
    }

    private static void change(OneCounter counter, long now, SplittableRandom random) {
        switch (random.nextInt(12)) {
            case 0 -> counter.refund(now, random.nextLong(6));
            case 1 -> counter.giveBack(now, random.nextLong(6), now - random.nextLong(MINUTE));
            case 2 -> counter.under(RandomLimits.changed(counter.limit(), random));
            default -> counter.hit(now, random.nextLong(6));
        }
    }

    @ParameterizedTest
    @MethodSource("limits")
    void a_refused_check_is_refused_until_its_retry_and_admitted_then(Limit first) {
        int[] refused = {0};
        inAnyState(first, (moment, limit) -> {
            long hits = moment.random.nextLong(limit.capacity() + 1);
            Evaluation answer = moment.counter.hit(moment.now, hits);
            if (answer.admitted() == 1) {
                assertThat(answer.retryMicros()).as(moment.place).isZero();
                return;
            }
            refused[0]++;
            long retry = answer.retryMicros();
            assertThat(retry).as(moment.place).isPositive();
            assertThat(moment.counter.wouldAdmit(moment.now + retry - 1, hits))
                    .as(moment.place)
                    .isFalse();
            assertThat(moment.counter.wouldAdmit(moment.now + retry, hits))
                    .as(moment.place)
                    .isTrue();
        });
        assertThat(refused[0]).isGreaterThan(500);
    }

    @ParameterizedTest
    @MethodSource("limits")
    void what_never_fits_is_told_when_the_counter_is_untouched_or_the_window(Limit first) {
        inAnyState(first, (moment, limit) -> {
            long hits = limit.capacity() + 1 + moment.random.nextLong(3);
            Evaluation answer = moment.counter.hit(moment.now, hits);
            assertThat(answer.admitted()).as(moment.place).isZero();
            long untouched = answer.resetMicros();
            assertThat(answer.retryMicros())
                    .as(moment.place)
                    .isEqualTo(untouched == 0 ? limit.quota().windowMicros() : untouched);
        });
    }

    /** In fixed windows the reset is the end of the window, touched or not; elsewhere an untouched counter has none. */
    @ParameterizedTest
    @MethodSource("limits")
    void a_counter_is_as_untouched_at_its_reset_and_not_before(Limit first) {
        inAnyState(first, (moment, limit) -> {
            OneCounter counter = moment.counter;
            long now = moment.now;
            long reset = counter.copy().look(now).resetMicros();
            boolean isUntouched = counter.left(now) == limit.capacity();
            if (limit.algorithm() instanceof Algorithm.FixedWindow) {
                assertThat(reset).as(moment.place).isPositive();
            } else {
                assertThat(reset == 0).as(moment.place).isEqualTo(isUntouched);
            }
            if (!isUntouched) {
                assertThat(counter.left(now + reset - 1)).as(moment.place).isLessThan(limit.capacity());
            }
            var untouched = new OneCounter(limit);
            for (long later : new long[] {0, 1, 7 * SECOND, YEAR}) {
                assertThat(counter.copy().look(now + reset + later))
                        .as(moment.place)
                        .isEqualTo(untouched.copy().look(now + reset + later));
                assertThat(counter.copy().hit(now + reset + later, 3))
                        .as(moment.place)
                        .isEqualTo(untouched.copy().hit(now + reset + later, 3));
            }
        });
    }

    @ParameterizedTest
    @MethodSource("limits")
    void what_is_left_is_what_one_check_could_have(Limit first) {
        inAnyState(first, (moment, limit) -> {
            long left = moment.counter.left(moment.now);
            assertThat(left).as(moment.place).isBetween(0L, limit.capacity());
            if (left > 0) {
                assertThat(moment.counter.wouldAdmit(moment.now, left))
                        .as(moment.place)
                        .isTrue();
            }
            assertThat(moment.counter.wouldAdmit(moment.now, left + 1))
                    .as(moment.place)
                    .isFalse();
        });
    }

    @ParameterizedTest
    @MethodSource("limits")
    void a_look_changes_nothing(Limit first) {
        inAnyState(first, (moment, limit) -> {
            State before = moment.counter.state();
            Evaluation look = moment.counter.look(moment.now);
            assertThat(moment.counter.state()).as(moment.place).isSameAs(before);
            assertThat(moment.counter.look(moment.now)).as(moment.place).isEqualTo(look);
        });
    }

    @ParameterizedTest
    @MethodSource("limits")
    void a_refund_undoes_hits_creates_nothing_and_lifts_no_higher_than_the_capacity(Limit first) {
        inAnyState(first, (moment, limit) -> {
            OneCounter counter = moment.counter;
            long now = moment.now;
            long before = counter.left(now);
            boolean isMissing = counter.state() == null;
            OneCounter refunded = counter.copy();
            long hits = moment.random.nextLong(20);
            Evaluation answer = refunded.refund(now, hits);
            assertThat(answer.admitted()).as(moment.place).isEqualTo(1);
            assertThat(answer.left()).as(moment.place).isBetween(before, Math.min(limit.capacity(), before + hits));
            assertThat(refunded.state() == null || !isMissing).as(moment.place).isTrue();
            long taken = moment.random.nextLong(before + 1);
            assertThat(counter.hit(now, taken).left()).as(moment.place).isEqualTo(before - taken);
            assertThat(counter.refund(now, taken).left()).as(moment.place).isEqualTo(before);
        });
    }

    @ParameterizedTest
    @MethodSource("limits")
    void what_is_given_back_leaves_the_counter_no_better_than_if_it_had_never_been_charged(Limit first) {
        inAnyState(first, (moment, limit) -> {
            OneCounter never = moment.counter.copy();
            long hits = moment.random.nextLong(moment.counter.left(moment.now) + 1);
            Evaluation charged = moment.counter.hit(moment.now, hits);
            long later = moment.now + moment.random.nextLong(moment.random.nextBoolean() ? SECOND : 2 * MINUTE);
            long others = moment.random.nextLong(moment.counter.left(later) + 1);
            moment.counter.hit(later, others);
            never.hit(later, others);
            long unreturned = moment.counter.left(later);
            long returned = moment.counter.giveBack(later, hits, charged.at()).left();
            assertThat(returned)
                    .as(moment.place)
                    .isBetween(unreturned, Math.max(unreturned, never.left(later)))
                    .isLessThanOrEqualTo(unreturned + hits);
            if (later == moment.now) {
                assertThat(returned).as(moment.place).isEqualTo(never.left(later));
            }
        });
    }

    /** One plan can hold a counter against several limits: each sees what the ones before it charged, as a later plan would. */
    @ParameterizedTest
    @MethodSource("limits")
    void another_limit_at_the_same_instant_meets_what_the_first_one_left(Limit first) {
        inAnyState(first, (moment, limit) -> {
            Limit other = RandomLimits.changed(limit, moment.random);
            Model together = Model.at(moment.counter.state(), limit, moment.now);
            for (int i = 0; i < 4; i++) {
                Limit asking = i % 2 == 0 ? limit : other;
                together.under(asking);
                long hits = moment.random.nextLong(4);
                Evaluation one = Evaluation.ofHits(together, asking, 0, hits, 1);
                assertThat(one)
                        .as(moment.place)
                        .isEqualTo(moment.counter.under(asking).hit(moment.now, hits));
            }
        });
    }

    /** Each step of the clock admits at most one capacity more, and none closes a counter for longer than a window longer. */
    @ParameterizedTest
    @MethodSource("limits")
    void a_clock_that_steps_back_costs_at_most_a_capacity_and_a_window(Limit limit) {
        for (long seed = 1; seed <= 200; seed++) {
            var random = new SplittableRandom(seed);
            var counter = new OneCounter(limit);
            long now = NOON + random.nextLong(MINUTE);
            assertThat(spend(counter, now)).isEqualTo(limit.capacity());
            long retention = counter.copy().look(now).resetMicros();
            long[] sizes = {SECOND, MINUTE, 3 * MINUTE, 60 * MINUTE, 10 * YEAR};
            now -= 1 + random.nextLong(sizes[random.nextInt(sizes.length)]);
            assertThat(spend(counter, now)).as("seed %d", seed).isLessThanOrEqualTo(limit.capacity());
            Evaluation refused = counter.copy().hit(now, 1);
            assertThat(refused.admitted()).as("seed %d", seed).isZero();
            assertThat(refused.retryMicros()).as("seed %d", seed).isLessThanOrEqualTo(2 * MINUTE + retention);
            long open = limit.quota().windowMicros() + longestRetention(limit);
            assertThat(counter.left(now + open)).as("seed %d", seed).isEqualTo(limit.capacity());
        }
    }

    private static long spend(OneCounter counter, long now) {
        long spent = 0;
        for (int i = 0; i < 100 && counter.left(now) > 0; i++) {
            spent += counter.hit(now, 1).admitted();
        }
        return spent;
    }

    private static long longestRetention(Limit limit) {
        long window = limit.quota().windowMicros();
        return switch (limit.algorithm()) {
            case Algorithm.FixedWindow _, Algorithm.SlidingLog _ -> window;
            case Algorithm.SlidingWindow(int parts) -> window + window / parts;
            case Algorithm.TokenBucket _, Algorithm.LeakyBucket _, Algorithm.Gcra _ ->
                window * limit.capacity() / limit.quota().hits();
        };
    }

    @ParameterizedTest
    @MethodSource("limits")
    void every_limit_fits_every_window(Limit like) {
        for (Limit limit : RandomLimits.extremesOf(like)) {
            var counter = new OneCounter(limit);
            long hits = limit.quota().hits();
            assertThat(counter.look(NOON).left()).as("%s", limit).isEqualTo(hits);
            assertThat(counter.hit(NOON, hits).left()).as("%s", limit).isZero();
            Evaluation refused = counter.hit(NOON, 1);
            assertThat(refused.admitted()).as("%s", limit).isZero();
            long retry = refused.retryMicros();
            assertThat(counter.wouldAdmit(NOON + retry - 1, 1)).as("%s", limit).isFalse();
            assertThat(counter.wouldAdmit(NOON + retry, 1)).as("%s", limit).isTrue();
            long reset = counter.look(NOON).resetMicros();
            assertThat(counter.left(NOON + reset)).as("%s", limit).isEqualTo(hits);
            assertThat(counter.left(NOON + reset - 1)).as("%s", limit).isLessThan(hits);
            assertThat(counter.refund(NOON, 2 * Quota.MAX_HITS).left())
                    .as("%s", limit)
                    .isEqualTo(hits);
        }
    }
}
