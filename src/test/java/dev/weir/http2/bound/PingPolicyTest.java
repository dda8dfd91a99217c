package dev.weir.http2.bound;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        assertThat(pingAtMillis(998)).isFalse();
        assertThat(pingAtMillis(999)).isFalse();
        assertThat(pingAtMillis(1_000)).isFalse(); // a second after the first, which makes up for one
        assertThat(pingAtMillis(1_500)).isFalse();
        assertThat(pingAtMillis(1_600)).isTrue();
    }

    /** Sent once a second, and never sooner. */
    @ParameterizedTest
    @ValueSource(ints = {2, 50, 900})
    void one_a_second_is_welcome_though_the_way_takes_now_more_and_now_less(int mostMillis) {
        var random = new SplittableRandom(1);
        for (int second = 0; second < 3_600; second++) {
            assertThat(pingAtMillis(1_000L * second + random.nextInt(mostMillis)))
                    .as("up to %d ms on the way, second %d", mostMillis, second)
                    .isFalse();
        }
    }

    @Test
    void three_a_second_are_too_many_in_the_end() {
        int pings = 0;
        while (pings < 100 && !pingAtMillis(334L * pings)) {
            pings++;
        }
        assertThat(pings).isLessThan(10);
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
