package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testing.RenderedChart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that the chart does not take, and what it says. */
final class HelmRefusalsIT {
    @ParameterizedTest
    @CsvSource({
        "replica, 2, replica",
        "replicas, -1, replicas",
        "redis.type, CLUSTERED, redis.type",
        "xds.server, no-port, xds.server",
        "env.lower, 1, lower",
        "service.appProtocol, http, appProtocol",
        "processors, 0, processors",
        "rules.a/b\\.yaml, 'domain: a', a/b.yaml",
        "strategy.type, Sudden, strategy.type",
        "strategy.rollingUpdate.maxSurge, some, maxSurge",
        "metrics.rules.slowStoreMillis, 0, slowStoreMillis",
        "metrics.rules.slowStoreMillis, 5001, slowStoreMillis",
        "extraEnv[0].value, a, name",
        "extraEnv[0].nam, A, nam",
        "extraEnv[0].name, A-B, extraEnv",
        "tls.enabled, true, enabled",
        "tls.existingSecret, Own, tls.existingSecret",
        "tls.client.existingSecretKey, '', existingSecretKey",
        "tls.client.name, spiffe://envoy, tls.client.name"
    })
    void a_wrong_value_is_refused_by_the_schema(String name, String value, String told) {
        assertThatThrownBy(() -> RenderedChart.of(Map.of(name, value)))
                .hasMessageContaining("schema")
                .hasMessageContaining(told);
    }

    @ParameterizedTest
    @CsvSource({
        "autoscaling, autoscaling",
        "image, image",
        "metrics, metrics",
        "metrics.dashboard, dashboard",
        "metrics.rules, rules",
        "metrics.serviceMonitor, serviceMonitor",
        "networkPolicy, networkPolicy",
        "podDisruptionBudget, podDisruptionBudget",
        "redis, redis",
        "redis.urlSecret, urlSecret",
        "service, service",
        "tls, tls",
        "tls.client, client",
        "xds, xds"
    })
    void a_part_of_the_values_that_null_takes_away_is_missed_by_the_schema(String name, String told) {
        assertThatThrownBy(() -> RenderedChart.of(Map.of(name, "null")))
                .hasMessageContaining("schema")
                .hasMessageContaining(told);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            env.REDIS_URL | redis:6379 | env.REDIS_URL: the chart sets this variable by itself; write redis.url or redis.urlSecret in its place
            env.CONFIG_TYPE | FILE | env.CONFIG_TYPE: the chart sets this variable by itself; write xds.enabled in its place
            env.GRPC_SERVER_USE_TLS | true | env.GRPC_SERVER_USE_TLS: the chart sets this variable by itself; write tls.existingSecret in its place
            env.GRPC_CLIENT_TLS_SAN | a | env.GRPC_CLIENT_TLS_SAN: the chart sets this variable by itself; write tls.client.name in its place
            podLabels.app\\.kubernetes\\.io/name | edge | podLabels.app.kubernetes.io/name: the chart sets this label by itself; take it out
            metrics.serviceMonitor.labels.helm\\.sh/chart | edge | metrics.serviceMonitor.labels.helm.sh/chart: the chart sets this label by itself; take it out
            env.GRPC_PORT | 9000 | env.GRPC_PORT: the Service and those who ask it count on the default; take it out
            env.HOST | 127.0.0.1 | env.HOST: nobody outside the pod reaches 127.0.0.1, not even the kubelet's probes; take it out
            env.GRPC_HOST | localhost | env.GRPC_HOST: nobody outside the pod reaches localhost
            env.GRPC_HOST | ::1 | env.GRPC_HOST: nobody outside the pod reaches ::1
            env.GRPC_UDS | /run/weir.sock | env.GRPC_UDS: with a socket the port that the Service leads to is not open; take it out
            rules.\\.edge\\.yaml | domain: edge | rules..edge.yaml: a file whose name begins with a dot is not read, and its rules would never be in force; take the dot out
            """)
    void what_the_chart_decides_is_refused_in_a_sentence(String name, String value, String told) {
        assertThatThrownBy(() -> RenderedChart.of(Map.of(name, value))).hasMessageContaining(told);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            { name: REDIS_URL, valueFrom: { secretKeyRef: { name: redis, key: url } } } | extraEnv.REDIS_URL: the chart sets this variable by itself; write redis.url or redis.urlSecret in its place
            { name: PORT, value: "80" }                                                 | extraEnv.PORT: the Service and those who ask it count on the default
            { name: HOST, value: localhost }                                            | extraEnv.HOST: nobody outside the pod reaches localhost
            { name: GRPC_UDS, value: /run/weir.sock }                                   | extraEnv.GRPC_UDS: with a socket the port that the Service leads to is not open
            { name: DRAIN_TIMEOUT, value: 1h }                                          | after 60 s a pod is killed, and ending may take 3621
            { name: SHADOW_MODE, value: "true" }                                        | extraEnv: SHADOW_MODE is given twice, here and in env; keep one of them
            { name: A, value: b }, { name: A, value: c }                                | extraEnv: A is given twice, here and in extraEnv; keep one of them
            { name: A, value: b, valueFrom: { fieldRef: { fieldPath: metadata.uid } } } | extraEnv
            """)
    void a_further_variable_is_refused_as_one_of_env_is(String variables, String told, @TempDir Path folder)
            throws IOException {
        var values = Files.writeString(
                folder.resolve("values.yaml"), "env: { SHADOW_MODE: false }\nextraEnv: [%s]\n".formatted(variables));
        assertThatThrownBy(() -> RenderedChart.of(values)).hasMessageContaining(told);
    }

