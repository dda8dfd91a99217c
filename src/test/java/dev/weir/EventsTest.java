package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Refusal;
import dev.weir.metrics.MetricPages;
import dev.weir.metrics.Statistics;
import dev.weir.request.InvalidRequestException;
import dev.weir.rules.watch.RulesListener;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

/** What of all that happens is counted. */
final class EventsTest {
    private final Statistics statistics = new Statistics(new Statistics.Options(0.8f, 100, false));
    private final Events events = new Events(statistics, () -> {}, NOPLogger.NOP_LOGGER);

    @Test
    void while_the_service_warms_up_nothing_of_the_store_is_counted() {
        events.warmingUp(true);
        hear();
        assertThat(lines()).isNotEmpty().allMatch(line -> line.endsWith(": 0"));
        events.warmingUp(false);
        hear();
        assertThat(lines())
                .contains(
                        "weir.store.batches: 1",
                        "weir.store.latency: 1",
                        "weir.store.checks.remembered: 5",
                        "weir.store.failures: 1",
                        "weir.store.overruns: 1",
                        "weir.store.charges.kept: 1");
    }

    @Test
    void how_long_the_way_to_redis_takes_is_known_also_from_what_counts_for_nobody() {
        assertThat(events.tripNanos()).isZero();
        events.warmingUp(true);
        hear();
        assertThat(events.tripNanos()).isEqualTo(900);
    }

    @Test
    void what_ends_before_it_is_decided_is_counted() {
        events.refused(Refusal.METHOD);
        events.refused(new InvalidRequestException("not JSON"));
        events.failed();
        assertThat(lines())
                .contains(
                        "weir.calls.refused{reason=method}: 1",
                        "weir.requests{outcome=invalid}: 1",
                        "weir.requests{outcome=defect}: 1");
    }

    @Test
    void rules_that_all_go_are_seen_to_be_gone() {
        events.loaded(new RulesListener.Loaded(1, "2 files", 2, 17, List.of()));
        assertThat(lines()).contains("weir.rules.domains: 2", "weir.rules.size: 17");
        events.loaded(new RulesListener.Loaded(2, "0 files", 0, 0, List.of()));
        assertThat(lines()).contains("weir.rules.version: 2", "weir.rules.domains: 0", "weir.rules.size: 0");
    }

    private void hear() {
        events.sent(3, 1);
        events.answered(1_000, 900);
        events.unanswered();
        events.overrun();
        events.chargeKept();
        events.remembered(5);
    }

    private List<String> lines() {
        return new MetricPages(statistics, false).lines();
    }
}
