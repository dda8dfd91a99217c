package dev.weir.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.settings.Settings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Types a command and keeps what it printed. */
final class Terminal {
    final Map<String, String> variables = new HashMap<>();
    final List<Settings> served = new ArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    int run(String... args) {
        return CommandLineInterface.run(
                args, variables, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), settings -> {
                    served.add(settings);
                    return 0;
                });
    }

    String out() {
        return out.toString(UTF_8);
    }

    String err() {
        return err.toString(UTF_8);
    }
}
