package dev.weir;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.testing.Http;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirCommand;
import dev.weir.testing.WeirProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program {@code bin/weir} as a shell calls it. Each run starts a JVM, so one test may ask several things. */
final class CommandLineIT {
    private static final String RULES = """
        domain: edge
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 2, name: users } }
        """;

    @TempDir
    private Path folder;

    @Test
    void a_service_says_which_version_it_is_as_the_command_does() {
        var version = WeirCommand.run("--version").output().strip();
        assertThat(version).matches("weir \\S+ \\(Java 25\\S*\\)");
        try (var weir = WeirProcess.start(Map.of("edge.yaml", RULES))) {
            assertThat(weir.output().lines())
                    .filteredOn(line -> line.contains(" starts "))
                    .singleElement()
                    .asString()
                    .endsWith(version.replaceFirst("weir (\\S+)", "Weir $1 starts"));
            assertThat(Http.get(weir.debug("/stats")).body())
                    .contains(
                            version.replaceFirst("weir (.*) .Java (.*).", "weir.build.info{java=$2,version=$1}: 1\n"));
        }
    }

    @Test
    void check_passes_good_rules_and_counts_them() throws IOException {
        var good = Files.writeString(folder.resolve("good.yaml"), RULES);
        var ended = WeirCommand.run("check", good.toString());
        assertThat(ended).isEqualTo(new WeirCommand(0, "1 file, 1 domain, 1 rule: fine\n"));
    }

    @Test
    void check_names_every_mistake_for_people_and_for_programs() throws IOException {
        var bad = Files.writeString(
                folder.resolve("bad.yaml"), RULES.replace("year", "eon").replace("domain: edge", "domain: ''"));
        var forPeople = WeirCommand.run("check", bad.toString());
        assertThat(forPeople.exitCode()).isEqualTo(1);
        assertThat(forPeople.output().lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith(bad + ":"))
                .anyMatch(line -> line.contains(":3:38: "));

        var forPrograms = WeirCommand.run("check", "--json", folder.toString());
        assertThat(forPrograms.exitCode()).isEqualTo(1);
        var report = new ObjectMapper().readTree(forPrograms.output());
        assertThat(report.get("mistakes")).hasSize(2);
        assertThat(report.at("/mistakes/1/file").asText()).isEqualTo(bad.toString());
        assertThat(report.at("/mistakes/1/line").asInt()).isEqualTo(3);
        assertThat(report.at("/mistakes/1/column").asInt()).isEqualTo(38);
        assertThat(report.at("/summary/fine").asBoolean(true)).isFalse();
    }

