package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.ConfigMap;
import dev.weir.testing.Eventually;
import dev.weir.testing.WeirProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules on a volume whose update is the swap of a link, as Kubernetes and the Go service's deployments do it. */
final class ConfigMapIT {
    @TempDir
    private Path root;

    @ParameterizedTest(name = "RUNTIME_WATCH_ROOT={0}, RUNTIME_IGNOREDOTFILES={1}")
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void an_update_of_the_config_map_is_in_force_by_itself(String watchRoot, String ignoreDotFiles) {
        var volume = ConfigMap.mountedAt(root.resolve("ratelimit").resolve("config"));
        volume.publish(Map.of("config.edge.yaml", rules("edge", 10), "config.api.yaml", rules("api", 20)));
        var environment = Map.of(
                "RUNTIME_ROOT", root.toString(),
                "RUNTIME_WATCH_ROOT", watchRoot,
                "RUNTIME_IGNOREDOTFILES", ignoreDotFiles);
        try (var weir = WeirProcess.start(Map.of(), environment);
                var caller = Caller.of(weir)) {
            assertThat(weir.output())
                    .as("files that are seen by three names are read once")
                    .contains("2 rules of 2 domains from 2 files (version 1)");
            assertThat(limit(caller, "edge")).isEqualTo(10);
            assertThat(limit(caller, "api")).isEqualTo(20);

            volume.publish(Map.of("config.edge.yaml", rules("edge", 11), "config.web.yaml", rules("web", 30)));
            Eventually.await("the update is in force", () -> limit(caller, "edge") == 11);
            Eventually.await("the new file is there", () -> limit(caller, "web") == 30);
            Eventually.await("the old file is gone", () -> limit(caller, "api") == 0);
        }
    }

    @Test
    void a_root_that_is_swapped_is_noticed() throws IOException {
        release("first", rules("edge", 10));
        release("second", rules("edge", 20));
        var current = Files.createSymbolicLink(root.resolve("current"), Path.of("first"));
        var environment = Map.of("RUNTIME_ROOT", current.toString(), "RUNTIME_WATCH_ROOT", "true");
        try (var weir = WeirProcess.start(Map.of(), environment);
                var caller = Caller.of(weir)) {
            assertThat(limit(caller, "edge")).isEqualTo(10);
            var fresh = Files.createSymbolicLink(root.resolve("fresh"), Path.of("second"));
            Files.move(fresh, current, StandardCopyOption.ATOMIC_MOVE);
            Eventually.await("the other release is in force", () -> limit(caller, "edge") == 20);
        }
    }

    private void release(String name, String rules) throws IOException {
        var config =
                Files.createDirectories(root.resolve(name).resolve("ratelimit").resolve("config"));
        Files.writeString(config.resolve("edge.yaml"), rules);
        Files.writeString(config.resolveSibling("README"), "no rules: the name does not begin with config");
    }

    private static int limit(Caller caller, String domain) {
        var look = Caller.withHits(Caller.descriptor("user", "nobody"), 0);
        return caller.ask(domain, look).getStatuses(0).getCurrentLimit().getRequestsPerUnit();
    }

    private static String rules(String domain, int limit) {
        return """
            domain: %s
            descriptors:
              - { key: user, rate_limit: { unit: year, requests_per_unit: %d } }
            """.formatted(domain, limit);
    }
}
