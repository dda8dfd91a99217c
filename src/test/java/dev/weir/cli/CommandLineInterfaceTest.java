package dev.weir.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.logging.Logs;
import dev.weir.settings.Logging;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command does as a whole, and how it serves. */
final class CommandLineInterfaceTest {
    private final Terminal terminal = new Terminal();
    private final ByteArrayOutputStream told = new ByteArrayOutputStream();

    @AfterEach
    void restoreTheLog() {
        Logs.start(new Logging(Logging.Level.INFO, Logging.Format.TEXT));
    }

    @Test
    void without_a_command_it_serves_as_the_environment_says() {
        terminal.variables.put("PORT", "0");
        assertThat(terminal.run()).isZero();
        assertThat(terminal.run("serve")).isZero();
        assertThat(terminal.served)
                .hasSize(2)
                .allSatisfy(
                        settings -> assertThat(settings.servers().http().port()).isZero());
    }

    @Test
    void settings_that_are_wrong_are_all_told_and_nothing_is_served() {
        terminal.variables.put("PORT", "http");
        terminal.variables.put("REDIS_TLS", "on");
        assertThat(terminal.run("serve")).isEqualTo(1);
        assertThat(terminal.served).isEmpty();
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err()).isEqualTo("""
                        Weir does not start, because of what its environment says:
                          PORT is "http": give a port from 0 (any free one) to 65535.
                          REDIS_TLS is "on": give `true` or `false`.
                        """);
    }

    @Test
    void an_unknown_option_or_command_is_told_with_the_way_to_the_usage_and_no_stack() {
        assertThat(terminal.run("--fast")).isEqualTo(2);
        assertThat(terminal.run("help-me")).isEqualTo(2);
        assertThat(terminal.run("hit", "--loud", "a=b")).isEqualTo(2);
        assertThat(terminal.served).isEmpty();
        assertThat(terminal.err())
                .contains("--fast", "help-me", "How to call it: weir --help\n", "How to call it: weir hit --help\n")
                .hasLineCount(7)
                .doesNotContain("\tat ");
    }

    @Test
    void help_and_the_version_are_told_for_each_command() {
        assertThat(terminal.run("help")).isZero();
        assertThat(terminal.run("help", "hit")).isZero();
        assertThat(terminal.out()).startsWith("Usage: weir ").contains("Usage: weir hit ");
        for (String command : List.of("serve", "check", "explain", "hit", "bench")) {
            var asked = new Terminal();
            assertThat(asked.run(command, "-V")).as(command).isZero();
            assertThat(asked.out()).as(command).startsWith("weir ").hasLineCount(1);
        }
        assertThat(terminal.served).isEmpty();
    }

    @Test
    void every_setting_is_told_to_who_asks_and_nothing_is_served() {
        terminal.variables.put("PORT", "http");
        assertThat(terminal.run("serve", "--help-settings")).isZero();
        assertThat(terminal.served).isEmpty();
        assertThat(terminal.out())
                .contains(
                        "A second Redis for limits per second\n  Read where REDIS_PERSECOND is true. ",
                        "  REDIS_PERSECOND (default false): true or false\n      Keep ",
                        "Rule files\n  RUNTIME_ROOT ",
                        "Read where CONFIG_TYPE is GRPC_XDS_SOTW; xds.md has the rest. ",
                        "  REDIS_AUTH (no default): any text\n      password or user:password; ",
                        "Accepted and not used\n",
                        "  REDIS_POOL_SIZE\n")
                .doesNotContain("`", "](");
    }

    @Test
    void help_names_the_commands() {
        assertThat(terminal.run("--help")).isZero();
        assertThat(terminal.out()).contains("serve", "check", "explain", "hit", "bench", "docs/configuration.md");
        assertThat(terminal.run("serve", "--help")).isZero();
        assertThat(terminal.served).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "--version",
                "help check",
                "check -V",
                "serve --help-settings",
                "check descriptors",
                "check --json descriptors",
                "explain --rules descriptors --domain edge tier=free"
            })
    void output_that_cannot_be_written_is_no_success(String line) {
        try (var full = new PrintStream(new FullDisk(), false, UTF_8);
                var err = new PrintStream(told, true, UTF_8)) {
            assertThat(CommandLineInterface.run(line.split(" "), Map.of(), full, err, _ -> 0))
                    .isEqualTo(1);
        }
        assertThat(told.toString(UTF_8)).isEqualTo("could not write the output\n");
    }

    private static final class FullDisk extends OutputStream {
        @Override
        public void write(int octet) throws IOException {
            throw new IOException("No space left on device");
        }
    }

    @Test
    void the_version_is_that_of_the_build() {
        assertThat(terminal.run("--version")).isZero();
        assertThat(terminal.out()).matches("weir \\d+\\.\\d+\\.\\d+(-SNAPSHOT)? \\(Java 25.*\\)\n");
    }
}
