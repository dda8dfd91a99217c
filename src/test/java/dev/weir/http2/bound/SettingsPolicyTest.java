package dev.weir.http2.bound;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SettingsPolicyTest {
    private static final long TEN_SECONDS = TimeUnit.SECONDS.toNanos(10);

    /** The clock may stand anywhere, and may pass its largest number between two changes. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MIN_VALUE, -1, Long.MAX_VALUE, Long.MAX_VALUE - 10_000_000_000L})
    void a_hundred_in_ten_seconds_are_welcome_and_no_more(long start) {
        var policy = new SettingsPolicy();
        assertThat(tooMany(policy, 100, start)).isZero();
        assertThat(policy.isTooMany(start)).isTrue();
        assertThat(policy.isTooMany(start + TEN_SECONDS)).isTrue();

        long next = start + TEN_SECONDS + 1;
        assertThat(tooMany(policy, 100, next)).isZero();
        assertThat(policy.isTooMany(next + TEN_SECONDS)).isTrue();
        assertThat(policy.isTooMany(next + TEN_SECONDS + 1)).isFalse();
    }

    private static int tooMany(SettingsPolicy policy, int changes, long nowNanos) {
        int count = 0;
        for (int i = 0; i < changes; i++) {
            count += policy.isTooMany(nowNanos) ? 1 : 0;
        }
        return count;
    }
}
