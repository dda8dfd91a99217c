package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Message;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import dev.weir.testing.EnvoyServer;
import dev.weir.testing.Http;
import dev.weir.testing.KubernetesModel;
import dev.weir.testing.Upstream;
import dev.weir.testing.WeirProcess;
import dev.weir.testing.Yaml;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.filters.http.ratelimit.v3.RateLimit;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import io.envoyproxy.envoy.extensions.rate_limit_descriptors.expr.v3.Descriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples for meshes and gateways: what can be held against Envoy's own messages is, and Istio's patches are run. */
final class MeshExamplesIT {
    private static final Path FOLDER = Path.of("envoy");
    private static final TypeRegistry TYPES = TypeRegistry.newBuilder()
            .add(RateLimit.getDescriptor())
            .add(Descriptor.getDescriptor())
            .build();

    /** A proxy as Istio would have made it, before any patch. */
    private static final String PROXY = """
            admin: { address: { socket_address: { address: 127.0.0.1, port_value: 0 } } }
            static_resources:
              listeners:
                - name: edge
                  address: { socket_address: { address: 127.0.0.1, port_value: 0 } }
                  filter_chains:
                    - filters:
                        - name: envoy.filters.network.http_connection_manager
                          typed_config:
                            "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
                            stat_prefix: edge
                            use_remote_address: true
                            http_filters:
                              - name: envoy.filters.http.router
                                typed_config:
                                  "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
                            route_config:
                              virtual_hosts:
                                - name: inbound|http|9080
                                  domains: ["*"]
                                  routes: [{ match: { prefix: / }, route: { cluster: service } }]
              clusters:
                - name: service
                  load_assignment:
                    cluster_name: service
                    endpoints:
                      - lb_endpoints:
                          - endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: 8000 } } }
                - name: outbound|8081||weir.weir.svc.cluster.local
                  typed_extension_protocol_options:
                    envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
                      "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
                      explicit_http_config: { http2_protocol_options: {} }
                  load_assignment:
                    cluster_name: weir
                    endpoints:
                      - lb_endpoints:
                          - endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: 8081 } } }
            """;

    @ParameterizedTest
    @ValueSource(strings = {"gateway", "sidecar"})
    void the_patches_of_istio_limit_a_real_proxy(String name) throws IOException {
        var rules = """
                domain: edge
                descriptors:
                  - { key: path, value: /login, rate_limit: { unit: year, requests_per_unit: 1 } }
                """;
        try (var upstream = Upstream.start();
                var weir = WeirProcess.start(Map.of("edge.yaml", rules))) {
            var proxy = Yaml.documents(PROXY.replace("port_value: 8000", "port_value: " + upstream.port())
                            .replace("port_value: 8081", "port_value: " + weir.grpcPort()))
                    .getFirst();
            for (var filter : Yaml.documents(FOLDER.resolve("istio").resolve(name + ".yaml"))) {
                assertThat(KubernetesModel.read(filter).getKind()).isEqualTo("EnvoyFilter");
                for (var patch : filter.at("/spec/configPatches")) {
                    apply(patch, proxy);
                }
            }
            try (var envoy = EnvoyServer.start(proxy.toString().replace("\"0.020s\"", "\"10s\""))) {
                var login = envoy.http("edge", "/login?again=1");
                assertThat(Http.get(login).statusCode()).isEqualTo(200);
                assertThat(Http.get(login).statusCode()).isEqualTo(429);
                assertThat(Http.get(envoy.http("edge", "/")).statusCode()).isEqualTo(200);
            }
        }
    }

    @Test
    void a_slip_in_a_filter_of_istio_is_found() {
        var filter = Yaml.documents(Yaml.text(FOLDER.resolve("istio").resolve("sidecar.yaml"))
                        .replace("filterChain:", "filterChian:"))
                .getFirst();
        assertThatThrownBy(() -> KubernetesModel.read(filter)).hasMessageContaining("filterChian");
    }

