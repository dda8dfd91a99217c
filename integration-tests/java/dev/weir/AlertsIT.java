package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.testing.Promtool;
import dev.weir.testing.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alerts of the chart, read and tried by Prometheus's own tool, and the meters that they and the dashboard ask for. */
final class AlertsIT {
    private static final Path FILES = Path.of("helm", "weir", "files").toAbsolutePath();
    private static final Path ALERTS = FILES.resolve("alerts.yaml");
    private static final Path TESTS = Path.of("integration-tests", "resources", "alerts", "alerts_test.yaml")
            .toAbsolutePath();
    private static final Pattern METER = Pattern.compile("\\b(weir|ratelimit|jvm|process)_[a-z_]+");
    private static final String OF_HITS = "ratelimit_service_rate_limit_";
    private static final Pattern SERIES = Pattern.compile("\\b(?:weir|ratelimit|jvm|process)_[a-z_]+(?=(.*))");

    @Test
    void prometheus_reads_them() {
        assertThat(Promtool.require().run("check", "rules", ALERTS.toString())).contains("16 rules found");
    }

    @Test
    void they_fire_when_they_should_and_only_then() {
        assertThat(Promtool.require().run("test", "rules", TESTS.toString())).contains("SUCCESS");
    }

    @Test
    void an_alert_that_fires_too_late_is_found(@TempDir Path folder) throws IOException {
        var promtool = Promtool.require();
        var alerts = Files.writeString(
                folder.resolve("alerts.yaml"), Yaml.text(ALERTS).replace("for: 1m", "for: 10m"));
        var tests = Files.writeString(
                folder.resolve("tests.yaml"),
                Yaml.text(TESTS).replaceFirst("(?m)^rule_files: .*$", "rule_files: [" + alerts.getFileName() + "]"));
        assertThatThrownBy(() -> promtool.run("test", "rules", tests.toString()))
                .hasMessageContaining("WeirStoreUnreachable");
    }

    @Test
    void each_is_tried_and_each_is_tried_in_vain() {
        var alerts = names(Yaml.documents(ALERTS).getFirst().findValues("alert"));
        var tries = Yaml.documents(TESTS).getFirst().findValues("alert_rule_test").stream()
                .flatMap(list -> StreamSupport.stream(list.spliterator(), false))
                .toList();
        var firing = tries.stream().filter(one -> !one.get("exp_alerts").isEmpty());
        var silent = tries.stream().filter(one -> one.get("exp_alerts").isEmpty());
        assertThat(names(firing.map(one -> one.get("alertname")).toList())).isEqualTo(alerts);
        assertThat(names(silent.map(one -> one.get("alertname")).toList())).isEqualTo(alerts);
    }

    @Test
    void every_meter_that_they_and_the_dashboard_ask_for_is_on_the_page_of_metrics() {
        var page = Yaml.text(Path.of("docs", "metrics.md"));
        var asked = new TreeSet<String>();
        for (var file : List.of(ALERTS, FILES.resolve("dashboard.json"))) {
            METER.matcher(Yaml.text(file)).results().forEach(found -> asked.add(found.group()));
        }
        assertThat(asked)
                .hasSizeGreaterThan(5)
                .allSatisfy(name -> assertThat(page).contains(onPage(name)));
    }

    @Test
    void every_question_of_the_dashboard_is_of_the_installation_that_is_chosen() {
        var dashboard = Yaml.json(Yaml.text(FILES.resolve("dashboard.json")));
        var questions = dashboard.get("panels").findValuesAsText("expr");
        assertThat(questions)
                .hasSizeGreaterThan(10)
                .allSatisfy(question -> assertThat(SERIES.matcher(question).results())
                        .isNotEmpty()
                        .allSatisfy(series ->
                                assertThat(series.group(1)).startsWith("{namespace=~\"$namespace\",job=~\"$job\"")));
        assertThat(dashboard.at("/templating/list").findValuesAsText("name")).contains("namespace", "job");
    }

    /** Ours stand there by their own names, those of hits by what they count, all others by Prometheus's. */
    private static String onPage(String name) {
        if (name.startsWith("weir_")) {
            String own = name.replaceAll("(_seconds|_bytes)?(_bucket|_sum|_count)?(_total)?$", "");
            return "| `%s` |".formatted(own.replace('_', '.'));
        }
        return name.startsWith(OF_HITS)
                ? "| `%s` |".formatted(name.substring(OF_HITS.length()))
                : "`" + name.replaceAll("_bucket$", "");
    }

    private static Set<String> names(List<JsonNode> nodes) {
        return new TreeSet<>(nodes.stream().map(JsonNode::asText).toList());
    }
}
