package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.Eventually;
import dev.weir.testing.Http;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirCommand;
import dev.weir.testing.WeirProcess;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the service gets up to speed: by asking itself before it says that it is well, and from a cache of its classes. */
final class ColdStartIT {
    private static final Map<String, String> RULES = Map.of("edge.yaml", """
        domain: edge
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 10 } }
        """);

    /** Some seconds of training and some of writing, on a machine that does other things too. */
    private static final Duration TRAINS_WITHIN = Duration.ofMinutes(3);

    @Test
    void it_is_not_well_before_it_is_warm_and_answers_all_the_same() {
        try (var weir = WeirProcess.launch(RULES, Map.of("WARM_UP", "1m"));
                var caller = Caller.of(weir)) {
            weir.awaitOutput("debug on ");
            assertThat(caller.hit("edge", "user", "ann").getLimitRemaining()).isEqualTo(9);
            assertThat(caller.health()).containsOnly(ServingStatus.NOT_SERVING);
            assertThat(Http.get(weir.http("/healthcheck")).statusCode()).isEqualTo(500);
        }
    }

    @Test
    void what_it_asks_itself_is_counted_nowhere() {
        try (var redis = RedisServer.start()) {
            var environment = new HashMap<>(WeirProcess.on(redis));
            environment.putAll(Map.of("WARM_UP", "1s", "LOG_LEVEL", "debug"));
            try (var weir = WeirProcess.start(RULES, environment)) {
                weir.awaitOutput("warm after ");
                assertThat(weir.output())
                        .containsPattern("warm after [1-9]\\d* requests of its own")
                        .doesNotContain("could not ask itself", "answered with an error");
                var statistics = Http.get(weir.debug("/stats")).body().lines().toList();
                assertThat(statistics)
                        .filteredOn(line -> line.startsWith("weir.requests"))
                        .isNotEmpty()
                        .allMatch(line -> line.endsWith(": 0"));
                Eventually.await("Redis has forgotten all but the pulse and the replicas", () -> keys(redis) <= 2);
            }
        }
    }

    private static long keys(RedisServer redis) {
        return Long.parseLong(String.valueOf(redis.command("DBSIZE")));
    }

    @Test
    void the_cache_is_used_until_a_jar_changes_and_where_it_does_not_fit_the_start_goes_on_without(@TempDir Path folder)
            throws IOException {
        var home = copy(WeirCommand.bin("..").normalize(), folder.resolve("weir"));
        var weir = home.resolve("bin").resolve("weir");
        var temporary = Files.createDirectory(folder.resolve("a folder with blanks"));
        var environment = Map.of("TMPDIR", temporary.toString(), "_JAVA_OPTIONS", "-Xmx1m");
        var made = WeirCommand.run(home.resolve("bin").resolve("make-aot-cache"), environment, TRAINS_WITHIN);
        assertThat(made.exitCode()).as(made.output()).isZero();

        assertThat(start(weir, "")).contains("classes come from the AOT cache");
        assertThat(start(weir, "-XX:-UseCompactObjectHeaders")).contains("the AOT cache does not fit");
        for (String flags : List.of("-Xmn200m", "-XX:NewSize=200m", "-XX:MaxNewSize=200m")) {
            assertThat(start(weir, flags)).as(flags).contains("the AOT cache is left out");
        }
        var small = WeirCommand.run(weir, Map.of("WEIR_HEAP", "12m"), "--version");
        assertThat(small.exitCode()).as(small.output()).isZero();
        assertThat(start(weir, "-Xshare:off")).contains("started without bin/weir's AOT cache");

        try (var files = Files.list(home.resolve("lib"))) {
            var jar = files.filter(file -> file.getFileName().toString().startsWith("weir-")
                            && file.toString().endsWith(".jar"))
                    .findFirst()
                    .orElseThrow();
            var modified = Files.getLastModifiedTime(jar);
            Files.write(jar, new byte[] {0}, StandardOpenOption.APPEND);
            Files.setLastModifiedTime(jar, modified);
        }
        assertThat(start(weir, "")).contains("there is no AOT cache of these jars");
    }

    @Test
    void the_training_leaves_no_files_behind(@TempDir Path folder) {
        try (var redis = RedisServer.start()) {
            var environment = Map.of("WEIR_MAIN", "dev.weir.Training", "JAVA_OPTS", "-Djava.io.tmpdir=" + folder);
            var ended = WeirCommand.run(environment, redis.address());
            assertThat(ended.exitCode()).as(ended.output()).isZero();
        }
        assertThat(folder).isEmptyDirectory();
    }

    /** Starts a service that cannot listen, so that it ends by itself, and returns what it printed. */
    private static String start(Path weir, String flags) {
        var environment = Map.of(
                "JAVA_OPTS", flags,
                "LOG_LEVEL", "debug",
                "BACKEND_TYPE", "memory",
                "GRPC_HOST", "192.0.2.1",
                "RUNTIME_ROOT", weir.resolveSibling("config").toString());
        var ended = WeirCommand.run(weir, environment, "serve");
        assertThat(ended.output()).contains("gRPC cannot listen on").doesNotContain("[aot", "[cds");
        return ended.output();
    }

    private static Path copy(Path from, Path to) throws IOException {
        try (var all = Files.walk(from)) {
            for (Path file :
                    all.filter(file -> !file.toString().endsWith(".aot")).toList()) {
                Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return to;
    }
}
