package dev.weir;

import static dev.weir.testing.WeirProcess.UNSET;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.testing.Caller;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Http;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirCommand;
import dev.weir.testing.WeirProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator reads who starts Weir, in particular when it does not start. */
final class StartIT {
    private static final Map<String, String> RULES = Map.of("edge.yaml", """
        domain: edge
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 10 } }
        """);

    @Test
    void every_wrong_setting_is_told_in_a_sentence_of_its_own() {
        var ended = WeirCommand.run(
                Map.of(
                        "PORT", "http",
                        "GRPC_PORT", "70000",
                        "STORE_TIMEOUT", "15",
                        "SHADOW_MODE", "yes",
                        "LOG_LEVEL", "",
                        "REDIS_URL", "http://redis:6379",
                        "BACKEND_TYPE", "memcache",
                        "REDIS_TLS", "on"),
                "serve");
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.output().lines())
                .hasSize(9)
                .first()
                .asString()
                .startsWith("Weir does not start, because of what its environment says");
        assertThat(ended.output().lines().skip(1)).allMatch(line -> line.matches("  [A-Z_]+ is (empty|\".*\"): .*\\."));
        assertThat(ended.output())
                .contains(
                        "  PORT is ",
                        "  GRPC_PORT is ",
                        "  STORE_TIMEOUT is ",
                        "  SHADOW_MODE is ",
                        "  LOG_LEVEL is empty: ",
                        "  REDIS_URL is ",
                        "  REDIS_TLS is ",
                        "  BACKEND_TYPE is \"memcache\": only the Go service knows this; give `redis` or `memory`")
                .doesNotContain("\tat ", "Exception");
    }

    @Test
    void wrong_settings_are_lines_of_json_where_the_log_is() throws IOException {
        var ended = WeirCommand.run(
                Map.of("LOG_FORMAT", "json", "LOG_LEVEL", "loud", "PORT", "http", "REDIS_TLS", "on"), "serve");
        assertThat(ended.exitCode()).isEqualTo(1);
        var lines = ended.output().lines().toList();
        assertThat(lines).hasSize(3);
        var port = new ObjectMapper().readTree(lines.get(1));
        assertThat(port.get("level").asText()).isEqualTo("error");
        assertThat(port.get("@message").asText())
                .isEqualTo("Weir does not start: PORT is \"http\": give a port from 0 (any free one) to 65535.");
        var wrongFormat = WeirCommand.run(Map.of("LOG_FORMAT", "yaml", "PORT", "http"), "serve");
        assertThat(wrongFormat.output()).startsWith("Weir does not start, because of what its environment says:\n");
    }

    @ParameterizedTest
    @CsvSource({"GRPC_PORT, gRPC", "PORT, HTTP", "DEBUG_PORT, debug"})
    void a_port_in_use_is_named_and_ends_the_start(String variable, String name) throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var weir = WeirProcess.launch(RULES, Map.of(variable, Integer.toString(taken.getLocalPort())))) {
            assertThat(weir.awaitEnd()).isEqualTo(1);
            assertThat(weir.output().lines().filter(line -> line.contains(" ERROR ")))
                    .singleElement()
                    .asString()
                    .contains("Weir cannot start: ", name, "127.0.0.1:" + taken.getLocalPort(), "in use");
            assertThat(weir.output()).doesNotContain("\tat ");
        }
    }

    @ParameterizedTest
    @CsvSource({"GRPC_HOST, gRPC", "HOST, HTTP", "DEBUG_HOST, debug"})
    void a_host_that_there_is_not_is_named_and_ends_the_start(String variable, String name) {
        try (var weir = WeirProcess.launch(RULES, Map.of(variable, "no-such-host.invalid"))) {
            assertThat(weir.awaitEnd()).isEqualTo(1);
            assertThat(weir.output().lines().filter(line -> line.contains(" ERROR ")))
                    .singleElement()
                    .asString()
                    .contains("Weir cannot start: ", name, "no-such-host.invalid:")
                    .endsWith(": there is no such host");
        }
    }

    @Test
    void where_few_files_may_be_open_callers_get_half_of_them() {
        var ending = Map.of("BACKEND_TYPE", "memory", "GRPC_HOST", "192.0.2.1");
        var ended = WeirCommand.run(
                Path.of("/bin/sh"),
                ending,
                "-c",
                "ulimit -n 1000; exec \"$0\" serve",
                WeirCommand.bin("weir").toString());
        assertThat(ended.output())
                .contains(
                        "WARN  the limit on open files (LimitNOFILE, ulimit -Hn) leaves room for 500 connections of callers");
    }

    @Test
    void a_start_tells_ports_backend_and_rules_in_a_line_each() {
        try (var weir = WeirProcess.start(RULES)) {
            weir.awaitOutput("INFO  debug on"); // a moment after health answers
            for (var line : List.of(
                    "INFO  counts are kept in memory: this process counts for itself alone",
                    "INFO  rules in force: 1 rule of 1 domain from 1 file",
                    "INFO  gRPC on 127.0.0.1:" + weir.grpcPort(),
                    "INFO  HTTP on 127.0.0.1:" + weir.http("/").getPort(),
                    "INFO  debug on 127.0.0.1:" + weir.debug("/").getPort())) {
                assertThat(weir.output().lines().filter(told -> told.contains(line)))
                        .as(line)
                        .hasSize(1);
            }
            assertThat(weir.output().lines()).allMatch(line -> line.matches("\\S+Z (INFO |WARN |ERROR) .+"));
        }
    }

    @Test
    void a_set_of_no_rules_is_warned_of_with_the_place_where_none_were_found() {
        var mistyped = Map.of("RUNTIME_WATCH_ROOT", "true", "RUNTIME_APPDIRECTORY", "conf"); // it is config
        try (var weir = WeirProcess.start(RULES, mistyped)) {
            weir.awaitOutput("WARN  rules in force: 0 rules of 0 domains from 0 files below "
                    + weir.config().getParent() + " (version 1): without a domain every request passes");
            assertThat(Http.get(weir.debug("/stats")).body())
                    .contains("weir.rules.version: 1\n", "weir.rules.domains: 0\n");
        }
    }

    @Test
    void who_tries_weir_is_told_the_ports_that_were_opened() {
        var free = Map.of("GRPC_PORT", "0", "PORT", "0", "WEIR_HINTS", "true");
        try (var weir = WeirProcess.launch(RULES, free)) {
            weir.awaitOutput("Ctrl-C ends Weir");
            assertThat(weir.output())
                    .contains(
                            "hit --address 127.0.0.1:" + portIn("gRPC on 127.0.0.1:(\\d+)", weir) + " --domain",
                            "http://127.0.0.1:" + portIn("HTTP on 127.0.0.1:(\\d+)", weir) + "/json");
        }
    }

    private static String portIn(String line, WeirProcess weir) {
        return Pattern.compile(line)
                .matcher(weir.output())
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    @Test
    void an_address_of_ipv6_is_told_in_brackets() {
        try (var weir = WeirProcess.start(RULES, Map.of("HOST", "::", "GRPC_HOST", "::"))) {
            weir.awaitOutput("INFO  debug on");
            assertThat(weir.output())
                    .contains(
                            "INFO  gRPC on [0:0:0:0:0:0:0:0]:" + weir.grpcPort(),
                            "INFO  HTTP on [::]:" + weir.http("/").getPort());
        }
    }

    /** Why the chart need not say {@code ::}, which stops the start in a pod without IPv6. */
    @Test
    void every_address_of_ipv4_means_every_address_of_ipv6_too() {
        try (var weir = WeirProcess.start(RULES, Map.of("HOST", "0.0.0.0", "GRPC_HOST", "0.0.0.0"))) {
            var health = "http://[::1]:%d/healthcheck".formatted(weir.http("/").getPort());
            assertThat(Http.get(URI.create(health)).statusCode()).isEqualTo(200);
            var address = "[::1]:" + weir.grpcPort();
            var hit = WeirCommand.run("hit", "--address", address, "--timeout", "20s", "--domain", "edge", "user=ann");
            assertThat(hit.exitCode()).as(hit.output()).isZero();
        }
    }

    @Test
    void a_backend_that_nobody_chose_is_told_loudly() {
        var environment = Map.of("BACKEND_TYPE", UNSET);
        try (var weir = WeirProcess.start(RULES, environment)) {
            assertThat(weir.output()).contains("INFO  counts are kept in memory", "(BACKEND_TYPE is not set)");
        }
    }

    @Test
    void memory_that_was_chosen_beside_variables_of_redis_is_a_warning_that_names_both() {
        try (var weir = WeirProcess.start(RULES, Map.of("REDIS_URL", "redis:6379", "REDIS_AUTH", "s3cret"))) {
            assertThat(weir.output())
                    .contains(
                            "WARN  counts are kept in memory",
                            " (BACKEND_TYPE=memory passes over REDIS_URL, REDIS_AUTH)")
                    .doesNotContain("s3cret");
        }
    }

    @Test
    void what_is_wrong_with_a_feature_that_is_off_is_a_warning_and_shows_no_secret() {
        var ofTheCluster = Map.of(
                "OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317",
                "OTEL_EXPORTER_OTLP_HEADERS", "s3cret",
                "OTEL_METRICS_EXPORTER", "prometheus",
                "REDIS_URL", "redis://jo:s3cret@redis:http",
                "REDIS_TLS_CACERT", "/none.pem",
                "REDIS_TLS", "true");
        try (var weir = WeirProcess.start(RULES, ofTheCluster)) {
            assertThat(weir.output())
                    .contains(
                            "WARN  OTEL_EXPORTER_OTLP_ENDPOINT is \"collector:4317\": give ",
                            "WARN  OTEL_EXPORTER_OTLP_HEADERS is not shown here: give ",
                            "WARN  OTEL_METRICS_EXPORTER is \"prometheus\": give ",
                            "WARN  REDIS_TLS_CACERT is \"/none.pem\": ",
                            "; not used, for counts live in memory (`BACKEND_TYPE`)")
                    .doesNotContain("s3cret");
        }
    }

    @Test
    void a_variable_that_does_less_than_it_says_is_a_warning() {
        var environment =
                Map.of("OTEL_METRICS_EXPORTER", "otlp,prometheus", "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1");
        try (var weir = WeirProcess.start(RULES, environment)) {
            assertThat(weir.output())
                    .contains("WARN  OTEL_METRICS_EXPORTER is \"otlp,prometheus\": metrics are sent by `otlp` alone,"
                            + " and not by `prometheus`");
        }
    }

    @Test
    void in_kubernetes_it_is_a_warning_and_the_variables_of_services_mean_nothing() {
        var environment = Map.of(
                "BACKEND_TYPE", UNSET,
                "KUBERNETES_SERVICE_HOST", "10.0.0.1",
                "REDIS_PORT", "tcp://10.0.0.7:6379",
                "REDIS_PORT_6379_TCP_ADDR", "10.0.0.7",
                "REDIS_SERVICE_HOST", "10.0.0.7",
                "WEIR_PORT", "tcp://10.0.0.8:8081");
        try (var weir = WeirProcess.start(RULES, environment);
                var caller = Caller.of(weir)) {
            assertThat(weir.output()).contains("WARN  counts are kept in memory", "(BACKEND_TYPE is not set)");
            assertThat(caller.hit("edge", "user", "ann").getLimitRemaining()).isEqualTo(9);
        }
    }

    @Test
    void the_port_that_kubernetes_sets_for_a_service_of_our_name_is_explained() {
        var ended = WeirCommand.run(Map.of("GRPC_PORT", "tcp://10.0.0.8:8081"), "serve");
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.output()).contains("  GRPC_PORT is ", "Kubernetes sets such values");
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3cret-pass", "ann:s3cret-word"})
    void a_password_opens_redis_and_is_never_written(String auth) {
        try (var redis = passworded();
                var weir = WeirProcess.start(RULES, environment(redis, auth));
                var caller = Caller.of(weir)) {
            assertThat(caller.hit("edge", "user", "ann").getLimitRemaining()).isEqualTo(9);
            assertThat(weir.output()).contains("Redis answers").doesNotContain("s3cret");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3cret-guess", "ann:s3cret-guess", "nobody:s3cret-guess"})
    void a_password_that_redis_refuses_is_never_written_either(String auth) {
        try (var redis = passworded();
                var weir = WeirProcess.launch(RULES, environment(redis, auth));
                var caller = Caller.of(weir)) {
            weir.awaitOutput("cannot be reached");
            weir.awaitOutput("debug on ");
            var failure = caller.failureOf(Caller.request("edge", Caller.descriptor("user", "ann")));
            assertThat(failure.toString()).doesNotContain("s3cret");
            assertThat(weir.isAlive()).isTrue();
            assertThat(weir.output()).contains("WRONGPASS").doesNotContain("s3cret");
        }
    }

    @Test
    void every_line_of_a_json_log_is_json() throws IOException {
        var environment = Map.of(
                "LOG_FORMAT", "json",
                "BACKEND_TYPE", "redis",
                "REDIS_URL", "127.0.0.1:" + FreePorts.find(),
                "EXTRA_TAGS", "a:\"b\"");
        try (var weir = WeirProcess.launch(Map.of("bad.yaml", "domain: \"x\ny\"\n\tz"), environment)) {
            weir.awaitOutput("debug on ");
            weir.awaitOutput("cannot be reached");
            weir.stop();
            var lines = weir.output().lines().map(StartIT::parsed).toList();
            assertThat(lines)
                    .hasSizeGreaterThan(6)
                    .allSatisfy(line -> assertThat(line.properties())
                            .extracting(Map.Entry::getKey)
                            .contains("@timestamp", "level", "@message"));
            assertThat(lines).extracting(line -> line.get("level").asText()).contains("info", "warning", "error");
        }
    }

    /** Standard error is a pipe that is full from the start, as behind a terminal after Ctrl-S or a log driver that stands still. */
    @Test
    void a_log_that_nobody_reads_keeps_neither_callers_nor_the_end_waiting(@TempDir Path folder) throws IOException {
        var script = Files.writeString(folder.resolve("unread"), """
                #!/bin/sh
                mkfifo unread && exec 3<>unread || exit
                dd if=/dev/zero of=unread bs=4096 oflag=nonblock 2>/dev/null
                exec '%s' serve 2>&3
                """.formatted(WeirCommand.bin("weir")));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        try (var weir = WeirProcess.start(script, RULES, Map.of());
                var caller = Caller.of(weir)) {
            assertThat(caller.hit("edge", "user", "ann").getLimitRemaining()).isEqualTo(9);
            assertThat(weir.stop()).isZero();
            assertThat(weir.output()).as("all of the log is in the pipe").isEmpty();
        }
    }

    private static JsonNode parsed(String line) {
        try {
            return new ObjectMapper().readTree(line);
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + line, e);
        }
    }

    private static RedisServer passworded() {
        var redis = RedisServer.startWith("--requirepass", "s3cret-pass");
        redis.command("ACL", "SETUSER", "ann", "on", ">s3cret-word", "~*", "+@all");
        return redis;
    }

    /** Down to the last line that any library writes. */
    private static Map<String, String> environment(RedisServer redis, String auth) {
        var environment = new HashMap<>(WeirProcess.on(redis));
        environment.putAll(Map.of("REDIS_AUTH", auth, "LOG_LEVEL", "trace"));
        return environment;
    }
}
