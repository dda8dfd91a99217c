package dev.weir.limit;

import static dev.weir.limit.Timeline.DAY;
import static dev.weir.limit.Timeline.HOUR;
import static dev.weir.limit.Timeline.MILLI;
import static dev.weir.limit.Timeline.MINUTE;
import static dev.weir.limit.Timeline.NOON;
import static dev.weir.limit.Timeline.SECOND;
import static dev.weir.limit.Timeline.YEAR;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The generic cell rate algorithm, against the two forms in which the standard writes it. */
final class GcraModelTest {
    private static final Limit FIVE_A_SECOND = gcra(Quota.per(Unit.SECOND, 5), 3);

    private final Timeline story = new Timeline(FIVE_A_SECOND, MILLI);

    @Test
    void spends_the_burst_then_earns_one_hit_per_interval() {
        //   at ms, hits, left, reset, retry
        story.in(0, 1, 2, 200)
                .in(0, 2, 0, 600)
                .out(0, 1, 0, 600, 200) // burst spent
                .out(199.999, 1, 0, 400.001, 0.001)
                .in(200, 1, 0, 600) // exactly one interval later
                .out(300, 2, 0, 500, 300)
                .in(450, 1, 0, 550)
                .in(5_000, 0, 3, 0) // a long silence earns no more than the burst
                .in(5_000, 3, 0, 600)
                .out(5_000, 4, 0, 600, 600); // never fits
    }

