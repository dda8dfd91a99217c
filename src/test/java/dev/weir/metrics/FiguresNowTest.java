package dev.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.live.Figures;
import org.junit.jupiter.api.Test;

/** What is counted, taken down for who wants to see what changes. */
final class FiguresNowTest {
    private static final long MILLI = 1_000_000;

    private final Statistics statistics = new Statistics(new Statistics.Options(0.8f, 100, false));

    @Test
    void of_nothing_there_is_nothing() {
        var figures = FiguresNow.of(statistics);
        assertThat(figures.requests().keySet())
                .containsExactly(
                        "ok", "over_limit", "invalid", "store_failure", "no_rules", "deadline", "shed", "defect");
        assertThat(figures.requests().values()).containsOnly(0L);
        assertThat(figures.answers().count()).isZero();
        assertThat(figures.rules()).isEmpty();
        assertThat(figures.state()).isEqualTo(new Figures.State(false, 0, 0, 0, 0, false));
    }

    @Test
    void requests_and_the_store_are_told() {
        statistics.answered(Ending.OK);
        statistics.answered(Ending.OVER_LIMIT);
        statistics.answered(Ending.OVER_LIMIT);
        statistics.answered(Rpc.SHOULD_RATE_LIMIT, 2 * MILLI);
        statistics.answered(Rpc.HEALTH_CHECK, 2 * MILLI);
        statistics.storeAnswered(3 * MILLI);
        statistics.storeFailed();
        statistics.remembered(7);
        var figures = FiguresNow.of(statistics);
        assertThat(figures.requests()).containsEntry("ok", 1L).containsEntry("over_limit", 2L);
        assertThat(figures.answers().count()).isEqualTo(1);
        assertThat(figures.answers().quantile(0.5)).isBetween(1.0 * MILLI, 2.5 * MILLI);
        assertThat(figures.store().count()).isEqualTo(1);
        assertThat(figures.checksRemembered()).isEqualTo(7);
        assertThat(figures.storeFailures()).isEqualTo(1);
    }

    /** Else answers would seem the faster the more is turned away. */
    @Test
    void what_was_turned_away_makes_answers_no_faster() {
        for (int i = 0; i < 6; i++) {
            statistics.answered(Rpc.SHOULD_RATE_LIMIT, 0);
        }
        for (int i = 0; i < 4; i++) {
            statistics.answered(Rpc.SHOULD_RATE_LIMIT, 15 * MILLI);
        }
        assertThat(FiguresNow.of(statistics).answers().count()).isEqualTo(4);
        assertThat(FiguresNow.of(statistics).answers().quantile(0.5)).isGreaterThan(10.0 * MILLI);
    }

    /** Whatever Prometheus is shown. */
    @Test
    void times_are_nanoseconds() {
        var inMillis = new Statistics(new Statistics.Options(0.8f, 100, true));
        inMillis.answered(Rpc.SHOULD_RATE_LIMIT, 2 * MILLI);
        assertThat(FiguresNow.of(inMillis).answers().quantile(0.5)).isBetween(1.0 * MILLI, 2.5 * MILLI);
    }

    @Test
    void rules_that_were_hit_are_told() {
        var user = statistics.series().configured("shop.user");
        user.add(Stat.TOTAL_HITS, 9);
        user.add(Stat.NEAR_LIMIT, 2);
        user.add(Stat.OVER_LIMIT, 3);
        var _ = statistics.series().configured("shop.path");
        assertThat(FiguresNow.of(statistics).rules()).containsExactly(new Figures.OfRule("shop.user", 9, 2, 3));
    }

    @Test
    void the_state_is_told() {
        statistics.watchStore(() -> true, () -> 2);
        statistics.watchConnections(() -> 3, () -> 0, () -> 0);
        statistics.rulesLoaded(7, 1, 5);
        statistics.rulesRefused();
        assertThat(FiguresNow.of(statistics).state()).isEqualTo(new Figures.State(true, 3, 2, 7, 5, true));
    }
}
