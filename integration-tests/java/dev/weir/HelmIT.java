package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;
import dev.weir.settings.CallerTls;
import dev.weir.settings.Settings;
import dev.weir.testing.SignedFiles;
import dev.weir.testing.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    void only_readiness_waits_for_redis_and_no_pod_is_started_anew_for_it() {
        var container = container(rendered(Map.of("redis.url", "redis:6379")));
        assertThat(container.at("/readinessProbe/httpGet/path").asText()).isEqualTo("/readyz");
        assertThat(container.at("/livenessProbe/httpGet/path").asText()).isEqualTo("/livez");
        assertThat(container.at("/startupProbe/httpGet/path").asText()).isEqualTo("/livez");
        assertThat(container.at("/ports").findValuesAsText("name"))
                .contains(
                        container.at("/readinessProbe/httpGet/port").asText(),
                        container.at("/livenessProbe/httpGet/port").asText(),
                        container.at("/startupProbe/httpGet/port").asText());
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
    void a_number_of_a_values_file_reaches_the_container_as_it_was_written(@TempDir Path folder) throws IOException {
        var values = Files.writeString(folder.resolve("values.yaml"), """
                env:
                  MAX_MESSAGE_BYTES: 67108864
                  LOCAL_CACHE_SIZE_IN_BYTES: 1000000
                  NEAR_LIMIT_RATIO: 0.8
                  SHADOW_MODE: true
                  DRAIN_DELAY: 10s
                """);
        var template = new Helm(CHART).template().withName("limits").withValuesFile(values);
        assertThat(environment(Yaml.documents(template.call())))
                .containsEntry("MAX_MESSAGE_BYTES", "67108864")
                .containsEntry("LOCAL_CACHE_SIZE_IN_BYTES", "1000000")
                .containsEntry("NEAR_LIMIT_RATIO", "0.8")
                .containsEntry("SHADOW_MODE", "true")
                .containsEntry("DRAIN_DELAY", "10s");
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

    @Test
    void with_tls_weir_reads_the_files_of_secrets_and_gets_no_others(@TempDir Path folder) throws Exception {
        try (var files = SignedFiles.create()) {
            var own = files.sign("weir", "weir.example");
            var pair = Map.of("tls.crt", files.textOf(own.certificate()), "tls.key", files.textOf(own.key()));
            var authority = Map.of("tls.crt", files.textOf(files.authority()), "tls.key", "of the authority itself");
            var objects = rendered(Map.of(
                    "tls.existingSecret", "own",
                    "tls.client.existingSecret", "authority",
                    "tls.client.existingSecretKey", "tls.crt",
                    "tls.client.name", "envoy.example"));
            var mounted = mounted(objects, Map.of("own", pair, "authority", authority), folder);
            var environment = environment(objects);
            environment.replaceAll((_, value) -> value.startsWith("/certs/") ? folder + value : value);
            var tls = Objects.requireNonNull(Settings.read(environment).grpc().tls());
            var certs = folder.resolve("certs");
            assertThat(tls)
                    .isEqualTo(new CallerTls(
                            certs.resolve("service/tls.crt"),
                            certs.resolve("service/tls.key"),
                            certs.resolve("callers/ca.crt"),
                            "envoy.example"));
            assertThat(mounted).containsExactlyInAnyOrder(tls.certificate(), tls.key(), tls.authority());
            assertThat(the(objects, "Service").at("/spec/ports/0/appProtocol").asText())
                    .isEqualTo("https");
            assertThat(container(objects).findValues("httpGet"))
                    .hasSize(3)
                    .allMatch(probe -> probe.get("port").asText().equals("http") && !probe.has("scheme"));
        }
    }

    @Test
    void without_a_secret_of_authorities_callers_need_no_certificate() {
        var objects = rendered(
                Map.of("tls.existingSecret", "own", "xds.enabled", "true", "xds.server", "control-plane:18000"));
        assertThat(environment(objects))
                .containsEntry("GRPC_SERVER_USE_TLS", "true")
                .doesNotContainKeys("GRPC_CLIENT_TLS_CACERT", "GRPC_CLIENT_TLS_SAN");
        assertThat(container(objects).get("volumeMounts")).hasSize(1);
        var plain = rendered(Map.of());
        assertThat(environment(plain)).doesNotContainKey("GRPC_SERVER_USE_TLS");
        assertThat(the(plain, "Service").at("/spec/ports/0/appProtocol").asText())
                .isEqualTo("kubernetes.io/h2c");
    }

    /** Writes the files of Secrets below a folder as Kubernetes would mount them. Returns them. */
    private static List<Path> mounted(List<JsonNode> objects, Map<String, Map<String, String>> secrets, Path folder)
            throws IOException {
        List<Path> files = new ArrayList<>();
        for (var volume : the(objects, "Deployment").at("/spec/template/spec/volumes")) {
            if (volume.has("secret")) {
                var secret = Objects.requireNonNull(
                        secrets.get(volume.at("/secret/secretName").asText()));
                String place = mountPath(objects, volume.get("name").asText());
                var mount = Files.createDirectories(folder.resolve(place.substring(1)));
                for (var item : volume.at("/secret/items")) {
                    String text =
                            Objects.requireNonNull(secret.get(item.get("key").asText()));
                    files.add(Files.writeString(mount.resolve(item.get("path").asText()), text));
                }
            }
        }
        return files;
    }

    private static String mountPath(List<JsonNode> objects, String volume) {
        return StreamSupport.stream(container(objects).get("volumeMounts").spliterator(), false)
                .filter(mount -> mount.get("name").asText().equals(volume))
                .map(mount -> mount.get("mountPath").asText())
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "replica, 2, replica",
        "replicas, -1, replicas",
        "redis.type, CLUSTERED, redis.type",
        "xds.server, no-port, xds.server",
        "env.lower, 1, lower",
        "service.appProtocol, http, appProtocol",
        "processors, 0, processors",
        "tls.enabled, true, enabled",
        "tls.existingSecret, Own, tls.existingSecret",
        "tls.client.existingSecretKey, '', existingSecretKey",
        "tls.client.name, spiffe://envoy, tls.client.name"
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
            env.GRPC_SERVER_USE_TLS | true | env.GRPC_SERVER_USE_TLS: the chart sets this variable by itself; write tls.existingSecret in its place
            env.GRPC_CLIENT_TLS_SAN | a | env.GRPC_CLIENT_TLS_SAN: the chart sets this variable by itself; write tls.client.name in its place
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
        assertThatThrownBy(() -> rendered(Map.of("tls.client.existingSecret", "authority")))
                .hasMessageContaining("tls.client.existingSecret: without TLS callers show no certificate");
        assertThatThrownBy(() -> rendered(Map.of("tls.existingSecret", "own", "tls.client.name", "envoy.example")))
                .hasMessageContaining("tls.client.name: a name proves nothing unless an authority vouches for it");
        assertThatThrownBy(
                        () -> rendered(Map.of("tls.existingSecret", "own", "service.appProtocol", "kubernetes.io/h2c")))
                .hasMessageContaining("service.appProtocol: h2c is HTTP/2 without TLS");
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
