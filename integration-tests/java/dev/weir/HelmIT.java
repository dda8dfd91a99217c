package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;
import dev.weir.testing.Yaml;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The chart, rendered by a real Helm. */
final class HelmIT {
    private static final Path CHART = Path.of("helm", "weir");

    @Test
    void lint_finds_nothing() {
        var result = new Helm(CHART).lint().call();
        assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
        assertThat(result.getMessages()).noneMatch(message -> message.contains("WARNING"));
    }

    @Test
    void without_values_it_serves_from_memory_behind_a_headless_service() {
        var objects = rendered(Map.of());
        assertThat(kinds(objects)).containsExactly("ConfigMap", "Deployment", "PodDisruptionBudget", "Service");
        assertThat(environment(objects)).containsEntry("BACKEND_TYPE", "memory").doesNotContainKey("REDIS_URL");
        assertThat(the(objects, "Service").at("/spec/clusterIP").asText()).isEqualTo("None");
        var container = container(objects);
        assertThat(container.at("/command/0").asText()).isEqualTo("/bin/ratelimit");
        assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean())
                .isTrue();
        assertThat(the(objects, "Deployment")
                        .at("/spec/template/spec/securityContext/runAsUser")
                        .asInt())
                .isEqualTo(65_534);
    }

    @Test
    void everything_at_once_renders_and_fits_together() {
        var objects = rendered(Map.of(
                "redis.url", "redis:6379",
                "redis.existingSecret", "redis-password",
                "autoscaling.enabled", "true",
                "networkPolicy.enabled", "true",
                "metrics.serviceMonitor.enabled", "true",
                "metrics.rules.enabled", "true",
                "metrics.dashboard.enabled", "true",
                "env.SHADOW_MODE", "true"));
        assertThat(kinds(objects))
                .contains("HorizontalPodAutoscaler", "NetworkPolicy", "PrometheusRule", "ServiceMonitor");
        assertThat(the(objects, "Deployment").at("/spec/replicas").isMissingNode())
                .as("the autoscaler decides")
                .isTrue();
        assertThat(environment(objects))
                .containsEntry("REDIS_URL", "redis:6379")
                .containsEntry("SHADOW_MODE", "true")
                .containsEntry("REDIS_AUTH", "Secret redis-password");
        var labels = the(objects, "Deployment").at("/spec/template/metadata/labels");
        var selector = the(objects, "Service").at("/spec/selector");
        assertThat(selector).isNotEmpty();
        selector.propertyStream()
                .forEach(label -> assertThat(labels.get(label.getKey())).isEqualTo(label.getValue()));
        assertThat(the(objects, "PrometheusRule").at("/spec/groups/0/rules")).isNotEmpty();
    }

    @Test
    void with_xds_no_rule_file_is_mounted() {
        var objects = rendered(Map.of("xds.enabled", "true", "xds.server", "control-plane:18000"));
        assertThat(kinds(objects)).doesNotContain("ConfigMap");
        assertThat(environment(objects))
                .containsEntry("CONFIG_TYPE", "GRPC_XDS_SOTW")
                .containsEntry("CONFIG_GRPC_XDS_SERVER_URL", "control-plane:18000")
                .doesNotContainKey("RUNTIME_ROOT");
        assertThat(container(objects).has("volumeMounts")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "replica, 2, replica",
        "replicas, -1, replicas",
        "redis.type, CLUSTERED, redis.type",
        "xds.server, no-port, xds.server",
        "env.lower, 1, lower",
        "service.appProtocol, http, appProtocol",
        "processors, 0, processors"
    })
    void a_wrong_value_is_refused_by_the_schema(String name, String value, String told) {
        assertThatThrownBy(() -> rendered(Map.of(name, value)))
                .hasMessageContaining("schema")
                .hasMessageContaining(told);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            env.REDIS_URL | redis:6379 | env.REDIS_URL: the chart sets this variable by itself; write redis.url in its place
            env.CONFIG_TYPE | FILE | env.CONFIG_TYPE: the chart sets this variable by itself; write xds.enabled in its place
            env.GRPC_PORT | 9000 | env.GRPC_PORT: the Service and those who ask it count on the default; take it out
            """)
    void a_variable_that_the_chart_decides_is_refused_in_a_sentence(String name, String value, String told) {
        assertThatThrownBy(() -> rendered(Map.of(name, value))).hasMessageContaining(told);
    }

    @Test
    void two_wishes_that_do_not_go_together_are_refused_in_a_sentence() {
        assertThatThrownBy(() -> rendered(Map.of("redis.existingSecret", "redis", "env.REDIS_AUTH", "open")))
                .hasMessageContaining(
                        "env.REDIS_AUTH: the password is in redis.existingSecret already; keep one of them");
        assertThatThrownBy(() -> rendered(Map.of("metrics.enabled", "false", "metrics.serviceMonitor.enabled", "true")))
                .hasMessageContaining("there is nothing to read without metrics.enabled");
        assertThatThrownBy(() -> rendered(Map.of("xds.enabled", "true")))
                .hasMessageContaining("xds.enabled needs to know where the control plane listens; write host:port");
        assertThatThrownBy(() -> rendered(Map.of("xds.enabled", "true", "xds.server", "a:1", "existingRules", "b")))
                .hasMessageContaining("with xds.enabled no files are read");
        assertThatThrownBy(() -> rendered(Map.of("rules.a", "domain: a", "existingRules", "b")))
                .hasMessageContaining("existingRules names a ConfigMap that takes their place");
    }

    @Test
    void a_variable_that_the_chart_only_proposes_may_be_given() {
        assertThat(environment(rendered(Map.of("env.HOST", "0.0.0.0", "env.USE_STATSD", "true"))))
                .containsEntry("HOST", "0.0.0.0")
                .containsEntry("GRPC_HOST", "::")
                .containsEntry("USE_STATSD", "true");
    }

    @Test
    void java_is_told_a_number_of_processors_unless_the_container_has_a_limit() {
        assertThat(environment(rendered(Map.of("processors", "8"))))
                .containsEntry("JAVA_OPTS", "-XX:ActiveProcessorCount=8");
        assertThat(environment(rendered(Map.of("resources.limits.cpu", "2")))).doesNotContainKey("JAVA_OPTS");
        assertThat(environment(rendered(Map.of("env.JAVA_OPTS", "-Xint")))).containsEntry("JAVA_OPTS", "-Xint");
    }

    @Test
    void every_alert_has_a_line_in_the_runbook_and_every_panel_a_question() {
        var alerts =
                Yaml.documents(CHART.resolve("files").resolve("alerts.yaml")).getFirst();
        var runbook = Yaml.text(Path.of("docs", "operations.md"));
        assertThat(alerts.at("/groups/0/rules"))
                .isNotEmpty()
                .allSatisfy(rule -> assertThat(runbook)
                        .contains("| `%s` |".formatted(rule.get("alert").asText())));
        var dashboard = Yaml.json(Yaml.text(CHART.resolve("files").resolve("dashboard.json")));
        assertThat(dashboard.get("panels"))
                .isNotEmpty()
                .allSatisfy(panel ->
                        assertThat(panel.at("/targets/0/expr").asText()).isNotEmpty());
    }

    private static List<JsonNode> rendered(Map<String, String> values) {
        var template = new Helm(CHART).template().withName("limits");
        values.forEach(template::set);
        return Yaml.documents(template.call());
    }

    private static List<String> kinds(List<JsonNode> objects) {
        return objects.stream()
                .map(object -> object.get("kind").asText())
                .sorted()
                .toList();
    }

    private static JsonNode the(List<JsonNode> objects, String kind) {
        return objects.stream()
                .filter(object -> object.get("kind").asText().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode container(List<JsonNode> objects) {
        return the(objects, "Deployment").at("/spec/template/spec/containers/0");
    }

    /** Returns the variables of the container, those from a Secret as its kind and name; one given twice fails. */
    private static Map<String, String> environment(List<JsonNode> objects) {
        return StreamSupport.stream(container(objects).get("env").spliterator(), false)
                .collect(Collectors.toMap(
                        variable -> variable.get("name").asText(),
                        variable -> variable.has("value")
                                ? variable.get("value").asText()
                                : "Secret "
                                        + variable.at("/valueFrom/secretKeyRef/name")
                                                .asText(),
                        (one, other) -> {
                            throw new AssertionError("given twice: %s, %s".formatted(one, other));
                        },
                        TreeMap::new));
    }
}
