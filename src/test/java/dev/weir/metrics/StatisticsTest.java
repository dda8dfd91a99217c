package dev.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Refusal;
import dev.weir.limit.FailurePolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is counted shows up under its documented name. */
final class StatisticsTest {
    private final Statistics statistics = new Statistics(new Statistics.Options(0.8f, 100, false));
    private final MetricPages pages = new MetricPages(statistics, false);

    @Test
    void every_meter_is_there_from_the_start_and_sorted() {
        assertThat(pages.lines())
                .isSorted()
                .contains("weir.requests{outcome=no_rules}: 0", "weir.rules.version: 0", "weir.rules.domains: 0")
                .allMatch(line -> line.endsWith(": 0"))
                .hasSize(49);
    }

    @Test
    void counts_what_it_is_told() {
        statistics.answered(Ending.OVER_LIMIT);
        statistics.answered(Ending.OVER_LIMIT);
        statistics.answered(Ending.OK);
        statistics.refused(Refusal.CONTENT_TYPE);
        statistics.sent(40, 38);
        statistics.sent(2, 0);
        statistics.remembered(5);
        statistics.storeFailed();
        statistics.storeOverrun();
        statistics.chargeKept();
        statistics.hits().answeredBy(FailurePolicy.DENY);
        statistics.watchStore(() -> true, () -> 4);
        statistics.rulesLoaded(7, 2, 17);
        statistics.rulesRefused();
        var connections = new AtomicInteger(12);
        statistics.watchConnections(connections::get, () -> 3, () -> 5);
        System.gc(); // meters hold weakly what they ask
        assertThat(pages.lines())
                .contains(
                        "weir.requests{outcome=over_limit}: 2",
                        "weir.requests{outcome=ok}: 1",
                        "weir.calls.refused{reason=content_type}: 1",
                        "weir.store.batches: 2",
                        "weir.store.checks: 42",
                        "weir.store.checks.merged: 38",
                        "weir.store.checks.remembered: 5",
                        "weir.store.failures: 1",
                        "weir.store.overruns: 1",
                        "weir.store.charges.kept: 1",
                        "weir.store.reachable: 1",
                        "weir.replicas: 4",
                        "weir.descriptors.without.store{policy=deny}: 1",
                        "weir.descriptors.without.store{policy=allow}: 0",
                        "weir.rules.loads{outcome=ok}: 1",
                        "weir.rules.loads{outcome=failed}: 1",
                        "weir.rules.version: 7",
                        "weir.rules.domains: 2",
                        "weir.rules.size: 17",
                        "weir.rules.refused: 1",
                        "weir.connections: 12",
                        "weir.connections.refused: 3",
                        "weir.connections.sent.away: 5");
    }

    @Test
    void rules_are_refused_until_good_ones_come() {
        statistics.rulesRefused();
        statistics.rulesRefused();
        statistics.rulesLoaded(2, 1, 1);
        assertThat(pages.lines()).contains("weir.rules.refused: 0", "weir.rules.loads{outcome=failed}: 2");
    }

    @Test
    void whether_a_control_plane_speaks_is_told_where_there_is_one() {
        assertThat(pages.lines()).noneMatch(line -> line.startsWith("weir.controlplane"));
        var isConnected = new AtomicBoolean();
        statistics.watchControlPlane(isConnected::get);
        System.gc(); // meters hold weakly what they ask
        assertThat(pages.lines()).contains("weir.controlplane.connected: 0");
        isConnected.set(true);
        assertThat(pages.lines()).contains("weir.controlplane.connected: 1");
    }

    @Test
    void the_page_explains_every_meter_and_no_other() throws Exception {
        statistics.redisMemory().told("redis:6379", "r1", 1, 0, false, 0);
        statistics.runs("0.1.0", "25.0.3");
        statistics.watchControlPlane(() -> true);
        statistics.watchCertificate("service", () -> Instant.EPOCH);
        var row = Pattern.compile("(?m)^\\| `(weir\\.[a-z.]+)` \\|");
        var explained = row.matcher(Files.readString(Path.of("docs", "metrics.md")))
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(explained)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(pages.lines().stream(), Stream.of(MeterNames.LIMIT_HITS)) // made by rules
                                .map(line -> line.replaceAll("[{:].*", ""))
                                .distinct()
                                .toList());
    }
}
