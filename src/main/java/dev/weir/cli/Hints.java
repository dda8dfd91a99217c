package dev.weir.cli;

import dev.weir.http.Address;
import dev.weir.settings.Servers;
import dev.weir.settings.Settings;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Set;

/** Shows somebody who starts Weir for the first time what to do with it. */
public final class Hints {
    private static final Set<String> EVERY_ADDRESS = Set.of("0.0.0.0", "::");

    private Hints() {}

    /**
     * Prints what to type.
     *
     * @param rules the directory below which they are read
     * @param grpcPort that was opened; of no meaning with a Unix socket
     * @param httpPort that was opened
     * @param debugPort that was opened
     */
    public static void print(
            Settings settings, Path rules, int grpcPort, int httpPort, int debugPort, PrintStream out) {
        var servers = settings.servers();
        // At once: the log, which goes on meanwhile, may be written to the same place.
        out.print("""

                Weir runs. Try it from another terminal:

                %s\
                  curl -s http://%s/json -d '{"domain": "edge", "descriptors": [{"entries": [{"key": "path", "value": "/login"}]}]}'

                http://%s/live shows in a browser what happens. The rules are in
                %s: change a number, save, and ask again. Ctrl-C ends Weir.

                """.formatted(
                        canHit(settings)
                                ? "  target/weir/bin/weir hit --address %s --domain edge path=/login\n"
                                        .formatted(reached(servers.grpc(), grpcPort))
                                : "",
                        reached(servers.http(), httpPort),
                        reached(servers.debug(), debugPort),
                        rules));
    }

    /** Not at a Unix socket, which {@code weir hit} does not take, nor over TLS, for which it would need to know whom to trust. */
    private static boolean canHit(Settings settings) {
        return settings.grpc().socket().isEmpty() && settings.grpc().tls() == null;
    }

    private static Address reached(Servers.Listener listener, int port) {
        return new Address(EVERY_ADDRESS.contains(listener.host()) ? "127.0.0.1" : listener.host(), port);
    }
}
