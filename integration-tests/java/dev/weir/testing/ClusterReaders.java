package dev.weir.testing;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What reads the examples for gateways in a cluster: the API server's own check of an object against the definition of its
 * kind, and the code with which Envoy Gateway and Contour read their settings. These are the Go programs of
 * {@code integration-tests/go}, built against modules that the {@code go} of this machine fetches and keeps.
 */
public final class ClusterReaders {
    private static final String ENVOY_GATEWAY = "github.com/envoyproxy/gateway@v1.9.1";
    private static final String CONTOUR = "github.com/projectcontour/contour@v1.33.8";
    private static final String GATEWAY_API = "sigs.k8s.io/gateway-api@v1.6.1";
    private static final String ISTIO = "istio.io/api@v1.31.1";

    /** Where the modules keep the definitions of the kinds that the examples use. */
    private static final List<String> DEFINITIONS = List.of(
            ENVOY_GATEWAY
                    + "/charts/gateway-helm/charts/crds/crds/generated/gateway.envoyproxy.io_backendtrafficpolicies.yaml",
            CONTOUR + "/examples/contour/01-crds.yaml",
            GATEWAY_API + "/config/crd/standard/gateway.networking.k8s.io_referencegrants.yaml",
            ISTIO + "/kubernetes/customresourcedefinitions.gen.yaml");

    private static final Path SOURCES = Path.of("integration-tests", "go").toAbsolutePath();
    private static final Duration FETCHED_WITHIN = Duration.ofMinutes(10);
    private static final Duration BUILT_WITHIN = Duration.ofMinutes(15);
    private static final Duration READ_WITHIN = Duration.ofMinutes(1);
    private static final String LEFT = "The examples for gateways are not held against their definitions";

    private final Path modules;

    private ClusterReaders(Path modules) {
        this.modules = modules;
    }

    /** Returns them, built. Where they are not to be had, the test that asks is skipped or fails: {@link Go#require} says when. */
    public static ClusterReaders require() {
        Go.require(LEFT);
        return Found.READERS.require();
    }

    /** Fails with the reasons if the API server would refuse an object. */
    public void readObject(JsonNode object) {
        read("objects", object.toString(), DEFINITIONS.stream().map(modules::resolve));
    }

    /** Fails with the reason if Envoy Gateway would not start with these settings. */
    public void readEnvoyGateway(String settings) {
        read("envoygateway", settings, Stream.empty());
    }

    /** Fails with the reason if Contour would not start with these settings. */
    public void readContour(String settings) {
        read("contour", settings, Stream.empty());
    }

    private static void read(String program, String text, Stream<Path> definitions) {
        try (var folder = ScratchFolder.create(program)) {
            var file = Files.writeString(folder.resolve("text"), text);
            var command = Stream.concat(Stream.of(Go.PROGRAMS.resolve(program), file), definitions)
                    .map(Path::toString)
                    .toList();
            var ended = Child.run(READ_WITHIN, command);
            if (!ended.isWell()) {
                throw new AssertionError(ended.output().strip());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Builds them once, when first asked. */
    private static final class Found {
        static final Sought<ClusterReaders> READERS = build();
    }

    private static Sought<ClusterReaders> build() {
        System.out.println("Building what reads the examples for gateways (the first time: some minutes) ...");
        var cache = Child.run(READ_WITHIN, List.of("go", "env", "GOMODCACHE"));
        if (!cache.isWell()) {
            return absent(cache);
        }
        var modules = Path.of(cache.output().strip());
        var fetched =
                Child.run(FETCHED_WITHIN, List.of("go", "mod", "download", ENVOY_GATEWAY, CONTOUR, GATEWAY_API, ISTIO));
        if (!fetched.isWell()) {
            return absent(fetched);
        }
        for (var program : List.of("objects", "envoygateway", "contour")) {
            // Built inside of the module, a program gets the versions of libraries which that module names.
            var module = modules.resolve(program.equals("contour") ? CONTOUR : ENVOY_GATEWAY);
            var command = new ArrayList<>(List.of("go", "build", "-C", module.toString(), "-buildvcs=false"));
            command.addAll(List.of("-o", Go.PROGRAMS.resolve(program).toString()));
            command.add(SOURCES.resolve(program).resolve("main.go").toString());
            var built = Child.run(BUILT_WITHIN, command);
            if (!built.isWell()) {
                return absent(built);
            }
        }
        return new Sought.Present<>(new ClusterReaders(modules));
    }

    private static Sought<ClusterReaders> absent(Child.Ended ended) {
        return new Sought.Absent<>(LEFT + ", as go says: " + ended.output().strip());
    }
}
