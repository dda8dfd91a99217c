package dev.weir.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.settings.Settings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told to who starts Weir for the first time can be typed as it stands. */
final class HintsTest {
    @ParameterizedTest
    @CsvSource({
        // listens on -> is asked at
        "'', 127.0.0.1",
        "0.0.0.0, 127.0.0.1",
        "::, 127.0.0.1",
        "localhost, localhost",
        "10.0.0.7, 10.0.0.7",
        "::1, [::1]",
    })
    void the_ports_are_those_that_were_opened_where_they_can_be_reached(String host, String asked) throws Exception {
        assertThat(hints(Map.of("GRPC_HOST", host, "HOST", host, "DEBUG_HOST", host)))
                .contains(
                        "\n  target/weir/bin/weir hit --address " + asked + ":4711 --domain edge path=/login\n",
                        "\n  curl -s http://" + asked + ":4712/json -d '{",
                        "\nhttp://" + asked + ":4713/live shows");
    }

    @Test
    void the_rules_are_where_they_are_read() throws Exception {
        assertThat(hints(Map.of())).contains("The rules are in\n/srv/rules: change a number");
    }

    @Test
    void a_unix_socket_is_no_port_that_weir_hit_could_ask() throws Exception {
        assertThat(hints(Map.of("GRPC_UDS", "/run/weir.sock")))
                .doesNotContain("weir hit")
                .contains("terminal:\n\n  curl -s http://127.0.0.1:4712/json");
    }

    private static String hints(Map<String, String> variables) throws Exception {
        var out = new ByteArrayOutputStream();
        Hints.print(
                Settings.read(variables), Path.of("/srv/rules"), 4711, 4712, 4713, new PrintStream(out, true, UTF_8));
        return out.toString(UTF_8);
    }
}
