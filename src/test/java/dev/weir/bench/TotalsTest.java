package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read back is what was counted, latencies to three digits. */
final class TotalsTest {
    private static final long MILLI = 1_000_000;

    private final Totals totals = new Totals();

    @Test
    void without_requests_everything_is_zero() {
        assertThat(totals.requests()).isZero();
        assertThat(totals.latencyNanos(99)).isZero();
        assertThat(totals.meanNanos()).isZero();
        assertThat(totals.firstError()).isNull();
    }

    @Test
    void requests_are_verdicts_and_errors_of_all_kinds() {
        totals.answered(10, false);
        totals.answered(10, true);
        totals.answered(10, true);
        totals.late(99);
        totals.failed(Failure.status("14", "no store"));
        totals.failed(Failure.status("14", "still none"));
        totals.failed(Failure.status("77", ""));
        totals.failed(Failure.reset(8));
        assertThat(totals.within()).isEqualTo(1);
        assertThat(totals.over()).isEqualTo(2);
        assertThat(totals.errors()).isEqualTo(Map.of("late", 1L, "UNAVAILABLE", 2L, "UNKNOWN", 1L, "reset", 1L));
        assertThat(totals.errorCount()).isEqualTo(5);
        assertThat(totals.requests()).isEqualTo(8);
        assertThat(totals.firstError()).isEqualTo("no answer within the deadline");
    }

    @Test
    void a_quick_failure_is_no_quick_answer_but_a_late_answer_is_a_slow_one() {
        totals.answered(10 * MILLI, false);
        totals.failed(Failure.UNANSWERED);
        totals.late(30 * MILLI);
        assertThat(totals.latencyNanos(50)).isBetween(10 * MILLI, 10 * MILLI + MILLI / 100);
        assertThat(totals.latencyNanos(100)).isBetween(30 * MILLI, 30 * MILLI + MILLI / 30);
    }

    @Test
    void why_a_service_ended_a_connection_is_told_though_no_request_failed_of_it() {
        totals.dismissed(Failure.dismissed(11, "calm"));
        totals.failed(Failure.UNANSWERED);
        assertThat(totals.connectionsLost()).isEqualTo(1);
        assertThat(totals.requests()).isEqualTo(1);
        assertThat(totals.firstError()).isEqualTo("the service ended the connection: ENHANCE_YOUR_CALM: calm");
    }

    @Test
    void two_tallies_make_one_and_stay_as_they_are() {
        var other = new Totals();
        totals.answered(1_000, false);
        other.answered(3_000, true);
        other.failed(Failure.UNSENT);
        other.lostConnection();
        other.failedReconnect();
        totals.failedReconnect();
        var sum = totals.plus(other);
        assertThat(sum.requests()).isEqualTo(3);
        assertThat(sum.meanNanos()).isBetween(1_999.0, 2_001.0);
        assertThat(sum.firstError()).contains("more slowly");
        assertThat(sum.connectionsLost()).isEqualTo(1);
        assertThat(sum.reconnectsFailed()).isEqualTo(2);
        assertThat(totals.requests()).isEqualTo(1);
        assertThat(other.requests()).isEqualTo(2);
    }

    /**
     * A service that answers in 1 ms stands still for a second. Of 1,000 requests a second, for ten seconds, one was under way
     * when it stopped; who asks only after an answer sees one slow request in thousands. Who reckons from when each was due
     * sees that a tenth of all waited, up to a second.
     */
    @Test
    void a_stall_is_felt_by_all_who_would_have_asked_during_it() {
        var asking = new Timetable(0, 1_000);
        var sentLate = new Totals();
        for (long now = 0; now < 10_000 * MILLI; now += MILLI) {
            boolean isStill = now > 5_000 * MILLI && now < 6_000 * MILLI;
            while (!isStill && asking.isDue(now)) {
                totals.answered(now + MILLI - asking.take(), false);
                sentLate.answered(MILLI, false);
            }
        }
        assertThat(totals.verdicts()).isEqualTo(10_000);
        assertThat(totals.latencyNanos(100)).isBetween(999 * MILLI, 1_001 * MILLI);
        assertThat(totals.latencyNanos(95)).isBetween(490 * MILLI, 510 * MILLI);
        assertThat(totals.latencyNanos(89)).isLessThan(2 * MILLI);
        assertThat(sentLate.latencyNanos(100))
                .as("what would be seen otherwise")
                .isLessThan(2 * MILLI);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void percentiles_are_right_to_three_digits(long seed) {
        var random = new SplittableRandom(seed);
        long[] durations = new long[10_000];
        Arrays.setAll(durations, _ -> random.nextLong(1L << random.nextInt(1, 40)));
        Arrays.stream(durations).forEach(nanos -> totals.answered(nanos, false));
        Arrays.sort(durations);
        for (int percent = 1; percent <= 100; percent++) {
            long exact = durations[percent * 100 - 1];
            assertThat(totals.latencyNanos(percent))
                    .as("seed %d, percentile %d", seed, percent)
                    .isBetween(exact - exact / 1_000, exact + exact / 1_000 + 1);
        }
    }
}
