package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.Helm;
import dev.weir.testing.KubernetesModel;
import dev.weir.testing.Yaml;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.Endpoint;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the chart makes of many values together: objects that the API of Kubernetes takes, and that fit each other. */
final class HelmObjectsIT {
    private static final Path CHART = Path.of("helm", "weir");
    private static final int DRAWS = 60;

    /** What may be asked for, each by itself or with any of the others; but rules come from one place, see below. */
    private static final List<Map<String, String>> WISHES = List.of(
            Map.of("redis.url", "redis:6379"),
            Map.of(
                    "redis.url",
                    "m,a:1\\,b:2",
                    "redis.type",
                    "SENTINEL",
                    "redis.existingSecret",
                    "redis",
                    "redis.tls",
                    "true"),
            Map.of("tls.existingSecret", "own"),
            Map.of(
                    "tls.existingSecret",
                    "own",
                    "tls.client.existingSecret",
                    "authority",
                    "tls.client.name",
                    "envoy.example"),
            Map.of("autoscaling.enabled", "true", "autoscaling.maxReplicas", "7", "resources.requests.cpu", "1500m"),
            Map.of("replicas", "0"),
            Map.of("strategy.rollingUpdate.maxSurge", "1"),
            Map.of("strategy.type", "Recreate"),
            Map.of("podDisruptionBudget.enabled", "false"),
            Map.of("podDisruptionBudget.maxUnavailable", "30%"),
            Map.of("networkPolicy.enabled", "true"),
            Map.of("networkPolicy.enabled", "true", "networkPolicy.from[0].podSelector.matchLabels.app", "edge"),
            Map.of("metrics.enabled", "false"),
            Map.of("metrics.dashboard.enabled", "true"),
            Map.of("service.headless", "false", "service.appProtocol", "grpc"),
            Map.of("service.http", "false"),
            Map.of("service.annotations.note", "seen", "podAnnotations.note", "seen"),
            Map.of("podLabels.team", "edge", "priorityClassName", "high"),
            Map.of("serviceAccountName", "edge"),
            Map.of("topologySpread", "false"),
            Map.of("image.tag", "1.2", "imagePullSecrets[0].name", "registry"),
            Map.of("nodeSelector.pool", "edge", "tolerations[0].key", "edge", "tolerations[0].operator", "Exists"),
            Map.of("resources.limits.cpu", "2", "terminationGracePeriodSeconds", "60"),
            Map.of("env.SHADOW_MODE", "true", "env.NEAR_LIMIT_RATIO", "0.5", "env.MAX_ENTRIES", "16"),
            Map.of("env.USE_STATSD", "true", "env.HOST", "0.0.0.0"),
            Map.of("podSecurityContext.runAsUser", "null", "podSecurityContext.fsGroup", "null"),
            Map.of(
                    "extraVolumes[0].name",
                    "more",
                    "extraVolumes[0].secret.secretName",
                    "more",
                    "extraVolumeMounts[0].name",
                    "more",
                    "extraVolumeMounts[0].mountPath",
                    "/certs/more",
                    "extraVolumeMounts[0].readOnly",
                    "true"),
            Map.of("envFrom[0].secretRef.name", "more"),
            Map.of(
                    "extraEnv[0].name",
                    "DD_ENTITY_ID",
                    "extraEnv[0].valueFrom.fieldRef.fieldPath",
                    "metadata.uid",
                    "extraEnv[1].name",
                    "HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED",
                    "extraEnv[1].value",
                    ""));

    private static final List<Map<String, String>> RULES = List.of(
            Map.of(),
            Map.of("rules.edge\\.yaml", "domain: edge"),
            Map.of("existingRules", "mine"),
            Map.of("xds.enabled", "true", "xds.server", "control-plane:18000"));

    static Stream<Map<String, String>> draws() {
        return Stream.concat(
                Stream.concat(WISHES.stream(), RULES.stream()),
                Stream.iterate(1L, seed -> seed + 1).limit(DRAWS).map(HelmObjectsIT::draw));
    }

    @ParameterizedTest
    @MethodSource("draws")
    void whatever_is_asked_for_kubernetes_takes_it_and_it_fits_together(Map<String, String> values) {
        var objects = new ArrayList<HasMetadata>();
        for (var tree : rendered(values)) {
            objects.add(KubernetesModel.read(tree));
        }
        assertThat(objects)
                .extracting(
                        object -> object.getKind() + " " + object.getMetadata().getName())
                .doesNotHaveDuplicates();
        var deployment = the(objects, Deployment.class).getFirst();
        var labels = deployment.getSpec().getTemplate().getMetadata().getLabels();
        var service = the(objects, Service.class).getFirst();
        assertThat(labels)
                .containsAllEntriesOf(deployment.getSpec().getSelector().getMatchLabels())
                .containsAllEntriesOf(service.getSpec().getSelector());
        the(objects, PodDisruptionBudget.class)
                .forEach(budget -> assertThat(labels)
                        .containsAllEntriesOf(budget.getSpec().getSelector().getMatchLabels()));
        the(objects, HorizontalPodAutoscaler.class)
                .forEach(scaler -> assertThat(
                                scaler.getSpec().getScaleTargetRef().getName())
                        .isEqualTo(deployment.getMetadata().getName()));
        portsFit(objects, container(deployment), service);
        volumesFit(objects, deployment, values.getOrDefault("existingRules", ""));
        assertThat(container(deployment).getEnv()).extracting(EnvVar::getName).doesNotHaveDuplicates();
    }

