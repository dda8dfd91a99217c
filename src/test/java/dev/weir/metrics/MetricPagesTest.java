package dev.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.weir.handshake.HandshakeFailure;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.meter.PrometheusText;
import dev.weir.rules.Domain;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.RateLimit;
import dev.weir.rules.RuleNode;
import dev.weir.rules.RuleSet;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.hawkular.agent.prometheus.text.TextPrometheusMetricsProcessor;
import org.hawkular.agent.prometheus.types.Histogram;
import org.hawkular.agent.prometheus.types.Metric;
import org.hawkular.agent.prometheus.types.MetricFamily;
import org.hawkular.agent.prometheus.types.MetricType;
import org.hawkular.agent.prometheus.walkers.CollectorPrometheusMetricsWalker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Prometheus reads, read by a parser of its format. */
final class MetricPagesTest {
    private static final Pattern TYPE = Pattern.compile("# TYPE (\\w+) \\w+");

    private final Statistics statistics = new Statistics(new Statistics.Options(0.8f, 100, false));

    @Test
    void before_anything_happened_there_is_nothing_under_the_go_service_s_names() {
        assertThat(scrape(false)).noneMatch(family -> family.getName().startsWith("ratelimit"));
    }

    @Test
    void counters_have_the_names_that_they_are_given() {
        statistics.rulesLoaded(3, 1, 1);
        statistics.answered(Ending.INVALID);
        statistics.answered(Ending.SHED);
        statistics.answered(Ending.DEFECT);
        statistics.answered(Ending.DEADLINE);
        statistics.series().configured("shop.user").add(Stat.TOTAL_HITS, 5);
        statistics.series().domainNotFound("nobody", 2);
        assertThat(counters(false))
                .containsEntry("ratelimit_service_config_load_success{}", "1.0")
                .containsEntry("ratelimit_service_should_rate_limit_error{err_type=service_error}", "3.0")
                .containsEntry("ratelimit_service_should_rate_limit_error{err_type=redis_error}", "1.0")
                .containsEntry("ratelimit_service_rate_limit_total_hits{domain=shop, key1=user}", "5.0")
                .containsEntry("ratelimit_service_rate_limit_nobody_domain_not_found{}", "2.0")
                .containsEntry("weir_requests_total{outcome=invalid}", "1.0")
                .containsEntry("weir_requests_total{outcome=ok}", "0.0")
                .doesNotContainKey("ratelimit_service_config_load_error{}");
    }

    @Test
    void what_differs_below_the_second_level_is_one_series() {
        statistics.series().configured("shop.a.b").add(Stat.OVER_LIMIT, 1);
        statistics.series().configured("shop.a.b.c").add(Stat.OVER_LIMIT, 2);
        statistics.series().configured("shop.a.b.d").add(Stat.OVER_LIMIT, 4);
        assertThat(counters(false))
                .containsEntry("ratelimit_service_rate_limit_over_limit{domain=shop, key1=a, key2=b}", "7.0");
    }

    @Test
    void values_of_callers_stay_inside_their_labels() {
        String value = "a\"} 1\\\n{x=\"ü";
        statistics.series().made("shop", "shop." + value).add(Stat.TOTAL_HITS, 1);
        assertThat(counters(false))
                .containsEntry("ratelimit_service_rate_limit_total_hits{domain=shop, key1=" + value + "}", "1.0");
    }

    @Test
    void refusals_from_memory_are_told_apart_only_where_that_is_asked_for() {
        statistics.series().configured("shop.user").add(Stat.OVER_LIMIT_WITH_LOCAL_CACHE, 3);
        String name = "ratelimit_service_rate_limit_shop_user_over_limit_with_local_cache{}";
        assertThat(counters(false)).doesNotContainKey(name);
        assertThat(counters(true)).containsEntry(name, "3.0");
    }

