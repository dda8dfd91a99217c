package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.testing.WeirCommand;
import dev.weir.testing.WeirProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
