package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PlanTest {
    private static final Limit TEN = Limit.fixedWindow(Quota.per(Unit.MINUTE, 10));

    @ParameterizedTest
    @ValueSource(ints = {2, 16, 17, 500})
    void a_counter_that_is_asked_for_again_is_found_among_few_and_many(int checks) {
        var plan = new ArrayList<Check>();
        for (int i = 0; i < checks; i++) {
            plan.add(check(i));
        }
        assertThat(Plan.of(List.copyOf(plan)).repeats()).isFalse();
        plan.set(checks - 1, check(0));
        assertThat(Plan.of(plan).repeats()).isTrue();
    }

    private static Check check(int counter) {
        return Check.of(StoreContract.key("counter " + counter), TEN, 1);
    }
}