    @Test
    void what_cannot_be_done_is_a_sentence_and_a_code_of_its_own() {
        var missing = WeirCommand.run("check", folder.resolve("missing.yaml").toString());
        assertThat(missing.exitCode()).isEqualTo(2);
        assertThat(missing.output()).endsWith("missing.yaml: there is no such file or directory\n");
        var unknown = WeirCommand.run("dance");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.output()).contains("dance").doesNotContain("\tat ");
    }

    @Test
    void heap_and_collector_of_the_operator_win_over_ours() {
        for (String flags : List.of("-Xmx64m", "-XX:MaxHeapSize=64m", "-XX:+UseSerialGC")) {
            var ended = WeirCommand.run(Map.of("JAVA_OPTS", flags + " -Xlog:gc*=info:stderr"), "--version");
            assertThat(ended.exitCode()).as(flags).isZero();
            assertThat(ended.output())
                    .as(flags)
                    .contains(flags.contains("Serial") ? "Using Serial" : "Heap Max Capacity: 64M");
        }
        var share = WeirCommand.run(Map.of("JAVA_OPTS", "-XX:MaxRAMPercentage=50 -Xlog:gc*=info:stderr"), "--version");
        assertThat(share.output()).contains("Heap Max Capacity: ").doesNotContain("Heap Max Capacity: 112M");
        var preset = WeirCommand.run(
                Map.of("JAVA_OPTS", "-XX:+UseNUMA -XX:+PrintFlagsFinal -Xlog:gc*=info:stderr", "WEIR_HEAP", "80m"),
                "--version");
        assertThat(preset.output()).contains("Using Parallel", "Heap Initial Capacity: 80M", "Heap Max Capacity: 80M");
        assertThat(preset.output()).as("ages are fixed").containsPattern(" UseAdaptiveSizePolicy += false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "512", "112mb", "m", "1.5g", "-1m"})
    void a_heap_that_is_no_size_is_told_by_the_name_that_was_written(String heap) {
        var ended = WeirCommand.run(Map.of("WEIR_HEAP", heap), "--version");
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.output())
                .isEqualTo("WEIR_HEAP is \"%s\": give the size of the heap with its unit, as in 112m or 1g.\n"
                        .formatted(heap));
    }

    @Test
    void a_heap_may_be_written_in_bytes_and_is_not_looked_at_where_flags_name_another() {
        for (var variables :
                List.of(Map.of("WEIR_HEAP", "83886080"), Map.of("WEIR_HEAP", "none", "JAVA_OPTS", "-Xmx80m"))) {
            var all = new HashMap<>(variables);
            all.merge("JAVA_OPTS", "-Xlog:gc*=info:stderr", (flags, more) -> flags + " " + more);
            var ended = WeirCommand.run(all, "--version");
            assertThat(ended.exitCode()).as(ended.output()).isZero();
            assertThat(ended.output()).contains("Heap Max Capacity: 80M");
        }
    }

    @Test
    void rules_that_the_service_has_no_room_for_are_refused_by_those_who_read_them_for_it() throws IOException {
        var many = new StringBuilder("domain: many\ndescriptors:\n");
        for (int i = 0; i < 20_000; i++) {
            many.append("  - {key: k").append(i).append(", rate_limit: {unit: day, requests_per_unit: 1}}\n");
        }
        Files.writeString(folder.resolve("many.yaml"), many);
        for (var command : List.of(
                List.of("check", folder.toString()),
                List.of("explain", "--rules", folder.toString(), "--domain", "many", "k7=x"))) {
            var ended = WeirCommand.run(Map.of("WEIR_HEAP", "32m"), command.toArray(String[]::new));
            assertThat(ended.exitCode()).as(ended.output()).isEqualTo(1);
            assertThat(ended.output()).contains("many.yaml:").contains("than this heap has room for");
        }
    }

    @Test
    void output_that_cannot_be_written_is_no_success() {
        var ended = WeirCommand.run(
                Path.of("/bin/sh"),
                Map.of(),
                "-c",
                "exec \"$0\" --version >/dev/full",
                WeirCommand.bin("weir").toString());
        assertThat(ended).isEqualTo(new WeirCommand(1, "could not write the output\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"})
    void a_collector_that_a_platform_has_java_read_by_itself_keeps_nothing_from_starting(String variable) {
        var flags = Map.of(variable, "-XX:+UseSerialGC -Xms130m -Xmx150m", "JAVA_OPTS", "-Xlog:gc*=info:stderr");
        var ended = WeirCommand.run(flags, "--version");
        assertThat(ended.exitCode()).as(ended.output()).isZero();
        assertThat(ended.output()).contains("Using Serial", "Heap Initial Capacity: 112M", "Heap Max Capacity: 112M");
    }

    @Test
    void what_java_reads_last_wins_over_ours_and_keeps_nothing_from_starting() {
        for (String flags : List.of("-XX:+UseSerialGC -Xmx64m", "-Xmx64m", "-XX:MaxHeapSize=64m")) {
            var both = Map.of("_JAVA_OPTIONS", flags, "JAVA_OPTS", "-Xlog:gc*=info:stderr");
            var ended = WeirCommand.run(both, "--version");
            assertThat(ended.exitCode()).as(ended.output()).isZero();
            assertThat(ended.output())
                    .contains("Heap Max Capacity: 64M", flags.contains("Serial") ? "Using Serial" : "Using Parallel");
        }
    }

    @Test
    void letters_beyond_ascii_are_taken_and_printed_where_no_locale_is_set() throws IOException {
        Files.writeString(folder.resolve("grüße.yaml"), RULES);
        for (String command : List.of("check \"$1/$2.yaml\"", "explain --rules \"$1\" --domain edge \"user=$2\"")) {
            // The shell makes the letters: a JVM without a locale could not hand them on.
            var line = "set -- \"$1\" \"$(printf 'gr\\303\\274\\303\\237e')\"; exec \"$0\" " + command;
            var ended = WeirCommand.run(
                    Path.of("/bin/sh"),
                    Map.of("LC_ALL", "C"),
                    "-c",
                    line,
                    WeirCommand.bin("weir").toString(),
                    folder.toString());
            assertThat(ended.exitCode()).as(ended.output()).isZero();
            assertThat(ended.output()).containsPattern("1 rule: fine|grüße");
        }
    }

    @Test
    void rules_may_come_through_a_pipe() {
        for (String command :
                List.of("printf %s \"$1\" | \"$0\" check /dev/stdin", "\"$0\" check /dev/fd/9 9<<.\n$1\n.")) {
            var ended = WeirCommand.run(
                    Path.of("/bin/sh"),
                    Map.of(),
                    "-c",
                    command,
                    WeirCommand.bin("weir").toString(),
                    RULES);
            assertThat(ended).isEqualTo(new WeirCommand(0, "1 file, 1 domain, 1 rule: fine\n"));
        }
    }

    @Test
    void huge_pages_are_used_where_the_system_offers_them() throws IOException {
        var offered = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
        boolean isOffered =
                Files.isReadable(offered) && !Files.readString(offered).contains("[never]");
        String print = "-XX:+PrintFlagsFinal";
        assertThat(WeirCommand.run(Map.of("JAVA_OPTS", print), "--version").output())
                .doesNotContain("VM warning")
                .containsPattern(" UseTransparentHugePages += " + isOffered);
        for (String other : List.of("-XX:-UseTransparentHugePages", "-XX:+UseZGC")) {
            assertThat(WeirCommand.run(Map.of("JAVA_OPTS", print + " " + other), "--version")
                            .output())
                    .as(other)
                    .containsPattern(" UseTransparentHugePages += false");
        }
    }

    @Test
    void explain_tells_of_the_samples_what_their_comments_promise() {
        var samples = Path.of("descriptors").toAbsolutePath().toString();
        var inner = WeirCommand.run("explain", "--rules", samples, "--domain", "edge", "tier=free,user=7");
        assertThat(inner.exitCode()).as(inner.output()).isZero();
        assertThat(inner.output())
                .contains("way          tier=free  the exact value\n", "rule         tier=free,user\n")
                .contains("limit        10 a minute, fixed window; refused hits count too\n")
                .endsWith("\nNothing was counted.\n");
        var outer = WeirCommand.run("explain", "--rules", samples, "--domain", "edge", "tier=free");
        assertThat(outer.exitCode()).as(outer.output()).isEqualTo(4);
        assertThat(outer.output()).contains("rule         none", "near misses  tier=free,user  asks for `user`, too\n");
    }

    @Test
    void explain_names_the_keys_under_which_redis_keeps_the_counter_and_its_lock() throws IOException {
        var text = RULES.replace("name: users", "name: users, block_for: 1h");
        var rules = Files.writeString(folder.resolve("edge.yaml"), text);
        var user = "user=ann \"the\" 'ü' \\x41";
        var ofBoth = Map.of("CACHE_KEY_PREFIX", "it's: ", "REDIS_HASH_TAGS", "8");
        try (var redis = RedisServer.start()) {
            var explained = WeirCommand.run(ofBoth, "explain", "--rules", rules.toString(), "--domain", "edge", user);
            assertThat(explained.exitCode()).as(explained.output()).isZero();
            var keys = explained
                    .output()
                    .lines()
                    .filter(line -> line.matches("  (in Redis|its lock) .*"))
                    .map(line -> line.substring(line.indexOf('"')))
                    .toList();
            assertThat(keys).hasSize(2);
            assertThat(inline(redis, "EXISTS " + String.join(" ", keys)))
                    .as("nothing was counted")
                    .isEqualTo(":0");

            var environment = new HashMap<>(WeirProcess.on(redis));
            environment.putAll(ofBoth);
            try (var weir = WeirProcess.start(Map.of("edge.yaml", text), environment)) {
                var hit = hit("127.0.0.1:" + weir.grpcPort(), "--timeout", "20s", "--hits", "3", user);
                assertThat(hit.exitCode()).as(hit.output()).isEqualTo(3);
            }
            assertThat(inline(redis, "EXISTS " + String.join(" ", keys)))
                    .as("%s", keys)
                    .isEqualTo(":2");
        }
    }

    /** Redis reads the words of an inline command as redis-cli reads those that are typed. */
    private static String inline(RedisServer redis, String command) throws IOException {
        try (var socket = new Socket(redis.host(), redis.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write((command + "\r\n").getBytes(US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII)).readLine();
        }
    }

    @Test
    void hit_asks_a_running_service_and_ends_by_its_answer() {
        String address;
        try (var weir = WeirProcess.start(Map.of("edge.yaml", RULES))) {
            address = "127.0.0.1:" + weir.grpcPort();
            var passed = hit(address, "--hits", "2", "--timeout", "20s", "user=ann");
            assertThat(passed.exitCode()).isZero();
            assertThat(passed.output()).startsWith("OK\n  user=ann: OK, limit 2 per year (users), 0 left, resets in ");
            var refused = hit(address, "--timeout", "20s", "user=ann");
            assertThat(refused.exitCode()).isEqualTo(3);
            assertThat(refused.output()).startsWith("OVER LIMIT\n");
        }
        var unanswered = hit(address, "--timeout", "5s", "user=ann");
        assertThat(unanswered.exitCode()).isEqualTo(1);
        assertThat(unanswered.output().lines())
                .singleElement()
                .asString()
                .startsWith("the service at " + address + " is not available: ");
    }

    @Test
    void the_program_runs_through_a_symbolic_link_from_anywhere() throws IOException {
        var there = Files.createDirectory(folder.resolve("a folder with blanks"));
        var link = Files.createSymbolicLink(there.resolve("weir"), WeirCommand.bin("weir"));
        var linkToLink = Files.createSymbolicLink(folder.resolve("w"), Path.of("a folder with blanks", "weir"));
        for (var program : List.of(link, linkToLink)) {
            var ended = WeirCommand.run(program, Map.of(), "--version");
            assertThat(ended.exitCode()).as(ended.output()).isZero();
            assertThat(ended.output()).matches("weir \\d+\\.\\d+.* \\(Java (2[5-9]|[3-9]\\d).*\\)\n");
        }
        Files.delete(link); // before JUnit tidies up, which is wary of links that lead out of its folder
        Files.delete(linkToLink);
    }

    private static WeirCommand hit(String address, String... arguments) {
        var all = new ArrayList<>(List.of("hit", "--address", address, "--domain", "edge"));
        all.addAll(List.of(arguments));
        return WeirCommand.run(all.toArray(String[]::new));
    }
}
