package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.bench.Generator;
import dev.weir.bench.Totals;
import dev.weir.bench.load.Keys;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Question;
import dev.weir.bench.request.Route;
import dev.weir.testing.Eventually;
import dev.weir.testing.TcpProxy;
import dev.weir.testing.WeirCommand;
import dev.weir.testing.WeirProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code bin/weir bench} against a running Weir. The machine may be busy, so nothing is expected of speed. */
final class BenchIT {
    private static final String RULES = """
        domain: edge
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 4000000000 } }
          - { key: page, rate_limit: { unit: year, requests_per_unit: 3 } }
        """;

    private static WeirProcess weir;

    @BeforeAll
    static void start() {
        weir = WeirProcess.start(Map.of("edge.yaml", RULES));
    }

    @AfterAll
    static void stop() {
        weir.close();
    }

    @Test
    void a_closed_loop_counts_each_request_once_and_refuses_as_the_rule_says() throws JsonProcessingException {
        var told = json(bench("--json", "--duration", "1s", "--warmup", "0", "--key-count", "5", "page=p%d"));
        long requests = told.get("requests").asLong();
        assertThat(requests).isGreaterThan(100);
        // 5 keys of 3 hits a year pass, and nothing else; drawn so often, none was left out.
        assertThat(told.get("within").asLong()).isEqualTo(15);
        assertThat(told.get("over").asLong()).isEqualTo(requests - 15);
        assertThat(told.get("errors").asLong()).isZero();
        assertThat(told.get("errors_by_kind")).isEmpty();
        assertThat(told.get("first_error").isNull()).isTrue();
        assertThat(told.get("verdicts_per_second").asDouble()).isBetween(1.0, requests * 1.01);
        assertThat(told.get("streams").asInt()).isEqualTo(16);
        assertThat(told.get("descriptors").get(0).asText()).isEqualTo("page=p%d");
        double before = 0;
        for (String percentile : List.of("p50", "p90", "p99", "p99_9", "p99_99", "max")) {
            double millis = told.get("latency_ms").get(percentile).asDouble();
            assertThat(millis).as(percentile).isPositive().isGreaterThanOrEqualTo(before);
            before = millis;
        }
        assertThat(told.get("generator_cpu_us_per_request").asDouble()).isPositive();
    }

    @Test
    void an_open_loop_asks_at_its_rate_whatever_comes_back() throws JsonProcessingException {
        var told = json(bench("--json", "--duration", "2s", "--warmup", "1s", "--rate", "500", "user=u%d"));
        // Those of the warm-up that were under way at its end were counted here, and a busy machine lets many be.
        assertThat(told.get("requests").asLong()).isBetween(900L, 1_500L);
        assertThat(told.get("within").asLong() + told.get("errors").asLong())
                .isEqualTo(told.get("requests").asLong());
        assertThat(told.get("rate").asInt()).isEqualTo(500);
    }

    @Test
    void an_answer_after_the_deadline_is_an_error_whatever_the_service_says() throws JsonProcessingException {
        var ended =
                bench("--json", "--duration", "1s", "--warmup", "0", "--rate", "200", "--deadline", "1us", "user=u%d");
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.output()).contains("no request got a verdict: ");
        var told = parsed(ended);
        var kinds = told.get("errors_by_kind");
        long late = kinds.path("late").asLong();
        assertThat(late).as("%s", kinds).isPositive();
        assertThat(told.get("within").asLong() + told.get("over").asLong()).isZero();
        assertThat(late
                        + kinds.path("DEADLINE_EXCEEDED").asLong()
                        + kinds.path("reset").asLong())
                .as("%s", kinds)
                .isEqualTo(told.get("errors").asLong())
                .isEqualTo(told.get("requests").asLong());
    }

    @Test
    void people_get_a_line_for_each_second_and_a_table_whose_rows_add_up() {
        var ended = bench("--duration", "2s", "--warmup", "1s", "--keys", "zipf:1.1", "user=u%d,path=/a", "page=p");
        assertThat(ended.exitCode()).as(ended.output()).isZero();
        assertThat(ended.output().lines())
                .filteredOn(line -> line.contains("verdicts/s, p50"))
                .hasSize(3)
                .last()
                .asString()
                .startsWith("measured, second 2: ");
        assertThat(ended.output()).contains("keys        100,000 (zipf:1.1), seed 1");
        long all = row(ended, "requests");
        assertThat(all).isPositive().isEqualTo(row(ended, "within") + row(ended, "over limit") + row(ended, "errors"));
    }

    @Test
    void nobody_listening_ends_in_one_sentence_and_a_code() {
        var ended = WeirCommand.run("bench", "--address", "127.0.0.1:1", "--domain", "edge", "user=u%d");
        assertThat(ended).isEqualTo(new WeirCommand(1, "nobody listens at 127.0.0.1:1, or nobody lets us in\n"));
    }

    @Test
    void connections_that_are_cut_are_replaced_and_cost_what_was_under_way() throws InterruptedException {
        var user = new Question.Descriptor(List.of(new Question.Entry("user", "u%d")));
        var load = new Load(
                new Question("edge", List.of(user), 1),
                new Keys.Uniform(10),
                2,
                new Load.Pacing.Closed(4),
                Duration.ZERO,
                1);
        try (var proxy = TcpProxy.to(weir.grpcPort());
                var generator = Generator.connect(load, Route.inTheClear("127.0.0.1", proxy.port()))) {
            generator.begin();
            Eventually.await("verdicts", () -> taken(generator).verdicts() > 0);
            proxy.cut();
            var lost = new AtomicReference<>(new Totals());
            Eventually.await(
                    "the loss is seen",
                    () -> lost.updateAndGet(sum -> sum.plus(taken(generator))).errorCount() > 0);
            Eventually.await("both connections are replaced", () -> proxy.openConnections() == 2);
            Eventually.await("verdicts again", () -> {
                var next = taken(generator);
                lost.updateAndGet(sum -> sum.plus(next));
                return next.verdicts() > 0 && next.errorCount() == 0;
            });
            var all = lost.get().plus(generator.finish());
            assertThat(all.errors()).containsOnlyKeys("broken");
            assertThat(all.errorCount()).isLessThanOrEqualTo(8);
        }
    }

    private static Totals taken(Generator generator) {
        try {
            return generator.take();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static long row(WeirCommand ended, String name) {
        var row = Pattern.compile("(?m)^ *" + name + " +([\\d,]+)").matcher(ended.output());
        assertThat(row.find()).as("%s of %s", name, ended.output()).isTrue();
        return Long.parseLong(row.group(1).replace(",", ""));
    }

    private static WeirCommand bench(String... arguments) {
        var all = new ArrayList<>(List.of("bench", "--address", "127.0.0.1:" + weir.grpcPort(), "--domain", "edge"));
        all.addAll(List.of(arguments));
        return WeirCommand.run(all.toArray(String[]::new));
    }

    private static JsonNode json(WeirCommand ended) throws JsonProcessingException {
        assertThat(ended.exitCode()).as(ended.output()).isZero();
        return parsed(ended);
    }

    /** Errors are among the output here, so that the lines of progress stand before. */
    private static JsonNode parsed(WeirCommand ended) throws JsonProcessingException {
        String output = ended.output();
        return new ObjectMapper().readTree(output.substring(output.indexOf("{\n"), output.lastIndexOf("}") + 1));
    }
}
