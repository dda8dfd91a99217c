package dev.weir;

import dev.weir.settings.Settings;
import java.io.PrintStream;

/** Shows somebody who starts Weir for the first time what to do with it. */
final class Hints {
    private Hints() {}

    static void print(Settings settings, PrintStream out) {
        var servers = settings.servers();
        out.printf(
                """

                Weir runs. Try it from another terminal:

                  target/weir/bin/weir hit --address 127.0.0.1:%d --domain edge path=/login
                  curl -s http://127.0.0.1:%d/json -d '{"domain": "edge", "descriptors": [{"entries": [{"key": "path", "value": "/login"}]}]}'

                The rules are in %s: change a number, save, and ask again. Ctrl-C ends Weir.

                """,
                servers.grpc().port(),
                servers.http().port(),
                settings.ruleFiles().root().resolve(settings.ruleFiles().subdirectory()));
    }
}