    /**
     * ATM Forum, Traffic Management 4.1, and ITU-T I.371: with cell slots of delta, T = 4.5 delta and a tolerance tau, at most
     * floor(1 + tau / (T - delta)) cells conform back to back. A cell is nine hits here, a hit every half slot, so that tau =
     * burst * interval - T can be any half slot.
     */
    @ParameterizedTest
    @CsvSource({"0.5, 1", "1.5, 1", "3.5, 2", "7, 3", "14, 5", "35, 11"})
    void as_many_cells_conform_back_to_back_as_the_standard_says(double tau, int cells) {
        long delta = 10 * MILLI;
        var counter = new OneCounter(gcra(Quota.per(Unit.SECOND, 200), Math.round(9 + 2 * tau)));
        int conforming = 0;
        while (counter.hit(NOON + conforming * delta, 9).admitted() == 1) {
            conforming++;
        }
        assertThat(conforming).isEqualTo(cells);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 7, 1",
        "1, 7, 7",
        "60, 10, 25",
        "1, 700000, 1",
        "1, 700000, 3",
        "86400, 4294967295, 20",
        "31536000, 1, 1",
        "31536000, 3, 2",
        "315360000, 4294967295, 4294967295",
        "1, 4294967295, 9000"
    })
    void is_virtual_scheduling_and_the_continuous_state_leaky_bucket(long windowSeconds, long hits, long burst) {
        var quota = new Quota(hits, windowSeconds);
        for (int seed = 1; seed <= 3; seed++) {
            var random = new SplittableRandom(seed);
            var scheduling = new VirtualScheduling(quota, burst);
            var leaking = new LeakyBucket(quota, burst);
            var counter = new OneCounter(gcra(quota, burst));
            long now = NOON;
            for (int step = 0; step < 2_000; step++) {
                now += random.nextInt(4) == 0 ? 0 : random.nextLong(2 + 2 * quota.windowMicros() / hits);
                long cells = random.nextInt(3) == 0 ? 1 + random.nextLong(Math.min(burst, 1_000)) : 1;
                boolean conforms = scheduling.arrive(now, cells);
                String place = "seed " + seed + ", step " + step;
                assertThat(leaking.arrive(now, cells)).as(place).isEqualTo(conforms);
                Evaluation answer = counter.hit(now, cells);
                assertThat(answer.admitted()).as(place).isEqualTo(conforms ? 1 : 0);
                assertThat(answer.resetMicros()).as(place).isEqualTo(scheduling.resetMicros(now));
                if (!conforms) {
                    assertThat(answer.retryMicros()).as(place).isEqualTo(scheduling.retryMicros(now, cells));
                }
            }
        }
    }

    /** Time in microseconds times the quota's hits, so that the interval T is whole: the window. */
    private abstract static sealed class Standard {
        final BigInteger unit;
        final BigInteger interval;
        final BigInteger tolerance;

        Standard(Quota quota, long burst) {
            unit = BigInteger.valueOf(quota.hits());
            interval = BigInteger.valueOf(quota.windowMicros());
            tolerance = interval.multiply(BigInteger.valueOf(burst - 1));
        }
    }

    /** GCRA(T, tau) as virtual scheduling. Cells that arrive at once conform together or not at all. */
    private static final class VirtualScheduling extends Standard {
        private BigInteger arrival = BigInteger.ZERO;

        VirtualScheduling(Quota quota, long burst) {
            super(quota, burst);
        }

        boolean arrive(long micros, long cells) {
            BigInteger now = BigInteger.valueOf(micros).multiply(unit);
            BigInteger due = arrival;
            for (long cell = 0; cell < cells; cell++) {
                if (due.compareTo(now) < 0) {
                    due = now;
                }
                if (due.compareTo(now.add(tolerance)) > 0) {
                    return false; // too early; the arrival that is due stays
                }
                due = due.add(interval);
            }
            arrival = due;
            return true;
        }

        long resetMicros(long micros) {
            return Math.max(0, up(arrival) - micros);
        }

        long retryMicros(long micros, long cells) {
            BigInteger others = interval.multiply(BigInteger.valueOf(cells - 1));
            return up(arrival.add(others).subtract(tolerance)) - micros;
        }

        private long up(BigInteger time) {
            return time.add(unit).subtract(BigInteger.ONE).divide(unit).longValueExact();
        }
    }

    /** GCRA(T, tau) as a continuous-state leaky bucket. */
    private static final class LeakyBucket extends Standard {
        private BigInteger level = BigInteger.ZERO;
        private BigInteger lastConforming = BigInteger.ZERO;

        LeakyBucket(Quota quota, long burst) {
            super(quota, burst);
        }

        boolean arrive(long micros, long cells) {
            BigInteger now = BigInteger.valueOf(micros).multiply(unit);
            BigInteger left = level.subtract(now.subtract(lastConforming)).max(BigInteger.ZERO);
            for (long cell = 0; cell < cells; cell++) {
                if (left.compareTo(tolerance) > 0) {
                    return false;
                }
                left = left.add(interval);
            }
            level = left;
            lastConforming = now;
            return true;
        }
    }

    @Test
    void costs_known_afterwards_take_what_is_left() {
        story.under(new Limit(FIVE_A_SECOND.quota(), new Algorithm.Gcra(3), Charge.DRAIN, 0))
                .in(0, 2, 1, 400)
                .out(0, 3, 1, 600, 600)
                .out(0, 0, 0, 600, 200)
                .in(200, 0, 1, 400);
    }

    @Test
    void a_look_changes_nothing() {
        story.in(0, 0, 3, 0);
        assertThat(story.counter.state()).isNull();
        story.in(0, 3, 0, 600);
        State spent = story.counter.state();
        story.in(0, 0, 0, 600).in(201, 0, 1, 399).in(600, 0, 3, 0);
        assertThat(story.counter.state()).isSameAs(spent);
    }

    @Test
    void a_refund_moves_the_schedule_back_and_never_behind_now() {
        story.back(0, 5, 3, 0);
        assertThat(story.counter.state()).isNull();
        story.in(0, 3, 0, 600).back(50, 2, 2, 150).in(50, 2, 0, 550).back(60, 100, 3, 0);
        assertThat(story.counter.state()).isNull();
        story.in(60, 3, 0, 600);
    }

    @Test
    void what_was_charged_is_given_back_less_what_has_been_earned_since() {
        //   ms later -> left after two of three are given back
        for (long[] row : new long[][] {{0, 2}, {1, 2}, {199, 2}, {200, 2}, {399, 2}, {400, 2}, {401, 2}, {600, 3}}) {
            var counter = new OneCounter(FIVE_A_SECOND);
            counter.hit(NOON, 1);
            Evaluation charged = counter.hit(NOON, 2);
            long later = NOON + row[0] * MILLI;
            Evaluation after = counter.giveBack(later, 2, charged.at());
            assertThat(after.left()).as("%d ms later", row[0]).isEqualTo(row[1]);
            long due = Math.max(0, (row[0] <= 400 ? 200 : 600 - row[0])) * MILLI;
            assertThat(after.resetMicros()).as("%d ms later", row[0]).isEqualTo(due);
        }
    }

    @Test
    void overrides_alternate_on_one_schedule() {
        Limit ten = gcra(Quota.per(Unit.SECOND, 10), 3);
        Limit three = gcra(Quota.per(Unit.SECOND, 3), 3);
        Limit none = gcra(Quota.per(Unit.SECOND, 0), 3);
        story.in(0, 3, 0, 600)
                .under(ten)
                .out(0, 1, 0, 300, 100) // the three hits stay, which are due sooner now
                .in(0, 0, 0, 300)
                .in(100, 1, 0, 300)
                .under(three)
                .out(100, 1, 0, 1_000, 333.334)
                .in(433.334, 1, 0, 1_000)
                .under(none)
                .out(433.334, 1, 0, 1_000, 1_000)
                .out(433.334, 0, 0, 1_000, 1_000)
                .under(FIVE_A_SECOND)
                .out(433.334, 1, 0, 600, 200)
                .out(633.333, 1, 0, 400.001, 0.001)
                .in(633.334, 1, 0, 600); // two thirds of a microsecond were earned under the limit of three
    }

    @Test
    void a_raised_limit_has_all_that_it_has_more() {
        var day = new OneCounter(gcra(Quota.per(Unit.DAY, 100), 100));
        assertThat(day.hit(NOON, 100).left()).isZero();
        day.under(gcra(Quota.per(Unit.DAY, 1_000), 1_000));
        assertThat(day.hit(NOON, 900).admitted()).isEqualTo(1);
        assertThat(day.hit(NOON, 1).admitted()).isZero();
    }

    @Test
    void a_lowered_limit_waits_for_the_hits_of_the_larger_one() {
        var hour = new OneCounter(gcra(Quota.per(Unit.HOUR, 1_000), 1_000));
        hour.hit(NOON, 500);
        hour.under(gcra(Quota.per(Unit.HOUR, 10), 10));
        assertThat(hour.look(NOON).admitted()).isZero();
        assertThat(hour.hit(NOON, 1).retryMicros()).isEqualTo(491 * HOUR / 10);
        assertThat(hour.wouldAdmit(NOON + 491 * HOUR / 10 - 1, 1)).isFalse();
        assertThat(hour.wouldAdmit(NOON + 491 * HOUR / 10, 1)).isTrue();
    }

    /** Four billion hits of one a day: more microseconds than there are numbers for. */
    @Test
    void hits_that_a_limit_has_no_time_for_stay_until_they_are_gone_at_their_own_rate() {
        Limit largest = gcra(Quota.per(Unit.DAY, Quota.MAX_HITS), Quota.MAX_HITS);
        for (long hits : new long[] {0, 1}) {
            Limit small = gcra(Quota.per(Unit.DAY, hits), 1);
            var counter = new OneCounter(largest);
            counter.hit(NOON, Quota.MAX_HITS);
            State spent = counter.state();
            counter.under(small);
            assertThat(counter.look(NOON + HOUR).admitted()).isZero();
            assertThat(counter.hit(NOON + HOUR, 1).retryMicros()).isEqualTo(23 * HOUR);
            assertThat(counter.refund(NOON + HOUR, 1).resetMicros()).isEqualTo(23 * HOUR);
            assertThat(counter.giveBack(NOON + HOUR, 1, NOON).left()).isZero();
            assertThat(counter.state()).isSameAs(spent);
            assertThat(counter.wouldAdmit(NOON + DAY - 1, hits)).isFalse();
            assertThat(counter.wouldAdmit(NOON + DAY, hits)).isTrue();
        }
    }

    @Test
    void limits_of_one_request_lose_nothing_of_what_another_has_counted() {
        Limit largest = gcra(Quota.per(Unit.DAY, Quota.MAX_HITS), Quota.MAX_HITS);
        Model model = Model.at(null, largest, NOON);
        model.take(Quota.MAX_HITS - 1);
        for (long hits : new long[] {1, 0, 700_001, 3_000_000_019L, Quota.MAX_HITS}) {
            model.under(gcra(Quota.per(Unit.DAY, hits), 1));
        }
        model.under(largest);
        assertThat(model.left()).isEqualTo(1);
        assertThat(model.resetMicros()).isEqualTo(DAY - 20);
    }

    @Test
    void a_limit_of_zero_admits_looks_and_nothing_else() {
        story.under(gcra(Quota.per(Unit.MINUTE, 0), 5)).in(0, 0, 0, 0).out(0, 1, 0, 0, 60_000);
        assertThat(story.counter.state()).isNull();
    }

    @Test
    void one_a_year() {
        var counter = new OneCounter(gcra(Quota.per(Unit.YEAR, 1), 1));
        assertThat(counter.hit(NOON, 1).resetMicros()).isEqualTo(YEAR);
        assertThat(counter.hit(NOON + DAY, 1).retryMicros()).isEqualTo(YEAR - DAY);
        assertThat(counter.hit(NOON + YEAR - 1, 1).admitted()).isZero();
        assertThat(counter.hit(NOON + YEAR, 1).admitted()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {700_000, 999_999, 300_007})
    void a_second_holds_as_many_hits_as_its_limit_says(long hits) {
        var counter = new OneCounter(gcra(Quota.per(Unit.SECOND, hits), 2));
        long admitted = 0;
        for (long at = NOON; at < NOON + SECOND; at++) {
            admitted += counter.hit(at, 1).admitted();
        }
        assertThat(admitted).isBetween(hits, hits + 1);
    }

    @Test
    void the_largest_limit_a_day_is_earned_back_by_the_microsecond() {
        var counter = new OneCounter(gcra(Quota.per(Unit.DAY, Quota.MAX_HITS), Quota.MAX_HITS));
        assertThat(counter.hit(NOON, Quota.MAX_HITS).resetMicros()).isEqualTo(DAY);
        assertThat(counter.hit(NOON, 1).retryMicros()).isEqualTo(21); // 86,400 s / 4,294,967,295 = 20.1 us
        assertThat(counter.left(NOON + 20)).isZero();
        assertThat(counter.left(NOON + 21)).isEqualTo(1);
        assertThat(counter.left(NOON + DAY / 2)).isEqualTo(Quota.MAX_HITS / 2);
        assertThat(counter.left(NOON + DAY)).isEqualTo(Quota.MAX_HITS);
    }

    @Test
    void time_that_steps_back_stands_still_for_a_window_and_no_longer() {
        Limit limit = gcra(Quota.per(Unit.MINUTE, 10), 20);
        for (long back : new long[] {1, 5 * SECOND, MINUTE}) {
            var counter = new OneCounter(limit);
            counter.hit(NOON, 18);
            Evaluation refused = counter.hit(NOON - back, 4);
            assertThat(refused.admitted()).as("%d us back", back).isZero();
            assertThat(refused.at()).isEqualTo(NOON);
            assertThat(refused.left()).isEqualTo(2);
            assertThat(refused.retryMicros()).isEqualTo(back + 12 * SECOND);
            assertThat(refused.resetMicros()).isEqualTo(back + 108 * SECOND);
        }
        for (long back : new long[] {MINUTE + 1, HOUR, 7 * YEAR}) {
            var counter = new OneCounter(limit);
            counter.hit(NOON, 20);
            assertThat(counter.hit(NOON - back, 20).left())
                    .as("%d us back", back)
                    .isZero();
            assertThat(counter.hit(NOON - back, 1).retryMicros()).isEqualTo(6 * SECOND);
        }
    }

    private static Limit gcra(Quota quota, long burst) {
        return Limit.of(quota, new Algorithm.Gcra(burst));
    }
}
