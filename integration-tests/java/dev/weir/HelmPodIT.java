package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.weir.testing.RenderedChart;
import dev.weir.testing.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the chart makes of a pod that has to fit where it runs: its addresses, its user, its processors, its files. */
final class HelmPodIT {

    @Test
    void it_listens_where_the_program_does_by_itself_for_not_every_pod_has_ipv6() {
        assertThat(RenderedChart.of(Map.of()).environment()).doesNotContainKeys("HOST", "GRPC_HOST");
        assertThat(RenderedChart.of(Map.of("env.HOST", "::")).environment())
                .containsEntry("HOST", "::")
                .doesNotContainKey("GRPC_HOST");
    }

    @Test
    void a_variable_that_the_chart_only_proposes_may_be_given() {
        assertThat(RenderedChart.of(Map.of()).environment()).containsEntry("USE_STATSD", "false");
        assertThat(RenderedChart.of(Map.of("env.USE_STATSD", "true")).environment())
                .containsEntry("USE_STATSD", "true");
    }

    @Test
    void what_only_the_pod_knows_may_be_given(@TempDir Path folder) throws IOException {
        var extra = """
                extraEnv:
                  - { name: DD_ENTITY_ID, valueFrom: { fieldRef: { fieldPath: metadata.uid } } }
                  - { name: STATSD_HOST, valueFrom: { fieldRef: { fieldPath: status.hostIP } } }
                  - { name: DRAIN_DELAY, value: 8s }
                  - { name: JAVA_OPTS, valueFrom: { secretKeyRef: { name: java, key: flags } } }
                """;
        var chart = RenderedChart.of(
                Files.writeString(folder.resolve("values.yaml"), "env: { SHADOW_MODE: true }\n" + extra));
        var variables = chart.container().get("env").valueStream().toList();
        assertThat(variables.subList(variables.size() - 4, variables.size()))
                .isEqualTo(Yaml.documents(extra)
                        .getFirst()
                        .get("extraEnv")
                        .valueStream()
                        .toList());
        assertThat(chart.environment())
                .as("what the chart only proposes, it does not propose then")
                .containsEntry("SHADOW_MODE", "true")
                .containsEntry("DRAIN_DELAY", "8s")
                .containsEntry("JAVA_OPTS", "Secret java");
    }

    /** Unquoted, Kubernetes would be told a number or a truth value. */
    @Test
    void names_that_look_like_something_else_stay_names(@TempDir Path folder) throws IOException {
        var values = Files.writeString(folder.resolve("values.yaml"), """
                existingRules: "123"
                serviceAccountName: "007"
                priorityClassName: "on"
                redis: { url: "redis:6379", existingSecret: "1e3", existingSecretKey: "1" }
                """);
        var chart = RenderedChart.of(values);
        assertThat(chart.pod().get("serviceAccountName").isTextual()).isTrue();
        assertThat(chart.pod().get("priorityClassName").isTextual()).isTrue();
        assertThat(chart.pod().at("/volumes/0/configMap/name")).isEqualTo(TextNode.valueOf("123"));
        assertThat(chart.container().get("env").valueStream())
                .anySatisfy(variable ->
                        assertThat(variable.at("/valueFrom/secretKeyRef/key")).isEqualTo(TextNode.valueOf("1")));
    }

    @Test
    void an_image_is_named_by_its_tag_or_by_its_digest() {
        assertThat(image(Map.of("image.repository", "here/weir", "image.tag", "1.2")))
                .isEqualTo("here/weir:1.2");
        assertThat(image(Map.of("image.repository", "here/weir", "image.tag", "sha256:01ab")))
                .isEqualTo("here/weir@sha256:01ab");
    }

    private static String image(Map<String, String> values) {
        return RenderedChart.of(values).container().get("image").asText();
    }

    @Test
    void a_pod_with_rules_is_ready_only_with_some_in_force() {
        String variable = "HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED";
        assertThat(RenderedChart.of(Map.of()).environment()).doesNotContainKey(variable);
        assertThat(RenderedChart.of(Map.of("existingRules", "ours")).environment())
                .containsEntry(variable, "true");
        assertThat(RenderedChart.of(Map.of("existingRules", "ours", "env." + variable, "false"))
                        .environment())
                .containsEntry(variable, "false");
    }

