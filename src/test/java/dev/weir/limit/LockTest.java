package dev.weir.limit;

import static dev.weir.limit.Timeline.MINUTE;
import static dev.weir.limit.Timeline.NOON;
import static dev.weir.limit.Timeline.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a refusal leads to where a limit locks its counter: ten hits a minute, and five minutes of nothing. */
final class LockTest {
    private static final long BLOCK = 300 * SECOND;

    static Stream<Limit> limits() {
        return RandomLimits.tenAMinute()
                .map(limit -> new Limit(limit.quota(), limit.algorithm(), limit.charge(), BLOCK / SECOND));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void a_refusal_locks_for_its_length_and_hits_do_not_prolong_it(Limit limit) {
        var counter = new OneCounter(limit);
        assertThat(counter.hit(NOON, limit.capacity()).admitted()).isEqualTo(1);
        Evaluation refused = counter.hit(NOON, 1);
        assertThat(refused.admitted()).isZero();
        assertThat(refused.retryMicros()).isEqualTo(BLOCK);
        for (long later : new long[] {0, 1, SECOND, MINUTE, BLOCK - 1}) {
            for (long hits = 0; hits < 3; hits++) {
                Evaluation locked = counter.copy().hit(NOON + later, hits);
                assertThat(locked.admitted()).isZero();
                assertThat(locked.left()).isZero();
                assertThat(locked.resetMicros()).isEqualTo(BLOCK - later);
                assertThat(locked.retryMicros()).isEqualTo(BLOCK - later);
            }
        }
        counter.hit(NOON + MINUTE, 1); // refused by the lock, and does not start another
        assertThat(counter.wouldAdmit(NOON + BLOCK - 1, 1)).isFalse();
        assertThat(counter.wouldAdmit(NOON + BLOCK, 1)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("limits")
    void a_look_starts_no_lock_even_where_it_is_refused(Limit limit) {
        var counter = new OneCounter(limit);
        counter.hit(NOON, limit.capacity());
        var tight = new Limit(Quota.per(Unit.MINUTE, 0), limit.algorithm(), limit.charge(), BLOCK / SECOND);
        counter.under(tight).look(NOON);
        counter.under(limit).look(NOON);
        assertThat(counter.left(NOON + 3 * MINUTE)).isEqualTo(limit.capacity());
        assertThat(counter.wouldAdmit(NOON + 3 * MINUTE, 1)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("limits")
    void a_locked_counter_is_charged_in_any_case_or_not_at_all(Limit limit) {
        var counter = new OneCounter(limit);
        counter.hit(NOON, 2);
        counter.hit(NOON, limit.capacity() - 1); // one too many: locks
        long before = counter.left(NOON);
        counter.hit(NOON, 1);
        long charged = before - counter.left(NOON);
        switch (limit.charge()) {
            case ON_ADMIT -> assertThat(charged).isZero();
            case ALWAYS, DRAIN -> assertThat(charged).isEqualTo(Math.min(1, before));
        }
    }

    @ParameterizedTest
    @MethodSource("limits")
    void a_refund_gives_back_and_leaves_the_lock_alone(Limit limit) {
        var counter = new OneCounter(limit);
        counter.hit(NOON, limit.capacity());
        counter.hit(NOON, 1);
        for (Evaluation refund : new Evaluation[] {
            counter.refund(NOON + SECOND, 2 * limit.capacity()), counter.giveBack(NOON + SECOND, 1, NOON)
        }) {
            assertThat(refund.admitted()).isEqualTo(1);
            assertThat(refund.left()).isZero();
            assertThat(refund.resetMicros()).isEqualTo(BLOCK - SECOND);
            assertThat(refund.retryMicros()).isZero();
        }
        assertThat(counter.left(NOON + SECOND)).isEqualTo(limit.capacity());
        assertThat(counter.hit(NOON + SECOND, 1).admitted()).isZero();
    }

    @ParameterizedTest
    @MethodSource("limits")
    void a_lock_outlives_an_edit_of_its_rule_and_holds_up_only_limits_that_lock(Limit limit) {
        var counter = new OneCounter(limit);
        counter.hit(NOON, limit.capacity());
        counter.hit(NOON, 1);
        var longer = new Limit(Quota.per(Unit.MINUTE, 1_000), limit.algorithm(), limit.charge(), 3_600);
        assertThat(counter.under(longer).look(NOON + MINUTE).resetMicros()).isEqualTo(BLOCK - MINUTE);
        assertThat(counter.under(limit.withoutLock()).look(NOON + 3 * MINUTE).admitted())
                .isEqualTo(1);
        assertThat(counter.under(limit).look(NOON + 3 * MINUTE).admitted()).isZero();
    }

    @Test
    void of_equal_checks_the_first_refused_one_locks_for_the_others() {
        Limit limit = new Limit(Quota.per(Unit.MINUTE, 10), new Algorithm.FixedWindow(), Charge.ON_ADMIT, 300);
        var counter = new OneCounter(limit);
        Evaluation six = counter.hits(NOON, 2, 6);
        assertThat(six.admitted()).isEqualTo(5);
        assertThat(six.retryMicros()).isEqualTo(BLOCK);
        assertThat(counter.hits(NOON, 0, 3).admitted()).isZero();
    }

    @Test
    void time_that_steps_back_prolongs_a_lock_by_no_more_than_its_length() {
        var lock = new Lock(NOON, BLOCK);
        //   seconds after the refusal, seconds left
        long[][] rows = {{0, 300}, {299, 1}, {300, 0}, {10_000, 0}, {-1, 301}, {-300, 600}, {-301, 0}, {-10_000_000, 0}
        };
        for (long[] row : rows) {
            assertThat(Lock.leftMicros(lock, NOON + row[0] * SECOND))
                    .as("%d s after", row[0])
                    .isEqualTo(row[1] * SECOND);
        }
        assertThat(Lock.leftMicros(lock, NOON + BLOCK - 1)).isEqualTo(1);
        assertThat(Lock.leftMicros(lock, NOON - BLOCK - 1)).isZero();
        assertThat(Lock.leftMicros(null, NOON)).isZero();
    }
}