    @Test
    void envoy_gateway_is_told_which_image_to_start() {
        var map = Yaml.documents(FOLDER.resolve("gateway").resolve("envoy-gateway.yaml"))
                .getFirst();
        KubernetesModel.read(map);
        var gateway =
                Yaml.documents(map.at("/data/envoy-gateway.yaml").asText()).getFirst();
        assertThat(gateway.get("kind").asText()).isEqualTo("EnvoyGateway");
        assertThat(gateway.at("/provider/kubernetes/rateLimitDeployment/container/image")
                        .asText())
                .contains("weir");
        assertThat(gateway.at("/rateLimit/backend/type").asText()).isEqualTo("Redis");
        var policy =
                Yaml.documents(FOLDER.resolve("gateway").resolve("policy.yaml")).getFirst();
        assertThat(policy.at("/spec/rateLimit/type").asText()).isEqualTo("Global");
        assertThat(policy.at("/spec/rateLimit/global/rules")).isNotEmpty().allSatisfy(rule -> {
            assertThat(rule.at("/limit/requests").isInt()).isTrue();
            assertThat(rule.at("/limit/unit").asText()).isIn("Second", "Minute", "Hour", "Day");
        });
    }

    /** Envoy Gateway lays the patch over the Deployment that it makes, in which the container has this name. */
    @Test
    void envoy_gateway_does_not_start_weir_anew_for_want_of_redis() {
        var map = Yaml.documents(FOLDER.resolve("gateway").resolve("envoy-gateway.yaml"))
                .getFirst();
        var patch = Yaml.documents(map.at("/data/envoy-gateway.yaml").asText())
                .getFirst()
                .at("/provider/kubernetes/rateLimitDeployment/patch");
        assertThat(patch.get("type").asText()).isEqualTo("StrategicMerge");
        ObjectNode deployment = patch.get("value").deepCopy();
        KubernetesModel.read(deployment.put("apiVersion", "apps/v1").put("kind", "Deployment"));
        var container = deployment.at("/spec/template/spec/containers/0");
        assertThat(container.get("name").asText()).isEqualTo("envoy-ratelimit");
        for (var probe : List.of("startupProbe", "livenessProbe")) {
            assertThat(container.at("/" + probe + "/httpGet/path").asText()).isEqualTo("/livez");
            assertThat(container.at("/" + probe + "/httpGet/port").asInt())
                    .as("some versions have no such probe to lay it over")
                    .isEqualTo(8080);
        }
        assertThat(container.has("readinessProbe")).isFalse();
    }

    @Test
    void contour_and_kgateway_name_the_service_of_the_chart() {
        var contour = Yaml.documents(FOLDER.resolve("contour").resolve("contour.yaml"));
        assertThat(contour.getFirst().at("/spec/services/0/port").asInt()).isEqualTo(8081);
        KubernetesModel.read(contour.get(1));
        var settings =
                Yaml.documents(contour.get(1).at("/data/contour.yaml").asText()).getFirst();
        var extension = contour.getFirst().get("metadata");
        assertThat(settings.at("/rateLimitService/extensionService").asText())
                .isEqualTo("%s/%s"
                        .formatted(
                                extension.get("namespace").asText(),
                                extension.get("name").asText()));

        var kgateway = Yaml.documents(FOLDER.resolve("kgateway").resolve("kgateway.yaml"));
        assertThat(kgateway.getFirst()
                        .at("/spec/rateLimit/grpcService/backendRef/port")
                        .asInt())
                .isEqualTo(8081);
        assertThat(kgateway.get(1).at("/spec/rateLimit/global/extensionRef/name"))
                .isEqualTo(kgateway.getFirst().at("/metadata/name"));
        KubernetesModel.read(kgateway.get(2));
    }

    /** Patches {@code proxy} as Istio would; the value must be a message of Envoy's. */
    private static void apply(JsonNode patch, JsonNode proxy) throws IOException {
        var manager = proxy.at("/static_resources/listeners/0/filter_chains/0/filters/0/typed_config");
        var value = patch.at("/patch/value");
        var kind = "%s %s"
                .formatted(
                        patch.get("applyTo").asText(),
                        patch.at("/patch/operation").asText());
        switch (kind) {
            case "HTTP_FILTER INSERT_BEFORE" -> {
                read(value, HttpFilter.newBuilder());
                ((ArrayNode) manager.get("http_filters")).insert(0, value);
            }
            case "VIRTUAL_HOST MERGE" -> {
                read(value, VirtualHost.newBuilder());
                ((ObjectNode) manager.at("/route_config/virtual_hosts/0")).setAll((ObjectNode) value);
            }
            default -> throw new AssertionError("a patch that is not known here: " + kind);
        }
    }

    private static void read(JsonNode value, Message.Builder message) throws IOException {
        JsonFormat.parser().usingTypeRegistry(TYPES).merge(value.toString(), message);
    }
}
