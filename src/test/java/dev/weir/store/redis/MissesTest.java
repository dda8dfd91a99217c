package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.StoreException;
import org.junit.jupiter.api.Test;

/** When a counter of the pulse is lost, and the reason that is given. */
final class MissesTest {
    private final Misses misses = new Misses();

    @Test
    void one_miss_is_a_hiccup_once_redis_has_answered() {
        miss("refused", 1);
        assertThat(misses.areALoss()).isFalse();
        miss("refused", 1);
        assertThat(misses.areALoss()).isTrue();
        assertThat(misses.reason()).isEqualTo("refused");
        misses.end();
        assertThat(misses.areALoss()).isFalse();
        assertThat(misses.areNone()).isTrue();
    }

    @Test
    void before_the_first_answer_one_is_enough() {
        misses.miss(new StoreException("refused"), false);
        assertThat(misses.areALoss()).isTrue();
    }

    @Test
    void another_reason_holds_when_it_was_given_five_times_in_a_row() {
        miss("refused", 2);
        miss("wrong password", 4);
        assertThat(misses.reason()).isEqualTo("refused");
        miss("wrong password", 1);
        assertThat(misses.reason()).isEqualTo("wrong password");
    }

    @Test
    void reasons_that_take_turns_change_nothing() {
        miss("refused", 2);
        for (int i = 0; i < 5; i++) {
            miss("too late", 4);
            miss("refused", 1);
        }
        for (int i = 0; i < 5; i++) {
            miss("too late", 4);
            miss("closed", 4);
        }
        assertThat(misses.reason()).isEqualTo("refused");
    }

    private void miss(String reason, int times) {
        for (int i = 0; i < times; i++) {
            misses.miss(new StoreException(reason), true);
        }
    }
}
