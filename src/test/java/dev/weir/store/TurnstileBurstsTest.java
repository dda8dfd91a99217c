package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Plans that come together, in a time of its own: the store takes as long for each however many there are. After two seconds in
 * which it was too slow for all it is as good as before, and so is what becomes of them.
 */
final class TurnstileBurstsTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long PATIENCE = 15 * MILLI;
    private static final long TOO_SLOW = 2 * PATIENCE;
    private static final long APART = 50_000;

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
    private long now = -9 * SECOND;
    private long took;
    private int overruns;
    private int came;
    private int inTime;
    private long made;
    private final Turnstile<Guest> turnstile = new Turnstile<>(this::begin, () -> overruns++, () -> now);

    @ParameterizedTest
    @CsvSource({"4, 4, 200", "4, 6, 200", "8, 6, 200", "8, 6, 400", "20, 4, 200", "20, 6, 50"})
    void when_the_store_is_well_again_all_that_come_together_are_soon_in_time(int together, int millis, int between) {
        overrun(together, millis, between);
        run(5 * SECOND, together, between);
        assertAllInTime(10 * SECOND, together, between);
    }

    @Test
    void when_nobody_has_come_for_long_all_begin_at_once() {
        overrun(8, 6, 200);
        now += 3_600 * SECOND;
        assertAllInTime(MILLI, 60, 1_000);
    }

    /** However many of the slices that passed meanwhile were calm, the first was not. */
    @Test
    void when_nobody_has_come_for_long_all_begin_at_once_though_the_last_that_came_had_to_stand() {
        overrun(8, 6, 200);
        run(MILLI, 60, 1_000);
        now += 3_600 * SECOND;
        assertAllInTime(MILLI, 60, 1_000);
    }

    private void overrun(int together, int millis, int between) {
        took = millis * MILLI;
        assertAllInTime(2 * SECOND, together, between);
        took = TOO_SLOW;
        run(2 * SECOND, together, between);
        assertThat(overruns).isPositive();
        took = millis * MILLI;
    }

    private void assertAllInTime(long nanos, int together, int between) {
        came = 0;
        inTime = 0;
        run(nanos, together, between);
        assertThat(inTime).as("of %d", came).isEqualTo(came);
    }

    /** Ends when all that came have gone. */
    private void run(long nanos, int together, int millisBetween) {
        for (long at = now; at < now + nanos; at += millisBetween * MILLI) {
            for (int i = 0; i < together; i++) {
                at(at + i * APART, this::come);
            }
        }
        while (!events.isEmpty()) {
            Event next = events.remove();
            now = Math.max(now, next.at);
            next.what.run();
        }
    }

    private void come() {
        came++;
        var guest = new Guest();
        at(now + PATIENCE, guest::giveUp);
        turnstile.enter(guest);
    }

    private void begin(Guest guest, Turnstile<Guest>.Visit visit) {
        guest.visit = visit;
        at(now + took, () -> guest.answer(visit));
    }

    private void at(long nanos, Runnable what) {
        events.add(new Event(nanos, made++, what));
    }

    private record Event(long at, long number, Runnable what) {}

    private final class Guest extends TurnstileGuest {
        private Turnstile<Guest>.@Nullable Visit visit;
        private boolean isAnswered;
        private boolean isGone;

        private void answer(Turnstile<Guest>.Visit visit) {
            if (isGone) {
                visit.answeredTooLate();
            } else {
                isAnswered = true;
                inTime++;
                visit.answered();
            }
        }

        private void giveUp() {
            isGone = !isAnswered;
            if (isGone && visit != null) {
                visit.ended();
            }
        }

        @Override
        public boolean isOver() {
            return isGone || isAnswered;
        }
    }
}
