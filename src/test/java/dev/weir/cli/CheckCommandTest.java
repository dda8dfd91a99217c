package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir check}: fine, or every mistake with its place. */
final class CheckCommandTest {
    private static final String SHOP = """
            domain: shop
            descriptors:
              - key: path
                rate_limit:
                  unit: minute
                  requests_per_unit: 5
            """;

    private final Terminal terminal = new Terminal();

    @TempDir
    private Path directory;

    private Path shop;

    @BeforeEach
    void write() throws IOException {
        shop = Files.writeString(directory.resolve("shop.yaml"), SHOP);
    }

    @Test
    void rules_that_are_fine_are_counted() {
        assertThat(terminal.run("check", directory.toString())).isZero();
        assertThat(terminal.out()).isEqualTo("1 file, 1 domain, 1 rule: fine\n");
    }

    @Test
    void every_mistake_is_told_with_file_line_and_column() throws Exception {
        Files.writeString(shop, SHOP.replace("minute", "fortnight"));
        assertThat(terminal.run("check", shop.toString())).isEqualTo(1);
        assertThat(terminal.out())
                .startsWith(shop + ":5:")
                .contains("fortnight")
                .hasLineCount(1);
        assertThat(terminal.err()).isEmpty();
    }

    @Test
    void a_link_that_leads_nowhere_is_a_mistake() throws Exception {
        Path bank = Files.createSymbolicLink(directory.resolve("bank.yaml"), Path.of("/unmounted/bank.yaml"));
        assertThat(terminal.run("check", directory.toString())).isEqualTo(1);
        assertThat(terminal.out())
                .startsWith(bank + ": is a link that leads nowhere, ")
                .hasLineCount(1);
    }

    @Test
    void json_has_the_mistakes_and_a_summary() throws Exception {
        assertThat(terminal.run("check", "--json", shop.toString())).isZero();
        assertThat(terminal.out().replaceAll("\\s", ""))
                .isEqualTo(
                        "{\"mistakes\":[],\"remarks\":[],\"summary\":{\"fine\":true,\"files\":1,\"domains\":1,\"rules\":1,\"mistakes\":0,\"remarks\":0}}");
    }

    @Test
    void what_is_right_but_hardly_meant_is_remarked_and_no_mistake() throws Exception {
        Files.writeString(shop, SHOP + "  - {key: user, rate_limit: }\n");
        assertThat(terminal.run("check", shop.toString())).isZero();
        assertThat(terminal.out())
                .startsWith(shop + ":7:17: `rate_limit` has nothing behind it")
                .endsWith("\n1 file, 1 domain, 1 rule: fine, with 1 remark\n");
        assertThat(terminal.run("check", "--json", shop.toString())).isZero();
        assertThat(terminal.out()).contains("\"line\" : 7", "\"fine\" : true", "\"mistakes\" : 0", "\"remarks\" : 1");
    }

    @Test
    void json_tells_each_mistake_by_its_parts() throws Exception {
        Files.writeString(shop, SHOP.replace("minute", "fortnight"));
        assertThat(terminal.run("check", "--json", shop.toString())).isEqualTo(1);
        assertThat(terminal.out())
                .contains("\"file\" : \"" + shop + "\"", "\"line\" : 5", "\"column\" : ", "\"message\" : ")
                .contains("\"fine\" : false", "\"mistakes\" : 1");
    }

    @Test
    void one_domain_in_two_files_is_a_mistake_unless_they_are_merged() throws Exception {
        Files.writeString(directory.resolve("more.yaml"), SHOP.replace("path", "user"));
        assertThat(terminal.run("check", directory.toString())).isEqualTo(1);
        assertThat(terminal.run("check", "--merge-domains", directory.toString()))
                .isZero();
        terminal.variables.put("MERGE_DOMAIN_CONFIG", "true");
        assertThat(terminal.run("check", directory.toString())).isZero();
        assertThat(terminal.run("check", "--no-merge-domains", directory.toString()))
                .isEqualTo(1);
    }

    @Test
    void a_directory_without_rule_files_is_a_mistake() throws Exception {
        Files.delete(shop);
        Files.writeString(directory.resolve(".hidden.yaml"), SHOP);
        terminal.variables.put("RUNTIME_IGNOREDOTFILES", "true");
        assertThat(terminal.run("check", directory.toString())).isEqualTo(1);
        assertThat(terminal.out())
                .isEqualTo(directory + ": there are no rule files in this directory, so everything would pass\n");
    }