    /** Of signs that make labels empty, equal or escaped, or that part them at another place than names. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void what_is_asked_line_by_line_is_what_is_told(long seed) throws IOException {
        var random = new SplittableRandom(seed);
        List<Stat> stats = List.of(Stat.values());
        for (int i = 0; i < 3_000; i++) {
            var series = statistics.series().configured(name(random));
            for (int j = random.nextInt(stats.size()); j > 0; j--) {
                series.add(stats.get(random.nextInt(stats.size())), random.nextLong(1L << 40));
            }
        }
        for (int i = 0; i < 90; i++) {
            statistics.series().domainNotFound(name(random), 1 + random.nextInt(9));
        }
        for (int i = 0; i < 300; i++) {
            var limits = List.of(named(name(random) + "1"), named(name(random) + "2"));
            var node = new RuleNode(
                    "k" + name(random), "", new RateLimit(limits, List.of()), RuleNode.Flags.NONE, Map.of(), List.of());
            RuleSet.of(List.of(Domain.of("d" + name(random), List.of(node))))
                    .rules()
                    .forEach(rule -> statistics.hits().of(rule));
        }
        for (HitCounts.NamedSeries named : statistics.hitCounts().named()) {
            for (Stat stat : Stat.values()) {
                named.series().add(stat, random.nextInt(3));
            }
        }
        var pages = new MetricPages(statistics, random.nextBoolean());
        var told = new PrometheusText();
        pages.tell(told);
        var text = new StringWriter();
        told.write(text);
        assertThat(counted(pages.prometheus())).as("seed %d", seed).isEqualTo(counted(text.toString()));
    }

    private static NamedLimit named(String name) {
        return new NamedLimit(Limit.fixedWindow(Quota.per(Unit.MINUTE, 5)), name);
    }

    private static String name(SplittableRandom random) {
        List<String> signs =
                List.of("a", "b", "Z", "0", ".", ".", ".", "_", " ", "\"", "\\", "\n", "\u00fc", "\ud83d\ude00", "~");
        var name = new StringBuilder();
        for (int i = random.nextInt(9); i >= 0; i--) {
            name.append(signs.get(random.nextInt(signs.size())));
        }
        return name.toString();
    }

    private static List<String> counted(String page) {
        return page.lines()
                .filter(line -> !line.matches("(# (HELP|TYPE) )?(jvm|process)_.*"))
                .toList();
    }

    /** A page of a large rule set is longer than what is free of a heap while such a set is loaded. */
    @Test
    void writing_a_page_takes_a_small_part_of_its_length() throws IOException {
        for (int i = 0; i < 5_000; i++) {
            var series = statistics.series().configured("shop.path_/api/v1/resource/" + i + ".user");
            for (Stat stat : Stat.values()) {
                series.add(stat, 1 + i);
            }
        }
        var pages = new MetricPages(statistics, false);
        long length = pages.prometheus().length();
        pages.prometheus(Writer.nullWriter());
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        pages.prometheus(Writer.nullWriter());
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(length / 2);
    }

    @Test
    void response_times_are_a_histogram_for_each_method() {
        statistics.answered(Rpc.SHOULD_RATE_LIMIT, 200_000);
        statistics.answered(Rpc.SHOULD_RATE_LIMIT, 7_000_000);
        statistics.answered(Rpc.HEALTH_CHECK, 1_000);
        MetricFamily family = scrape(false).stream()
                .filter(f -> f.getName().equals("ratelimit_service_response_time_seconds"))
                .findFirst()
                .orElseThrow();
        assertThat(family.getType()).isEqualTo(MetricType.HISTOGRAM);
        assertThat(family.getMetrics()).hasSize(2);
        var times = (Histogram) family.getMetrics().getFirst();
        assertThat(times.getLabels()).isEqualTo(Map.of("grpc_method", "ShouldRateLimit"));
        assertThat(times.getSampleCount()).isEqualTo(2);
        assertThat(times.getSampleSum()).isEqualTo(0.0072);
        assertThat(times.getBuckets())
                .extracting(Histogram.Bucket::getUpperBound)
                .contains(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, Double.POSITIVE_INFINITY);
        assertThat(times.getBuckets())
                .filteredOn(bucket -> bucket.getUpperBound() == 0.005)
                .extracting(Histogram.Bucket::getCumulativeCount)
                .containsExactly(1L);
    }

    @Test
    void response_times_can_be_in_milliseconds() {
        var inMillis = new Statistics(new Statistics.Options(0.8f, 100, true));
        inMillis.answered(Rpc.SHOULD_RATE_LIMIT, 7_000_000);
        assertThat(new MetricPages(inMillis, false).prometheus())
                .contains("ratelimit_service_response_time_seconds_sum{grpc_method=\"ShouldRateLimit\"} 7\n")
                .contains(
                        "ratelimit_service_response_time_seconds_bucket{grpc_method=\"ShouldRateLimit\",le=\"10\"} 1\n");
    }

    @Test
    void a_batch_shows_in_its_size_and_in_how_long_it_took() {
        statistics.sent(40, 3);
        statistics.storeAnswered(1_500_000);
        statistics.watchStore(() -> true, () -> 3);
        assertThat(new MetricPages(statistics, false).prometheus())
                .contains("weir_store_batch_size_bucket{le=\"32\"} 0\n")
                .contains("weir_store_batch_size_bucket{le=\"64\"} 1\n")
                .contains("weir_store_latency_seconds_sum 0.0015\n")
                .contains("weir_store_checks_merged_total 3\n")
                .contains("weir_store_reachable 1\n");
    }

    @Test
    void what_the_process_takes_has_the_usual_names() {
        assertThat(scrape(false))
                .extracting(MetricFamily::getName)
                .contains(
                        "process_cpu_seconds_total",
                        "process_start_time_seconds",
                        "process_resident_memory_bytes",
                        "process_open_fds",
                        "jvm_memory_used_bytes",
                        "jvm_memory_max_bytes",
                        "jvm_gc_collection_seconds_count",
                        "jvm_threads_current");
    }

