package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A store that more comes to than it can take goes on working for those who still wait. Time is a number here. */
final class OverrunStoreTest {
    private static final long SECOND = 1_000_000_000;

    @ParameterizedTest
    @CsvSource({"1, 5000", "1, 80000", "1, 1000000", "8, 20000", "40, 6000", "512, 6000"})
    void whatever_a_plan_costs_most_of_what_can_be_answered_is_answered_in_time(int checks, long checkNanos) {
        for (double times : new double[] {1.2, 2, 5}) {
            var store = new OverrunStore(checks, checkNanos);
            store.run(times, SECOND);
            var account = store.run(times, 10 * SECOND);
            assertThat(account.inTime())
                    .as("at %s times the rate", times)
                    .isGreaterThan(store.plansIn(10 * SECOND) * 3 / 4);
            store.run(0.5, SECOND / 2);
            var after = store.run(0.5, 3 * SECOND);
            assertThat(after.late()).as("half a second after the load fell").isZero();
            assertThat(after.inTime()).isGreaterThan(store.plansIn(3 * SECOND) * 49 / 100);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 5000", "1, 80000", "40, 6000"})
    void whoever_comes_after_a_store_stood_still_is_answered_in_time(int checks, long checkNanos) {
        var store = new OverrunStore(checks, checkNanos);
        store.run(0.5, SECOND);
        store.stall(SECOND);
        store.run(0.5, SECOND + SECOND / 10);
        var after = store.run(0.5, SECOND);
        assertThat(after.late()).isZero();
        assertThat(after.inTime()).isGreaterThan(store.plansIn(SECOND) * 49 / 100);
    }
}
