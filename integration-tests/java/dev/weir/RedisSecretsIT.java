package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.Eventually;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisRights;
import dev.weir.testing.RedisServer;
import dev.weir.testing.RespConnection;
import dev.weir.testing.SignedFiles;
import dev.weir.testing.TlsRedis;
import dev.weir.testing.WeirProcess;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Weir and a Redis that lets nobody in without a password: it is told to Redis, and to nobody else. */
final class RedisSecretsIT {
    private static final Map<String, String> RULES = Map.of("edge.yaml", """
        domain: edge
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 10 } }
        """);
    private static final String SECRET = "open-sesame";

    @Test
    void a_user_of_a_redis_with_tls_is_let_in_by_a_secret_in_a_file() {
        try (var certificates = SignedFiles.create();
                var redis = TlsRedis.start(certificates.sign("redis", "127.0.0.1"), certificates.authority())) {
            createUser(redis.server());
            var environment = environment("rediss://127.0.0.1:" + redis.port());
            environment.put("REDIS_TLS_CACERT", certificates.authority().toString());
            environment.put(
                    "REDIS_AUTH_FILE",
                    certificates.write("auth", "weir:" + SECRET + "\n").toString());
            try (var weir = WeirProcess.start(RULES, environment);
                    var caller = Caller.of(weir)) {
                assertThat(caller.hit("edge", "user", "ann").getLimitRemaining())
                        .isEqualTo(9);
                assertThat(weir.output()).contains("Redis answers").doesNotContain(SECRET, "WARN");
            }
        }
    }

    @Test
    void a_secret_that_was_changed_lets_the_next_connections_in(@TempDir Path folder) throws Exception {
        var file = Files.writeString(folder.resolve("auth"), "of-before");
        try (var redis = RedisServer.startWith("--requirepass", "of-before")) {
            var environment = environment(redis.address());
            environment.put("REDIS_AUTH_FILE", file.toString());
            try (var weir = WeirProcess.start(RULES, environment);
                    var caller = Caller.of(weir)) {
                assertThat(caller.hit("edge", "user", "ann").getLimitRemaining())
                        .isEqualTo(9);
                Files.writeString(file, SECRET + "\n");
                try (var inside = new RespConnection(redis.host(), redis.port(), Duration.ofSeconds(10))) {
                    var _ = inside.ask("AUTH", "of-before");
                    var _ = inside.ask("CONFIG", "SET", "requirepass", SECRET);
                    var _ = inside.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
                }
                Eventually.await("it is let in again", () -> isCounted(caller));
                assertThat(weir.output()).doesNotContain(SECRET, "of-before");
            }
        }
    }

    @Test
    void the_nodes_of_a_cluster_are_told_it_before_all_else(@TempDir Path folder) throws Exception {
        try (var cluster = RedisCluster.start()) {
            for (int node = 0; node < 3; node++) {
                cluster.node(node).command("CONFIG", "SET", "requirepass", SECRET);
            }
            var environment = new HashMap<>(WeirProcess.on(cluster));
            environment.put(
                    "REDIS_AUTH_FILE",
                    Files.writeString(folder.resolve("auth"), SECRET).toString());
            try (var weir = WeirProcess.start(RULES, environment)) {
                assertThat(weir.output()).contains("Redis answers").doesNotContain("NOAUTH", SECRET);
            }
        }
    }

    private static boolean isCounted(Caller caller) {
        try {
            return caller.hit("edge", "user", "bob").getLimitRemaining() < 10;
        } catch (StatusRuntimeException _) {
            return false; // not connected yet
        }
    }

    @Test
    void a_redis_on_a_unix_socket_is_reached(@TempDir Path folder) {
        var socket = folder.resolve("redis.sock");
        try (var redis = RedisServer.startWith("--unixsocket", socket.toString(), "--unixsocketperm", "700")) {
            createUser(redis);
            var environment = environment(socket.toString());
            environment.putAll(Map.of("REDIS_SOCKET_TYPE", "unix", "REDIS_AUTH", "weir:" + SECRET));
            try (var weir = WeirProcess.start(RULES, environment);
                    var caller = Caller.of(weir)) {
                assertThat(caller.hit("edge", "user", "ann").getLimitRemaining())
                        .isEqualTo(9);
            }
        }
    }

    @Test
    void a_secret_that_redis_refuses_is_not_shown(@TempDir Path folder) throws Exception {
        var file = Files.writeString(folder.resolve("auth"), "weir:" + SECRET);
        try (var redis = RedisServer.start()) {
            for (var secret : List.of(
                    Map.of("REDIS_AUTH", "weir:" + SECRET),
                    Map.of("REDIS_AUTH_FILE", file.toString()),
                    Map.of("REDIS_URL", "redis://weir:" + SECRET + "@" + redis.address()))) {
                var environment = environment(redis.address());
                environment.putAll(secret);
                environment.put("LOG_LEVEL", "debug");
                try (var weir = WeirProcess.launch(RULES, environment)) {
                    weir.awaitOutput("cannot be reached: WRONGPASS");
                    assertThat(weir.output()).doesNotContain(SECRET);
                }
            }
        }
    }

    /** Redis repeats what it was told with a command that it does not know. */
    @Test
    void a_secret_that_redis_repeats_is_not_shown() {
        try (var redis = RedisServer.startWith("--rename-command", "AUTH", "")) {
            var environment = environment(redis.address());
            environment.putAll(Map.of("REDIS_AUTH", "weir:" + SECRET, "LOG_LEVEL", "debug"));
            try (var weir = WeirProcess.launch(RULES, environment)) {
                weir.awaitOutput("cannot be reached: ERR unknown command");
                assertThat(weir.output()).doesNotContain(SECRET);
            }
        }
    }

    @Test
    void a_secret_in_a_wrong_environment_is_not_shown() {
        var environment = environment("redis://weir:" + SECRET + "@redis:http");
        environment.putAll(Map.of("REDIS_SENTINEL_AUTH", SECRET, "REDIS_AUTH", SECRET, "REDIS_AUTH_FILE", "/nowhere"));
        try (var weir = WeirProcess.launch(RULES, environment)) {
            assertThat(weir.awaitEnd()).isEqualTo(1);
            assertThat(weir.output())
                    .contains("REDIS_AUTH_FILE is \"/nowhere\": give either this or `REDIS_AUTH`.", "REDIS_URL is ")
                    .doesNotContain(SECRET);
        }
    }

    private static void createUser(RedisServer redis) {
        var user = Stream.of("ACL", "SETUSER", "weir", "on", ">" + SECRET, "~*");
        redis.command(Stream.concat(user, Stream.of(RedisRights.OF_THE_PAGE.split(" ")))
                .toArray(String[]::new));
    }

    private static Map<String, String> environment(String url) {
        return new HashMap<>(Map.of("BACKEND_TYPE", "redis", "REDIS_URL", url, "STORE_TIMEOUT", "5s"));
    }
}
