package dev.weir.store.layer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A store of two parts, of which one is asked every 10 ms. */
final class SilenceTest {
    private long heardNanos = -1;
    private final Silence silence = new Silence(2, (part, nanos) -> part == 0 && heardNanos - nanos > 0);
    private long millis;

    @Test
    void a_part_that_has_not_answered_for_a_quarter_of_a_second_is_silent() {
        leaveUnanswered(0, 250);
        assertThat(isSilent()).isFalse();
        leaveUnanswered(0, 260);
        assertThat(isSilent()).isTrue();
        assertThat(silence.mayAsk(0, nanos())).isFalse();
        assertThat(silence.mayAsk(1, nanos())).as("the other answers").isTrue();
    }

    @Test
    void one_answer_between_is_enough() {
        leaveUnanswered(0, 200);
        silence.answered(0);
        leaveUnanswered(0, 440);
        assertThat(isSilent()).isFalse();
    }

    @Test
    void who_answers_too_late_for_anybody_is_not_silent() {
        for (int i = 0; i < 100; i++) {
            leaveUnanswered(0, millis + 200);
            heardNanos = nanos();
            assertThat(isSilent()).isFalse();
        }
        leaveUnanswered(0, millis + 280);
        assertThat(isSilent()).isTrue();
        heardNanos = nanos() + 1;
        leaveUnanswered(0, millis + 10);
        assertThat(isSilent()).as("the try was answered, late").isFalse();
    }

    @Test
    void an_answer_to_somebody_else_ends_it() {
        leaveUnanswered(0, 260);
        assertThat(isSilent()).isTrue();
        heardNanos = nanos() + 1;
        assertThat(isSilent()).isFalse();
        assertThat(isSilent()).isFalse();
        leaveUnanswered(0, millis + 240);
        assertThat(isSilent()).isFalse();
    }

    @Test
    void few_plans_tell_nothing_however_long_it_takes() {
        for (int i = 0; i < 7; i++) {
            millis += 1_000;
            silence.unanswered(0, nanos());
        }
        assertThat(isSilent()).isFalse();
        silence.unanswered(0, nanos());
        assertThat(isSilent()).isTrue();
    }

    @Test
    void many_plans_of_one_moment_tell_nothing() {
        for (int i = 0; i < 10_000; i++) {
            silence.unanswered(0, nanos());
        }
        assertThat(isSilent()).isFalse();
    }

    @Test
    void who_is_silent_is_asked_by_one_plan_in_fifty_milliseconds() {
        leaveUnanswered(0, 260);
        int asked = 0;
        for (int i = 0; i < 1_000; i++) {
            millis++;
            if (silence.mayAsk(0, nanos())) {
                silence.ask(0, nanos());
                asked++;
                silence.unanswered(0, nanos());
            }
        }
        assertThat(asked).isEqualTo(20);
    }

    @Test
    void a_try_that_was_not_asked_after_all_is_anothers() {
        leaveUnanswered(0, 260);
        millis += 50;
        silence.ask(0, nanos());
        assertThat(silence.mayAsk(0, nanos())).isFalse();
        silence.takeBack(0, nanos());
        assertThat(silence.mayAsk(0, nanos())).isTrue();
    }

    @Test
    void the_first_answer_ends_the_silence() {
        leaveUnanswered(0, 260);
        silence.answered(0);
        assertThat(isSilent()).isFalse();
        assertThat(silence.mayAsk(0, nanos())).isTrue();
        leaveUnanswered(0, 500);
        assertThat(isSilent()).as("all begins anew").isFalse();
    }

    @Test
    void who_answers_too_late_for_anybody_decides_nothing_until_he_is_in_time() {
        while (millis < 250) {
            leaveUnanswered(0, millis + 10);
            heardNanos = nanos();
            assertThat(silence.decidesNothing(0)).isFalse();
        }
        leaveUnanswered(0, 260);
        heardNanos = nanos() + 1;
        assertThat(isSilent()).as("it is heard of").isFalse();
        assertThat(silence.decidesNothing(0)).isTrue();
        assertThat(silence.isAny()).isTrue();
        assertThat(silence.isTimeToTry(0, nanos())).isFalse();
        millis += 50;
        assertThat(silence.isTimeToTry(0, nanos())).isTrue();
        assertThat(silence.decidesNothing(1)).isFalse();
        silence.answered(0);
        assertThat(silence.decidesNothing(0)).isFalse();
        assertThat(silence.isAny()).isFalse();
    }

    /** It has fallen silent, and it is not time for a try. */
    private boolean isSilent() {
        return !silence.mayAsk(0, nanos());
    }

    private void leaveUnanswered(int part, long untilMillis) {
        while (millis < untilMillis) {
            millis += 10;
            silence.unanswered(part, nanos());
        }
    }

    private long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
