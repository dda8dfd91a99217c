package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.testing.ClusterReaders;
import dev.weir.testing.KubernetesModel;
import dev.weir.testing.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples for gateways in a cluster, read by what would read them there: a slip in any of them is found. */
final class GatewayExamplesIT {
    private static final Path FOLDER = Path.of("envoy");

    /** Not every registry serves the module with these definitions: the two objects were compared with kgateway's types by eye. */
    private static final String KGATEWAY = "gateway.kgateway.dev/v1alpha1";

    private ClusterReaders readers;

    @BeforeEach
    void build() {
        readers = ClusterReaders.require();
    }

    static List<Path> examples() throws IOException {
        try (var files = Files.walk(FOLDER, 2)) {
            return files.filter(file -> FOLDER.relativize(file).getNameCount() == 2)
                    .filter(file -> !file.startsWith(FOLDER.resolve("rules")))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void the_cluster_takes_every_object(Path example) {
        read(Yaml.text(example));
    }

    /** A field that is not known, a word or a number that is not allowed, something missing, and what only a rule in CEL forbids. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            gateway/policy.yaml        | clientSelectors:  | clientSelector: | unknown field spec.rateLimit.global.rules[0].clientSelector
            gateway/policy.yaml        | namespace:        | namspace:       | unknown field metadata.namspace
            gateway/policy.yaml        | unit: Hour        | unit: Hours     | Unsupported value: "Hours"
            gateway/policy.yaml        | requests: 100,    | requests: many, | must be of type integer
            gateway/policy.yaml        | requests: 100,    |                 | limit.requests: Required value
            gateway/policy.yaml        | kind: HTTPRoute   | kind: Service   | this policy can only have a targetRefs[*].kind of
            gateway/policy.yaml        | v1alpha1          | v1alpha9        | no definition of gateway.envoyproxy.io/v1alpha9
            gateway/envoy-gateway.yaml | rateLimit:        | rateLimits:     | unknown field "rateLimits"
            gateway/envoy-gateway.yaml | container:        | containers:     | unknown field "containers"
            gateway/envoy-gateway.yaml | type: Redis       | type: Memcache  | unsupported ratelimit backend
            gateway/envoy-gateway.yaml | type: Kubernetes  | type: Nowhere   | unsupported provider
            contour/contour.yaml       | protocol: h2c     | protocol: h1    | Unsupported value: "h1"
            contour/contour.yaml       | port: 8081        | port: 80810     | should be less than
            contour/contour.yaml       | response: 100ms   | response: soon  | spec.timeoutPolicy.response in body should match
            contour/contour.yaml       | descriptorKey:    | descriptor:     | descriptorKey: Required value
            contour/contour.yaml       | failOpen:         | failopen:       | field failopen not found
            istio/gateway.yaml         | applyTo: HTTP_F   | applyTo: HTTPF  | Unsupported value: "HTTPFILTER"
            istio/gateway.yaml         | operation: INSERT | operation: PUT  | Unsupported value: "PUT_BEFORE"
            istio/sidecar.yaml         | filterChain:      | filterChian:    | unknown field spec.configPatches[0].match.listener.filterChian
            kgateway/kgateway.yaml     | from:             | form:           | spec.from: Required value
            """)
    void a_slip_is_found(String example, String right, @Nullable String wrong, String reason) {
        var text = Yaml.text(FOLDER.resolve(example));
        assertThat(text).contains(right);
        var slipped = text.replace(right, wrong == null ? "" : wrong);
        assertThatThrownBy(() -> read(slipped)).hasMessageContaining(reason);
    }

    private void read(String text) {
        for (var object : Yaml.documents(text)) {
            switch (object.get("apiVersion").asText()) {
                case "v1" -> {
                    KubernetesModel.read(object);
                    object.get("data").forEachEntry(this::readSettings);
                }
                case KGATEWAY -> {}
                default -> readers.readObject(object);
            }
        }
    }

    private void readSettings(String name, JsonNode settings) {
        switch (name) {
            case "envoy-gateway.yaml" -> readers.readEnvoyGateway(settings.asText());
            case "contour.yaml" -> readers.readContour(settings.asText());
            default -> throw new AssertionError("nobody reads " + name);
        }
    }
}