    /** But for those that the words of callers or of rules make: nobody can say beforehand what they mean. */
    @Test
    void each_metric_is_explained_in_a_sentence() {
        statistics.runs("0.1.0", "25");
        statistics.watchControlPlane(() -> true);
        statistics.watchCertificate("service", () -> Instant.EPOCH);
        statistics.redisMemory().told("redis-0:6379", "r1", 2_000_000, 0, false, 0);
        statistics.rulesLoaded(3, 1, 1);
        statistics.rulesRefused();
        statistics.answered(Ending.DEFECT);
        statistics.answered(Rpc.SHOULD_RATE_LIMIT, 1_000);
        for (Stat stat : Stat.values()) {
            statistics.series().configured("shop.user").add(stat, 1);
        }
        var pages = new MetricPages(statistics, true);
        var lines = pages.prometheus().lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            var type = TYPE.matcher(lines.get(i));
            if (type.matches() && !lines.get(i).contains("_shop_user_")) {
                assertThat(lines.get(i - 1)).matches("# HELP " + type.group(1) + " [A-Z1].{10,}\\.");
            }
        }
        assertThat(lines).contains("# HELP weir_rules_size Rules of the rule set in force.");
    }

    @Test
    void what_runs_is_told_in_labels() {
        statistics.runs("0.1.0", "25.0.3+9-LTS");
        System.gc(); // meters hold weakly what they ask
        var pages = new MetricPages(statistics, false);
        assertThat(pages.prometheus()).contains("weir_build_info{java=\"25.0.3+9-LTS\",version=\"0.1.0\"} 1\n");
        assertThat(pages.lines()).contains("weir.build.info{java=25.0.3+9-LTS,version=0.1.0}: 1");
    }

    @Test
    void each_redis_shows_its_memory() {
        statistics.redisMemory().told("redis-0:6379", "r1", 2_000_000, 0, false, 0);
        statistics.redisMemory().told("redis-1:6379", "r1", 3_000_000, 9_000_000, true, 70);
        statistics.redisMemory().told("redis-1:6379", "r1", 3_000_000, 9_000_000, true, 75);
        assertThat(new MetricPages(statistics, false).prometheus())
                .containsOnlyOnce("# TYPE weir_redis_memory_used_bytes gauge\n")
                .contains("weir_redis_memory_used_bytes{node=\"redis-0:6379\"} 2000000\n")
                .contains("weir_redis_memory_max_bytes{node=\"redis-0:6379\"} 0\n")
                .contains("weir_redis_memory_max_bytes{node=\"redis-1:6379\"} 9000000\n")
                .containsOnlyOnce("# TYPE weir_redis_memory_evicts gauge\n")
                .contains("weir_redis_memory_evicts{node=\"redis-0:6379\"} 0\n")
                .contains("weir_redis_memory_evicts{node=\"redis-1:6379\"} 1\n")
                .containsOnlyOnce("# TYPE weir_redis_evicted_keys_total counter\n")
                .contains("weir_redis_evicted_keys_total{node=\"redis-0:6379\"} 0\n")
                .contains("weir_redis_evicted_keys_total{node=\"redis-1:6379\"} 5\n");
    }

    @Test
    void a_certificate_shows_when_it_expires_and_callers_without_tls_are_counted() {
        var expiry = new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));
        var pages = new MetricPages(statistics, false);
        assertThat(pages.prometheus()).doesNotContain("weir_tls_expiry");
        statistics.watchCertificate("service", expiry::get);
        statistics.refusedByTls(HandshakeFailure.Kind.CERTIFICATE);
        assertThat(pages.prometheus())
                .contains("weir_tls_expiry_seconds{certificate=\"service\"} 1893456000\n")
                .contains("weir_tls_failures_total{reason=\"certificate\"} 1\n")
                .contains("weir_tls_failures_total{reason=\"clear\"} 0\n");
        expiry.set(Instant.parse("2031-01-01T00:00:00Z"));
        assertThat(pages.lines()).contains("weir.tls.expiry{certificate=service}: 1924992000");
    }

    @Test
    void a_gauge_that_cannot_be_asked_costs_no_other_line() {
        statistics.watchStore(
                () -> {
                    throw new IllegalStateException("made for this test");
                },
                () -> 3);
        var pages = new MetricPages(statistics, false);
        assertThat(pages.lines()).contains("weir.store.reachable: NaN", "weir.rules.size: 0");
        assertThat(pages.prometheus()).contains("weir_store_reachable NaN\n");
    }

    private Map<String, String> counters(boolean hasLocalCache) {
        Map<String, String> counters = new TreeMap<>();
        for (MetricFamily family : scrape(hasLocalCache)) {
            for (Metric metric : family.getMetrics()) {
                if (metric instanceof org.hawkular.agent.prometheus.types.Counter counter) {
                    counters.put(
                            metric.getName() + new TreeMap<>(metric.getLabels()), Double.toString(counter.getValue()));
                }
            }
        }
        return counters;
    }

    private List<MetricFamily> scrape(boolean hasLocalCache) {
        var walker = new CollectorPrometheusMetricsWalker();
        String page = new MetricPages(statistics, hasLocalCache).prometheus();
        new TextPrometheusMetricsProcessor(new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)), walker)
                .walk();
        return walker.getAllMetricFamilies();
    }
}
