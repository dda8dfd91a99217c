package dev.weir.http2.bound;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PingPolicyTest {
    private final PingPolicy policy = new PingPolicy();

    @Test
    void one_a_second_is_welcome_for_ever() {
        for (int second = 0; second < 100; second++) {
            assertThat(pingAtMillis(1_000L * second)).isFalse();
        }
    }

    @Test
    void the_third_that_comes_too_soon_is_one_too_many() {
        assertThat(pingAtMillis(0)).isFalse();
        assertThat(pingAtMillis(999)).isFalse();
        assertThat(pingAtMillis(1_000)).isFalse(); // a second after the first
        assertThat(pingAtMillis(1_500)).isFalse();
        assertThat(pingAtMillis(1_600)).isTrue();
    }

    @Test
    void an_answer_makes_pings_welcome_again() {
        for (int i = 0; i < 100; i++) {
            assertThat(pingAtMillis(0)).isFalse();
            assertThat(pingAtMillis(1)).isFalse();
            policy.answered();
        }
    }

    private boolean pingAtMillis(long millis) {
        return policy.isTooMany(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
