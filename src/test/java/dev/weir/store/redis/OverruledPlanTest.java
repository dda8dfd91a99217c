package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Queued;
import dev.weir.store.Reading;
import dev.weir.store.StoreContract;
import dev.weir.store.StoreException;
import dev.weir.store.Turnstile;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a plan does to those who stand outside of an overrun store when it is refused as its time is up. */
final class OverruledPlanTest {
    private static final long NOON = 1_000_000;
    private static final long PATIENCE = 15_000_000;
    private static final long SLICE = 20_000_000;
    private static final CounterKey HERE = StoreContract.key("here");
    private static final Limit TEN =
            new Limit(Quota.per(Unit.MINUTE, 10), new Algorithm.FixedWindow(), Charge.ON_ADMIT, 0);

    private final List<Queued> sent = new ArrayList<>();
    private long now;
    private int overruns;
    private final Turnstile<PendingPlan> turnstile = new Turnstile<>(this::begin, () -> overruns++, () -> now);

    /** From now on one is inside at a time. */
    @BeforeEach
    void overrun() {
        for (int slice = 0; slice < 3; slice++) {
            for (int i = 0; i < 3; i++) {
                PendingPlan late = come();
                now += PATIENCE;
                late.answer().completeExceptionally(new StoreException("too late"));
                now += SLICE;
                answer(true);
            }
        }
        assertThat(overruns).isOne();
        sent.clear();
    }

    @Test
    void who_is_answered_lets_the_next_one_in() {
        PendingPlan plan = come();
        come();
        assertThat(sent).hasSize(1);
        answer(false);
        answer(true);
        assertThat(plan.answer()).isDone();
        assertThat(sent).hasSize(3);
    }

    /** The thread that sees to it is nobody's who asks, and may not stay away from the others. */
    @Test
    void whose_time_is_up_lets_nobody_in_though_it_is_known_to_be_refused() {
        PendingPlan plan = come();
        come();
        answer(true);
        answer(false);
        assertThat(sent).as("the last gives back").hasSize(3);
        now += PATIENCE;
        plan.answer().completeExceptionally(new StoreException("too late"));
        assertThat(plan.answer().join()).extracting(Reading::isAdmitted).containsExactly(true, false);
        assertThat(sent).hasSize(3);
        come();
        assertThat(sent).as("who comes begins").hasSize(4);
    }

    private PendingPlan come() {
        var plan = new PendingPlan(
                Plan.of(List.of(Check.of(HERE, TEN, 1), Check.of(StoreContract.key("there"), TEN, 1))), _ -> {});
        turnstile.enter(plan);
        return plan;
    }

    private void begin(PendingPlan plan, Turnstile<PendingPlan>.Visit visit) {
        plan.visit(visit);
        ScatteredPlan.decide(plan, check -> check.key().equals(HERE) ? 0 : 1, sent::add, () -> {});
    }

    /** To what was sent last. */
    private void answer(boolean isAdmitted) {
        sent.getLast().answered(0, new Reading(isAdmitted, 9, 9, 0, 0, 0), NOON);
    }
}