    @Test
    void java_is_told_a_number_of_processors_unless_the_container_has_a_limit() {
        assertThat(RenderedChart.of(Map.of("processors", "8")).environment())
                .containsEntry("JAVA_OPTS", "-XX:ActiveProcessorCount=8");
        assertThat(RenderedChart.of(Map.of("resources.limits.cpu", "2")).environment())
                .doesNotContainKey("JAVA_OPTS");
        assertThat(RenderedChart.of(Map.of("env.JAVA_OPTS", "-Xint")).environment())
                .containsEntry("JAVA_OPTS", "-XX:ActiveProcessorCount=4 -Xint");
        assertThat(RenderedChart.of(Map.of("env.JAVA_OPTS", "-XX:ActiveProcessorCount=2"))
                        .environment())
                .containsEntry("JAVA_OPTS", "-XX:ActiveProcessorCount=2");
    }

    @Test
    void a_pod_behind_dns_answers_on_until_dns_has_told_of_its_end() {
        assertThat(RenderedChart.of(Map.of()).environment()).containsEntry("DRAIN_DELAY", "15s");
        assertThat(RenderedChart.of(Map.of("env.DRAIN_DELAY", "5s")).environment())
                .containsEntry("DRAIN_DELAY", "5s");
        assertThat(RenderedChart.of(Map.of("service.headless", "false")).environment())
                .doesNotContainKey("DRAIN_DELAY");
    }

    @Test
    void labels_account_and_priority_of_a_pod_may_be_given(@TempDir Path folder) throws IOException {
        var plain = RenderedChart.of(Map.of());
        assertThat(plain.pod().has("serviceAccountName")).isFalse();
        assertThat(plain.pod().has("priorityClassName")).isFalse();
        var chart = RenderedChart.of(Files.writeString(folder.resolve("values.yaml"), """
                podLabels: { sidecar.istio.io/inject: "true" }
                serviceAccountName: edge
                priorityClassName: high
                """));
        assertThat(labels(chart).get("sidecar.istio.io/inject").asText()).isEqualTo("true");
        assertThat(labels(chart)).hasSize(labels(plain).size() + 1).containsAll(labels(plain));
        assertThat(chart.pod().get("serviceAccountName").asText()).isEqualTo("edge");
        assertThat(chart.pod().get("priorityClassName").asText()).isEqualTo("high");
    }

    private static JsonNode labels(RenderedChart chart) {
        return chart.the("Deployment").at("/spec/template/metadata/labels");
    }

    @Test
    void a_platform_that_chooses_the_user_is_left_to_it() {
        assertThat(user(Map.of()))
                .isEqualTo("{\"fsGroup\":65534,\"runAsGroup\":65534,\"runAsNonRoot\":true,\"runAsUser\":65534,"
                        + "\"seccompProfile\":{\"type\":\"RuntimeDefault\"}}");
        var left = Map.of(
                "podSecurityContext.runAsUser", "null",
                "podSecurityContext.runAsGroup", "null",
                "podSecurityContext.fsGroup", "null");
        assertThat(user(left)).isEqualTo("{\"runAsNonRoot\":true,\"seccompProfile\":{\"type\":\"RuntimeDefault\"}}");
        assertThatThrownBy(() -> user(Map.of("podSecurityContext.runAsUser", "nobody")))
                .hasMessageContaining("runAsUser");
    }

    private static String user(Map<String, String> values) {
        return RenderedChart.of(values).pod().get("securityContext").toString();
    }

    @Test
    void further_files_are_mounted_beside_ours_and_without_them(@TempDir Path folder) throws IOException {
        var more = """
                extraVolumes: [{ name: redis-tls, secret: { secretName: redis-ca } }]
                extraVolumeMounts: [{ name: redis-tls, mountPath: /certs/redis, readOnly: true }]
                """;
        var beside = RenderedChart.of(Files.writeString(folder.resolve("beside.yaml"), more));
        assertThat(volumes(beside)).containsExactly("rules", "redis-tls");
        assertThat(mounts(beside)).containsExactly("rules", "redis-tls");
        var alone = RenderedChart.of(Files.writeString(
                folder.resolve("alone.yaml"), more + "xds: { enabled: true, server: 'control-plane:18000' }\n"));
        assertThat(volumes(alone)).containsExactly("redis-tls");
        assertThat(mounts(alone)).containsExactly("redis-tls");
    }

    private static List<String> volumes(RenderedChart chart) {
        return names(chart.pod().get("volumes"));
    }

    private static List<String> mounts(RenderedChart chart) {
        return names(chart.container().get("volumeMounts"));
    }

    private static List<String> names(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(one -> one.get("name").asText())
                .toList();
    }
}