    @Test
    void two_wishes_that_do_not_go_together_are_refused_in_a_sentence() {
        assertThatThrownBy(() -> RenderedChart.of(Map.of("redis.existingSecret", "redis", "env.REDIS_AUTH", "open")))
                .hasMessageContaining(
                        "env.REDIS_AUTH: the password is in redis.existingSecret already; keep one of them");
        assertThatThrownBy(() ->
                        RenderedChart.of(Map.of("metrics.enabled", "false", "metrics.serviceMonitor.enabled", "true")))
                .hasMessageContaining("there is nothing to read without metrics.enabled");
        assertThatThrownBy(() -> RenderedChart.of(Map.of("metrics.enabled", "false", "metrics.rules.enabled", "true")))
                .hasMessageContaining("metrics.rules.enabled: without metrics.enabled there is nothing that alerts");
        assertThatThrownBy(() -> RenderedChart.of(Map.of("xds.enabled", "true")))
                .hasMessageContaining("xds.enabled needs to know where the control plane listens; write host:port");
        assertThatThrownBy(() ->
                        RenderedChart.of(Map.of("xds.enabled", "true", "xds.server", "a:1", "existingRules", "b")))
                .hasMessageContaining("with xds.enabled no files are read");
        assertThatThrownBy(() -> RenderedChart.of(Map.of("tls.client.existingSecret", "authority")))
                .hasMessageContaining("tls.client.existingSecret: without TLS callers show no certificate");
        assertThatThrownBy(
                        () -> RenderedChart.of(Map.of("tls.existingSecret", "own", "tls.client.name", "envoy.example")))
                .hasMessageContaining("tls.client.name: a name proves nothing unless an authority vouches for it");
        assertThatThrownBy(() -> RenderedChart.of(
                        Map.of("tls.existingSecret", "own", "service.appProtocol", "kubernetes.io/h2c")))
                .hasMessageContaining("service.appProtocol: h2c is HTTP/2 without TLS");
        assertThatThrownBy(() -> RenderedChart.of(Map.of("rules.a", "domain: a", "existingRules", "b")))
                .hasMessageContaining("existingRules names a ConfigMap that takes their place");
        assertThatThrownBy(() -> RenderedChart.of(Map.of("redis.url", "redis:6379", "redis.urlSecret.name", "redis")))
                .hasMessageContaining(
                        "redis.url: redis.urlSecret names a Secret that takes its place; keep one of them");
        assertThatThrownBy(() -> RenderedChart.of(Map.of("redis.existingSecret", "redis")))
                .hasMessageContaining(
                        "redis.existingSecret: without redis.url or redis.urlSecret counts are kept in memory");
    }

    @Test
    void alerts_may_go_by_metrics_that_are_sent_to_a_collector() {
        var values = Map.of(
                "metrics.enabled", "false", "metrics.rules.enabled", "true", "env.OTEL_METRICS_EXPORTER", "otlp");
        assertThat(RenderedChart.of(values).kinds()).contains("PrometheusRule");
        var elsewhere = Map.of(
                "metrics.enabled", "false", "metrics.rules.enabled", "true", "envFrom[0].configMapRef.name", "more");
        assertThat(RenderedChart.of(elsewhere).kinds()).contains("PrometheusRule");
    }

