package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests are due at even times, by a clock that the test sets. */
final class TimetableTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    @Test
    void each_request_has_its_time_however_late_it_is_taken() {
        var timetable = new Timetable(0, 1_000);
        //   at ms -> due at ms
        takes(timetable, 0, 0);
        takes(timetable, 1, 1);
        takes(timetable, 2, 2);
        takes(timetable, 50, 3, 4, 5, 6, 7, 8, 9, 10); // a stall: those that were due in it, and not from now on
        takes(timetable, 50, 11);
    }

    @Test
    void nothing_is_due_before_its_time() {
        var timetable = new Timetable(5 * SECOND, 1_000);
        assertThat(timetable.isDue(5 * SECOND - 1)).isFalse();
        timetable.take();
        assertThat(timetable.isDue(5 * SECOND + MILLI - 1)).isFalse();
        assertThat(timetable.isDue(5 * SECOND + MILLI)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 999, 70_001, 1_000_000})
    void ten_seconds_of_any_rate_end_to_the_nanosecond(int rate) {
        var timetable = new Timetable(0, rate);
        for (long i = 0; i < 10L * rate; i++) {
            timetable.take();
        }
        assertThat(timetable.dueNanos()).isBetween(10 * SECOND - 1, 10 * SECOND);
    }

    @Test
    void a_clock_that_is_about_to_overflow_is_a_clock_like_any_other() {
        var timetable = new Timetable(Long.MAX_VALUE - MILLI, 1_000);
        timetable.take();
        timetable.take();
        assertThat(timetable.isDue(Long.MAX_VALUE)).isFalse();
        assertThat(timetable.isDue(Long.MAX_VALUE + MILLI)).isTrue();
    }

    private static void takes(Timetable timetable, long nowMillis, long... dueMillis) {
        for (long due : dueMillis) {
            assertThat(timetable.isDue(nowMillis * MILLI)).isTrue();
            assertThat(timetable.take()).isEqualTo(due * MILLI);
        }
    }
}
