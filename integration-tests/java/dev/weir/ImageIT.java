package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.Dockerfile;
import dev.weir.testing.FreePorts;
import dev.weir.testing.LaidOutImage;
import dev.weir.testing.RedisServer;
import dev.weir.testing.SignedFiles;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image: what its Dockerfile promises, and its steps followed by hand, without a container. */
final class ImageIT {
    private static final Dockerfile DOCKERFILE = Dockerfile.read(Path.of("Dockerfile"));

    @Test
    void promises_what_callers_of_the_go_image_rely_on() {
        assertThat(DOCKERFILE.ofImage("USER")).containsExactly("65534:65534");
        assertThat(DOCKERFILE.ofImage("EXPOSE")).containsExactly("8080 8081 6070 9090");
        assertThat(DOCKERFILE.ofImage("CMD")).containsExactly("[\"/bin/ratelimit\"]");
        assertThat(DOCKERFILE.ofImage("ENTRYPOINT"))
                .as("whoever gives the command /bin/ratelimit would get it twice")
                .isEmpty();
        assertThat(DOCKERFILE.ofImage("ENV"))
                .as("`weir explain` and `weir hit` take letters beyond ASCII")
                .containsExactly("JAVA_HOME=/opt/java LANG=C.UTF-8");
        assertThat(DOCKERFILE.ofImage("HEALTHCHECK")).containsExactly("NONE");
    }

    @Test
    void copies_only_what_the_build_context_holds() throws IOException {
        var sent = Files.readAllLines(Path.of(".dockerignore")).stream()
                .filter(line -> line.startsWith("!"))
                .map(line -> line.substring(1))
                .toList();
        var copied = DOCKERFILE
                .instructions()
                .filter(instruction -> instruction.keyword().equals("COPY"))
                .map(Dockerfile.Instruction::arguments)
                .filter(arguments -> !arguments.startsWith("--from=build "))
                .map(arguments -> arguments.substring(0, arguments.indexOf(' ')))
                .toList();
        assertThat(copied).isNotEmpty().allSatisfy(path -> assertThat(sent).contains(path));
        assertThat(sent).allSatisfy(path -> assertThat(Path.of(path)).exists());
    }

    @Test
    void serves_as_envoy_gateway_starts_it_for_a_user_without_rights(@TempDir Path data) throws IOException {
        Assumptions.assumeTrue(LaidOutImage.canBecomeNobody(), () -> {
            var reason = "The image is not tried: that takes root and setpriv, to become the user 65534.";
            System.out.println(reason);
            return reason;
        });
        Path config = Files.createDirectories(data.resolve("ratelimit").resolve("config"));
        Files.writeString(config.resolve("edge.yaml"), """
                domain: edge
                descriptors:
                  - { key: user, rate_limit: { unit: year, requests_per_unit: 1 } }
                """);
        // A folder of JUnit is its owner's alone.
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        int[] ports = FreePorts.find(4);
        try (var certificates = SignedFiles.create();
                var redis = RedisServer.start();
                var image = LaidOutImage.of(DOCKERFILE);
                var weir = image.start(
                        "/bin/ratelimit", environment(data, certs(data, certificates), redis.address(), ports));
                var caller = Caller.at(ports[1], certificates.credentials())) {
            weir.awaitHealthy(ports[0]);
            assertThat(weir.user()).isEqualTo("Uid:\t65534\t65534\t65534\t65534");
            assertThat(caller.ask("edge", Caller.descriptor("user", "ann")).getOverallCode())
                    .isEqualTo(Code.OK);
            assertThat(caller.ask("edge", Caller.descriptor("user", "ann")).getOverallCode())
                    .isEqualTo(Code.OVER_LIMIT);
            assertThat(weir.maps())
                    .as("epoll is found, with no folder to unpack it into")
                    .contains(image.at("/usr/java/packages/lib/libnetty_transport_native_epoll")
                            .toString())
                    .as("the cache fits")
                    .containsPattern(image.at("/opt/weir/lib").toString() + "/weir-[0-9-]+\\.aot");
            assertThat(image.at("/tmp")).isEmptyDirectory();
            assertThat(weir.stop()).as(weir.output()).isIn(0, 143);
        }
    }

    /** The secret of Envoy Gateway, readable for everybody. */
    private static Path certs(Path data, SignedFiles certificates) throws IOException {
        var own = certificates.sign("envoy-ratelimit", "127.0.0.1");
        Path certs = Files.createDirectories(data.resolve("certs"));
        Files.writeString(certs.resolve("tls.crt"), certificates.textOf(own.certificate()));
        Files.writeString(certs.resolve("tls.key"), certificates.textOf(own.key()));
        return certs;
    }

    /** What Envoy Gateway gives its container, but for xDS; and folders and ports that are free here. */
    private static Map<String, String> environment(Path data, Path certs, String redis, int[] ports) {
        var all = new HashMap<String, String>();
        all.putAll(Map.of("RUNTIME_ROOT", data.toString(), "RUNTIME_SUBDIRECTORY", "ratelimit"));
        all.putAll(Map.of("RUNTIME_IGNOREDOTFILES", "true", "RUNTIME_WATCH_ROOT", "false"));
        all.putAll(Map.of("LOG_LEVEL", "info", "USE_STATSD", "false", "FORCE_START_WITHOUT_INITIAL_CONFIG", "true"));
        all.putAll(Map.of("REDIS_SOCKET_TYPE", "tcp", "REDIS_URL", redis));
        all.put("STORE_TIMEOUT", "5s"); // on a machine that does other things, and how fast it is is asked elsewhere
        all.putAll(Map.of("USE_PROMETHEUS", "true", "PROMETHEUS_MAPPER_YAML", "/etc/statsd-exporter/conf.yaml"));
        all.put("GRPC_SERVER_USE_TLS", "true");
        all.put("GRPC_SERVER_TLS_CERT", certs.resolve("tls.crt").toString());
        all.put("GRPC_SERVER_TLS_KEY", certs.resolve("tls.key").toString());
        all.put("GRPC_SERVER_TLS_CA_CERT", "/certs/ca.crt"); // a name that the Go service does not read either
        all.putAll(Map.of("PORT", text(ports[0]), "GRPC_PORT", text(ports[1]), "DEBUG_PORT", text(ports[2])));
        all.putAll(Map.of("PROMETHEUS_ADDR", "127.0.0.1:" + ports[3], "DRAIN_DELAY", "0s"));
        return all;
    }

    private static String text(int port) {
        return Integer.toString(port);
    }
}