    @ParameterizedTest
    @CsvSource({
        // delay, timeout, period of grace -> seconds of ending
        "15s, 30s, 51, 51",
        "1m, 1s, 61, 67",
        "5s, 1h, 45, 3611",
        "1m30s, 1500ms, 60, 98",
        "0, 1h0m10s, 60, 3616",
    })
    void an_end_that_takes_longer_than_a_pod_may_take_is_refused(String delay, String timeout, int grace, int ending) {
        var values = Map.of(
                "env.DRAIN_DELAY", delay,
                "env.DRAIN_TIMEOUT", timeout,
                "terminationGracePeriodSeconds", Integer.toString(grace));
        assertThatThrownBy(() -> RenderedChart.of(values))
                .hasMessageContaining(
                        "terminationGracePeriodSeconds: after %d s a pod is killed, and ending may take %d",
                        grace, ending);
    }

    @Test
    void no_drain_at_all_is_counted_as_none(@TempDir Path folder) throws IOException {
        assertThat(RenderedChart.of(drains(folder, "DRAIN_DELAY: 0", 40)).environment())
                .containsEntry("DRAIN_DELAY", "0");
        assertThat(RenderedChart.of(drains(folder, "DRAIN_TIMEOUT: 0", 22)).environment())
                .containsEntry("DRAIN_TIMEOUT", "0");
        var values = drains(folder, "DRAIN_DELAY: 0", 30);
        assertThatThrownBy(() -> RenderedChart.of(values))
                .hasMessageContaining("after 30 s a pod is killed, and ending may take 36");
    }

    private static Path drains(Path folder, String variable, int grace) throws IOException {
        return Files.writeString(
                folder.resolve("values.yaml"),
                "env: { %s }\nterminationGracePeriodSeconds: %d\n".formatted(variable, grace));
    }

    @Test
    void an_end_that_fits_or_that_is_written_otherwise_is_left_alone() {
        assertThat(RenderedChart.of(Map.of("env.DRAIN_DELAY", "14s")).pod()).isNotEmpty();
        assertThat(RenderedChart.of(Map.of("env.DRAIN_DELAY", "1.5m")).pod()).isNotEmpty();
        assertThat(RenderedChart.of(Map.of("terminationGracePeriodSeconds", "52"))
                        .pod())
                .isNotEmpty();
        assertThatThrownBy(() -> RenderedChart.of(Map.of("terminationGracePeriodSeconds", "45")))
                .as("with the presets")
                .hasMessageContaining("after 45 s a pod is killed, and ending may take 51");
        assertThatThrownBy(() ->
                        RenderedChart.of(Map.of("service.headless", "false", "terminationGracePeriodSeconds", "35")))
                .as("with those of the program")
                .hasMessageContaining("after 35 s a pod is killed, and ending may take 41");
    }