    @Test
    void dot_files_are_read_as_the_service_would() throws Exception {
        Path swap = Files.writeString(directory.resolve(".shop.yaml.swp"), "b0VIM");
        assertThat(terminal.run("check", directory.toString())).isEqualTo(1);
        assertThat(terminal.out()).startsWith(swap + ":1:1: ");
        terminal.variables.put("RUNTIME_IGNOREDOTFILES", "true");
        assertThat(terminal.run("check", directory.toString())).isZero();
        assertThat(terminal.run("check", swap.toString())).isEqualTo(1);
        terminal.variables.put("RUNTIME_IGNOREDOTFILES", "perhaps");
        assertThat(terminal.run("check", directory.toString())).isEqualTo(1);
        assertThat(terminal.err()).contains("\nRUNTIME_IGNOREDOTFILES is \"perhaps\": ");
    }

    @Test
    void mistakes_in_dot_files_are_told_with_what_passes_over_them() throws Exception {
        Path git = Files.createDirectories(directory.resolve(".git/refs"));
        Files.writeString(git.resolve("main"), "5a1ec0de");
        assertThat(terminal.run("check", directory.toString())).isEqualTo(1);
        assertThat(terminal.err())
                .isEqualTo(
                        "1 mistake stands in or below what begins with a dot; RUNTIME_IGNOREDOTFILES=true passes over"
                                + " it, here and in the service\n");
        Files.writeString(directory.resolve(".DS_Store"), "Bud1");
        assertThat(terminal.run("check", "--json", directory.toString())).isEqualTo(1);
        assertThat(terminal.err()).contains("\n2 mistakes stand in or below what begins with a dot;");
    }

    @Test
    void a_mistake_that_is_read_whatever_is_said_of_dot_files_has_no_hint() throws Exception {
        Path git = Files.createDirectories(directory.resolve(".git"));
        Path head = Files.writeString(git.resolve("HEAD"), "ref");
        assertThat(terminal.run("check", git.toString())).isEqualTo(1);
        assertThat(terminal.run("check", directory.toString(), head.toString())).isEqualTo(1);
        Files.delete(head);
        Files.writeString(shop, SHOP.replace("minute", "fortnight"));
        assertThat(terminal.run("check", directory.toString())).isEqualTo(1);
        assertThat(terminal.err()).isEmpty();
    }

    @Test
    void a_mounted_config_map_is_read_once_whatever_is_said_of_dot_files() throws Exception {
        Path version = Files.createDirectory(directory.resolve("..2026_01_01"));
        Files.move(shop, version.resolve("shop.yaml"));
        Files.createSymbolicLink(directory.resolve("..data"), Path.of("..2026_01_01"));
        Files.createSymbolicLink(shop, Path.of("..data", "shop.yaml"));
        for (String isIgnoring : List.of("true", "false")) {
            terminal.variables.put("RUNTIME_IGNOREDOTFILES", isIgnoring);
            assertThat(terminal.run("check", directory.toString())).isZero();
        }
        assertThat(terminal.out()).isEqualTo("1 file, 1 domain, 1 rule: fine\n".repeat(2));
    }

    @Test
    void a_path_that_does_not_exist_is_told_plainly() {
        Path missing = directory.resolve("missing.yaml");
        assertThat(terminal.run("check", shop.toString(), missing.toString())).isEqualTo(2);
        assertThat(terminal.err()).isEqualTo(missing + ": there is no such file or directory\n");
    }

    /** As a script writes it whose variable is not set. */
    @Test
    void an_empty_path_is_not_the_current_directory() {
        assertThat(terminal.run("check", "", shop.toString())).isEqualTo(2);
        assertThat(terminal.run("explain", "--rules", "", "--domain", "shop", "path=/a"))
                .isEqualTo(2);
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err())
                .isEqualTo("a path is empty: is a variable not set? The current directory is .\n".repeat(2));
    }

    @Test
    void a_check_of_nothing_is_told() {
        assertThat(terminal.run("check")).isEqualTo(2);
        assertThat(terminal.err()).contains("PATH", "How to call it: weir check --help\n");
    }
}
