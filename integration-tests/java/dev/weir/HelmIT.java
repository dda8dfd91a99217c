package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import dev.weir.settings.CallerTls;
import dev.weir.settings.Settings;
import dev.weir.settings.table.SettingsException;
import dev.weir.testing.RenderedChart;
import dev.weir.testing.SignedFiles;
import dev.weir.testing.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The chart, rendered by a real Helm. */
final class HelmIT {
    @Test
    void lint_finds_nothing() {
        var result = new Helm(RenderedChart.CHART).lint().call();
        assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
        assertThat(result.getMessages()).noneMatch(message -> message.contains("WARNING"));
    }

    @Test
    void without_values_it_serves_from_memory_behind_a_headless_service() {
        var chart = RenderedChart.of(Map.of());
        assertThat(chart.kinds()).containsExactly("ConfigMap", "Deployment", "PodDisruptionBudget", "Service");
        assertThat(chart.environment()).containsEntry("BACKEND_TYPE", "memory").doesNotContainKey("REDIS_URL");
        assertThat(chart.the("Service").at("/spec/clusterIP").asText()).isEqualTo("None");
        var container = chart.container();
        assertThat(container.at("/command/0").asText()).isEqualTo("/bin/ratelimit");
        assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean())
                .isTrue();
        assertThat(chart.the("Deployment")
                        .at("/spec/template/spec/securityContext/runAsUser")
                        .asInt())
                .isEqualTo(65_534);
    }

    @Test
    void new_pods_begin_before_old_ones_end_however_many_there_are() {
        var strategy = RenderedChart.of(Map.of()).the("Deployment").at("/spec/strategy");
        assertThat(strategy).isEqualTo(Yaml.json("""
                        {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 0}}"""));
        var other = RenderedChart.of(Map.of("strategy.type", "Recreate")).the("Deployment");
        assertThat(other.at("/spec/strategy")).isEqualTo(Yaml.json("{\"type\": \"Recreate\"}"));
    }

    @Test
    void a_pod_that_is_not_well_keeps_no_node_from_being_drained() {
        var budget = RenderedChart.of(Map.of()).the("PodDisruptionBudget");
        assertThat(budget.at("/spec/unhealthyPodEvictionPolicy").asText()).isEqualTo("AlwaysAllow");
        var older = RenderedChart.of(Map.of("podDisruptionBudget.unhealthyPodEvictionPolicy", ""));
        assertThat(older.the("PodDisruptionBudget").at("/spec").has("unhealthyPodEvictionPolicy"))
                .isFalse();
    }

    @Test
    void only_readiness_waits_for_redis_and_no_pod_is_started_anew_for_it() {
        var container = RenderedChart.of(Map.of("redis.url", "redis:6379")).container();
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
        var chart = RenderedChart.of(Map.of(
                "redis.url", "redis:6379",
                "redis.existingSecret", "redis-password",
                "autoscaling.enabled", "true",
                "resources.requests.cpu", "1",
                "networkPolicy.enabled", "true",
                "metrics.serviceMonitor.enabled", "true",
                "metrics.rules.enabled", "true",
                "metrics.dashboard.enabled", "true",
                "env.SHADOW_MODE", "true"));
        assertThat(chart.kinds())
                .contains("HorizontalPodAutoscaler", "NetworkPolicy", "PrometheusRule", "ServiceMonitor");
        assertThat(chart.the("Deployment").at("/spec/replicas").isMissingNode())
                .as("the autoscaler decides")
                .isTrue();
        assertThat(chart.environment())
                .containsEntry("REDIS_URL", "redis:6379")
                .containsEntry("SHADOW_MODE", "true")
                .containsEntry("REDIS_AUTH", "Secret redis-password");
        var labels = chart.the("Deployment").at("/spec/template/metadata/labels");
        var selector = chart.the("Service").at("/spec/selector");
        assertThat(selector).isNotEmpty();
        selector.propertyStream()
                .forEach(label -> assertThat(labels.get(label.getKey())).isEqualTo(label.getValue()));
        assertThat(chart.the("PrometheusRule").at("/spec/groups/0/rules")).isNotEmpty();
    }

    @Test
    void the_address_of_redis_may_be_in_a_secret() {
        assertThat(RenderedChart.of(Map.of("redis.urlSecret.name", "redis", "redis.existingSecret", "password"))
                        .environment())
                .containsEntry("BACKEND_TYPE", "redis")
                .containsEntry("REDIS_URL", "Secret redis")
                .containsEntry("REDIS_AUTH", "Secret password");
    }

    @Test
    void null_takes_a_value_away(@TempDir Path folder) throws IOException {
        var values =
                Files.writeString(folder.resolve("values.yaml"), "{ resources: null, env: null, processors: null }");
        var chart = RenderedChart.of(values);
        assertThat(chart.container().has("resources")).isFalse();
        assertThat(chart.environment()).containsKey("USE_STATSD").doesNotContainKey("JAVA_OPTS");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"xds:18000", "10.0.0.7:1", "[::1]:18000", "dns:///xds.example:18000", "xds", "http://xds:1"})
    void a_control_plane_is_named_as_weir_takes_it(String server) {
        var ofChart = Map.of("xds.enabled", "true", "xds.server", server);
        if (isSetting(Map.of("CONFIG_TYPE", "GRPC_XDS_SOTW", "CONFIG_GRPC_XDS_SERVER_URL", server))) {
            assertThat(RenderedChart.of(ofChart).environment()).containsEntry("CONFIG_GRPC_XDS_SERVER_URL", server);
        } else {
            assertThatThrownBy(() -> RenderedChart.of(ofChart)).hasMessageContaining("xds.server");
        }
    }

    private static boolean isSetting(Map<String, String> variables) {
        try {
            return Settings.read(variables).xds().isUsed();
        } catch (SettingsException _) {
            return false;
        }
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
        assertThat(RenderedChart.of(values).environment())
                .containsEntry("MAX_MESSAGE_BYTES", "67108864")
                .containsEntry("LOCAL_CACHE_SIZE_IN_BYTES", "1000000")
                .containsEntry("NEAR_LIMIT_RATIO", "0.8")
                .containsEntry("SHADOW_MODE", "true")
                .containsEntry("DRAIN_DELAY", "10s");
    }

    @Test
    void the_rule_files_are_where_the_page_takes_one_from_for_weir_check(@TempDir Path folder) throws IOException {
        String rules = "domain: edge\ndescriptors: []\n";
        var values = Files.writeString(
                folder.resolve("values.yaml"), "rules:\n  edge.yaml: |\n" + rules.indent(4) + "  api.yaml: ''\n");
        assertThat(Yaml.text(Path.of("docs", "operations.md")))
                .contains("--show-only templates/rules.yaml ", "yq -r '.data[\"edge.yaml\"]' | weir check /dev/stdin");
        assertThat(RenderedChart.CHART.resolve("templates/rules.yaml"))
                .content()
                .contains("kind: ConfigMap");
        var configMap = RenderedChart.of(values).the("ConfigMap");
        assertThat(configMap.at("/data/edge.yaml").asText()).isEqualTo(rules);
    }

    @Test
    void with_xds_no_rule_file_is_mounted() {
        var chart = RenderedChart.of(Map.of("xds.enabled", "true", "xds.server", "control-plane:18000"));
        assertThat(chart.kinds()).doesNotContain("ConfigMap");
        assertThat(chart.environment())
                .containsEntry("CONFIG_TYPE", "GRPC_XDS_SOTW")
                .containsEntry("CONFIG_GRPC_XDS_SERVER_URL", "control-plane:18000")
                .doesNotContainKey("RUNTIME_ROOT");
        assertThat(chart.container().has("volumeMounts")).isFalse();
    }

    @Test
    void with_tls_weir_reads_the_files_of_secrets_and_gets_no_others(@TempDir Path folder) throws Exception {
        try (var files = SignedFiles.create()) {
            var own = files.sign("weir", "weir.example");
            var pair = Map.of("tls.crt", files.textOf(own.certificate()), "tls.key", files.textOf(own.key()));
            var authority = Map.of("tls.crt", files.textOf(files.authority()), "tls.key", "of the authority itself");
            var chart = RenderedChart.of(Map.of(
                    "tls.existingSecret", "own",
                    "tls.client.existingSecret", "authority",
                    "tls.client.existingSecretKey", "tls.crt",
                    "tls.client.name", "envoy.example"));
            var mounted = mounted(chart, Map.of("own", pair, "authority", authority), folder);
            var environment = chart.environment();
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
            assertThat(chart.the("Service").at("/spec/ports/0/appProtocol").asText())
                    .isEqualTo("https");
            assertThat(chart.container().findValues("httpGet"))
                    .hasSize(3)
                    .allMatch(probe -> probe.get("port").asText().equals("http") && !probe.has("scheme"));
        }
    }

    @Test
    void without_a_secret_of_authorities_callers_need_no_certificate() {
        var chart = RenderedChart.of(
                Map.of("tls.existingSecret", "own", "xds.enabled", "true", "xds.server", "control-plane:18000"));
        assertThat(chart.environment())
                .containsEntry("GRPC_SERVER_USE_TLS", "true")
                .doesNotContainKeys("GRPC_CLIENT_TLS_CACERT", "GRPC_CLIENT_TLS_SAN");
        assertThat(chart.container().get("volumeMounts")).hasSize(1);
        var plain = RenderedChart.of(Map.of());
        assertThat(plain.environment()).doesNotContainKey("GRPC_SERVER_USE_TLS");
        assertThat(plain.the("Service").at("/spec/ports/0/appProtocol").asText())
                .isEqualTo("kubernetes.io/h2c");
    }

    @Test
    void http_may_be_left_to_the_probes() {
        var policy = Map.of("networkPolicy.enabled", "true");
        assertThat(portsOfService(RenderedChart.of(policy))).containsExactly("grpc", "http", "metrics");
        assertThat(portsOfPolicy(RenderedChart.of(policy))).containsExactly("grpc", "http", "metrics");
        var chart = RenderedChart.of(Map.of("networkPolicy.enabled", "true", "service.http", "false"));
        assertThat(portsOfService(chart)).containsExactly("grpc", "metrics");
        assertThat(portsOfPolicy(chart)).containsExactly("grpc", "metrics");
        assertThat(chart.container().get("ports").findValuesAsText("name")).contains("http");
        assertThat(chart.container().findValues("httpGet"))
                .hasSize(3)
                .allMatch(probe -> probe.get("port").asText().equals("http"));
    }

    private static List<String> portsOfService(RenderedChart chart) {
        return chart.the("Service").at("/spec/ports").findValuesAsText("name");
    }

    private static List<String> portsOfPolicy(RenderedChart chart) {
        return chart.the("NetworkPolicy").at("/spec/ingress").findValuesAsText("port");
    }

    /** Writes the files of Secrets below a folder as Kubernetes would mount them. Returns them. */
    private static List<Path> mounted(RenderedChart chart, Map<String, Map<String, String>> secrets, Path folder)
            throws IOException {
        List<Path> files = new ArrayList<>();
        for (var volume : chart.the("Deployment").at("/spec/template/spec/volumes")) {
            if (volume.has("secret")) {
                var secret = Objects.requireNonNull(
                        secrets.get(volume.at("/secret/secretName").asText()));
                String place = mountPath(chart, volume.get("name").asText());
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

    private static String mountPath(RenderedChart chart, String volume) {
        return StreamSupport.stream(chart.container().get("volumeMounts").spliterator(), false)
                .filter(mount -> mount.get("name").asText().equals(volume))
                .map(mount -> mount.get("mountPath").asText())
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"10, 0.01", "25, 0.025", "250, 0.25", "1000, 1"})
    void what_is_slow_for_redis_is_a_value_and_all_else_of_the_alerts_stays(String millis, String seconds) {
        var rules = RenderedChart.of(Map.of("metrics.rules.enabled", "true", "metrics.rules.slowStoreMillis", millis))
                .the("PrometheusRule")
                .get("spec");
        var text = Yaml.text(RenderedChart.CHART.resolve("files").resolve("alerts.yaml"))
                .replace("[5m]))) > 0.01'", "[5m]))) > %s'".formatted(seconds));
        assertThat(rules).isEqualTo(Yaml.documents(text).getFirst());
        assertThat(rules.toString())
                .containsPattern("weir_store_latency_seconds_bucket\\[5m\\]\\)\\)\\) > %s\"".formatted(seconds));
    }

    @Test
    void every_alert_has_a_line_in_the_runbook_and_every_panel_a_question() {
        var alerts = Yaml.documents(RenderedChart.CHART.resolve("files").resolve("alerts.yaml"))
                .getFirst();
        var runbook = Yaml.text(Path.of("docs", "alerts.md"));
        assertThat(alerts.at("/groups/0/rules"))
                .isNotEmpty()
                .allSatisfy(rule -> assertThat(runbook)
                        .contains("| `%s` |".formatted(rule.get("alert").asText())));
        var dashboard = Yaml.json(Yaml.text(RenderedChart.CHART.resolve("files").resolve("dashboard.json")));
        assertThat(dashboard.get("panels"))
                .isNotEmpty()
                .allSatisfy(panel ->
                        assertThat(panel.at("/targets/0/expr").asText()).isNotEmpty());
    }
}