    @Test
    void an_autoscaler_with_more_replicas_at_least_than_at_most_is_refused() {
        assertThatThrownBy(() -> RenderedChart.of(Map.of(
                        "autoscaling.enabled", "true",
                        "autoscaling.minReplicas", "5",
                        "autoscaling.maxReplicas", "2",
                        "resources.requests.cpu", "1")))
                .hasMessageContaining(
                        "autoscaling.minReplicas: 5 are more than autoscaling.maxReplicas, 2; write as many or fewer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"250m", "999m", "0.5", "0", "\"0.75\"", "null"})
    void an_autoscaler_that_would_add_replicas_for_next_to_nothing_is_refused(String cpu, @TempDir Path folder)
            throws IOException {
        var values = Files.writeString(folder.resolve("values.yaml"), scaling(cpu));
        assertThatThrownBy(() -> RenderedChart.of(values))
                .hasMessageContaining("resources.requests.cpu: the autoscaler adds replicas at 60 % of it, so ")
                .hasMessageContaining("write what you mean by a full pod, 1 or more");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "1.5", "\"1\"", "1000m", "2000m"})
    void an_autoscaler_goes_by_a_full_pod(String cpu, @TempDir Path folder) throws IOException {
        var values = Files.writeString(folder.resolve("values.yaml"), scaling(cpu));
        assertThat(RenderedChart.of(values).kinds()).contains("HorizontalPodAutoscaler");
    }

    @ParameterizedTest
    @CsvSource({
        // request, limit
        "500m, 500m",
        "500m, 0.5",
        "0.25, 250m",
        "null, 2",
        "null, 500m",
    })
    void an_autoscaler_takes_a_pod_that_may_have_no_more_than_it_asks_for_as_full(
            String cpu, String limit, @TempDir Path folder) throws IOException {
        var values = Files.writeString(folder.resolve("values.yaml"), scaling(cpu, limit));
        assertThat(RenderedChart.of(values).kinds()).contains("HorizontalPodAutoscaler");
    }

    @ParameterizedTest
    @CsvSource({
        // request, limit, what is too little
        "500m, 1, 500m",
        "250m, null, 250m",
        "null, null, nothing",
        "null, 0, 0",
        "0, 0, 0",
    })
    void an_autoscaler_is_refused_where_a_pod_may_have_more_than_too_little(
            String cpu, String limit, String told, @TempDir Path folder) throws IOException {
        var values = Files.writeString(folder.resolve("values.yaml"), scaling(cpu, limit));
        assertThatThrownBy(() -> RenderedChart.of(values))
                .hasMessageContaining(
                        "resources.requests.cpu: the autoscaler adds replicas at 60 %% of it, so %s is", told)
                .hasMessageContaining("or limits.cpu that is no more than it");
    }

    private static String scaling(String cpu) {
        return scaling(cpu, "null");
    }

    private static String scaling(String cpu, String limit) {
        return "autoscaling: { enabled: true }\nresources: { requests: { cpu: %s }, limits: { cpu: %s } }\n"
                .formatted(cpu, limit);
    }

    @ParameterizedTest
    @CsvSource({
        "400m, 320Mi",
        "336M, 335Mi",
        "2g, 2Gi",
        "1G, 1G",
        "536870912, 512Mi",
        "206m, 320Mi",
        "448m, 562Mi",
        "112m, 226Mi",
        "2g, 2162M",
    })
    void a_heap_that_too_little_memory_is_left_beside_is_refused(String heap, String memory) {
        assertThatThrownBy(() -> RenderedChart.of(Map.of("env.WEIR_HEAP", heap, "resources.limits.memory", memory)))
                .hasMessageContaining(
                        "resources.limits.memory: %s has no room for the heap of %s (env.WEIR_HEAP)", memory, heap);
        assertThat(RenderedChart.of(Map.of("env.WEIR_HEAP", heap, "resources.limits.memory", "4Gi"))
                        .environment())
                .containsEntry("WEIR_HEAP", heap);
    }

    @ParameterizedTest
    @CsvSource({"205m, 320Mi", "448m, 660Mi", "448m, 563Mi", "112m, 227Mi", "64m, 200Mi", "112m, 320Mi", "400m, 0.5Gi"})
    void a_heap_that_fits_or_that_is_written_otherwise_is_left_alone(String heap, String memory) {
        assertThat(RenderedChart.of(Map.of("env.WEIR_HEAP", heap, "resources.limits.memory", memory))
                        .environment())
                .containsEntry("WEIR_HEAP", heap);
    }

    @Test
    void the_preset_heap_wants_room_too() {
        assertThatThrownBy(() -> RenderedChart.of(Map.of("resources.limits.memory", "128Mi")))
                .hasMessageContaining(
                        "resources.limits.memory: 128Mi has no room for the heap of 112m (the preset) and some 115Mi");
        assertThat(RenderedChart.of(Map.of("resources.limits.memory", "227Mi")).pod())
                .isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "env.JAVA_OPTS, -Xmx32m",
        "env.JAVA_OPTS, -XX:MaxRAMPercentage=30",
        "extraEnv[0].value, -XX:MaxHeapSize=32m",
        "envFrom[0].secretRef.name, more",
    })
    void a_heap_that_something_else_may_say_is_not_reckoned_with(String name, String value) {
        var values = new TreeMap<>(Map.of("resources.limits.memory", "160Mi", name, value));
        if (name.startsWith("extraEnv")) {
            values.put("extraEnv[0].name", "_JAVA_OPTIONS");
        }
        assertThat(RenderedChart.of(values).pod()).isNotEmpty();
    }
}