    @Test
    void what_kubernetes_would_refuse_is_told() {
        var deployment = (ObjectNode) rendered(Map.of()).stream()
                .filter(tree -> tree.get("kind").asText().equals("Deployment"))
                .findFirst()
                .orElseThrow();
        assertThatThrownBy(() -> KubernetesModel.read(with(deployment, "/spec", "replica", "2")))
                .hasMessageContaining("replica");
        assertThatThrownBy(() -> KubernetesModel.read(with(deployment, "/spec", "replicas", "\"2\"")))
                .hasMessageContaining("replicas");
        assertThatThrownBy(() ->
                        KubernetesModel.read(with(deployment, "/spec/template/spec/containers/0/env/0", "value", "1")))
                .hasMessageContaining("value");
        assertThatThrownBy(() -> KubernetesModel.read(with(deployment, "", "apiVersion", "\"apps/v2\"")))
                .hasMessageContaining("apps/v2 Deployment");
    }

    private static void portsFit(List<HasMetadata> objects, Container container, Service service) {
        assertThat(container.getPorts()).extracting(ContainerPort::getName).doesNotHaveDuplicates();
        var names = container.getPorts().stream().map(ContainerPort::getName).toList();
        assertThat(service.getSpec().getPorts())
                .extracting(port -> port.getTargetPort().getStrVal())
                .isSubsetOf(names);
        Stream.of(container.getStartupProbe(), container.getReadinessProbe(), container.getLivenessProbe())
                .forEach(probe -> assertThat(names).contains(port(probe)));
        the(objects, NetworkPolicy.class).stream()
                .flatMap(policy -> policy.getSpec().getIngress().stream())
                .flatMap(rule -> rule.getPorts().stream())
                .forEach(port -> assertThat(names).contains(port.getPort().getStrVal()));
        the(objects, ServiceMonitor.class)
                .forEach(monitor -> assertThat(monitor.getSpec().getEndpoints())
                        .extracting(Endpoint::getPort)
                        .isSubsetOf(service.getSpec().getPorts().stream()
                                .map(ServicePort::getName)
                                .toList()));
    }

    private static void volumesFit(List<HasMetadata> objects, Deployment deployment, String existingRules) {
        var volumes = deployment.getSpec().getTemplate().getSpec().getVolumes();
        assertThat(container(deployment).getVolumeMounts())
                .allMatch(VolumeMount::getReadOnly)
                .extracting(VolumeMount::getName)
                .containsExactlyElementsOf(volumes.stream().map(Volume::getName).toList());
        var maps = Stream.concat(
                        the(objects, ConfigMap.class).stream()
                                .map(map -> map.getMetadata().getName()),
                        Stream.of(existingRules))
                .toList();
        volumes.stream()
                .filter(volume -> volume.getConfigMap() != null)
                .forEach(volume ->
                        assertThat(maps).contains(volume.getConfigMap().getName()));
    }

    private static Map<String, String> draw(long seed) {
        var random = new SplittableRandom(seed);
        var values = new TreeMap<>(RULES.get(random.nextInt(RULES.size())));
        for (var wish : WISHES) {
            if (random.nextInt(3) == 0) {
                values.putAll(wish);
            }
        }
        if (!values.containsKey("metrics.enabled")) {
            values.put("metrics.serviceMonitor.enabled", Boolean.toString(random.nextBoolean()));
            values.put("metrics.rules.enabled", Boolean.toString(random.nextBoolean()));
            values.put("metrics.rules.labels.release", "prometheus");
        }
        return values;
    }

    private static List<JsonNode> rendered(Map<String, String> values) {
        var template = new Helm(CHART).template().withName("limits");
        values.forEach(template::set);
        return Yaml.documents(template.call());
    }

    private static <T extends HasMetadata> List<T> the(List<HasMetadata> objects, Class<T> kind) {
        return objects.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private static Container container(Deployment deployment) {
        return deployment.getSpec().getTemplate().getSpec().getContainers().getFirst();
    }

    private static String port(Probe probe) {
        return probe.getHttpGet() != null
                ? probe.getHttpGet().getPort().getStrVal()
                : probe.getTcpSocket().getPort().getStrVal();
    }

    private static JsonNode with(ObjectNode object, String place, String name, String json) {
        var copy = object.deepCopy();
        ((ObjectNode) copy.at(place)).set(name, Yaml.json(json));
        return copy;
    }
}
