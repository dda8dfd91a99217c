package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** The files of {@code envoy/} that users start from, made fit for a test: other ports, and limits that no clock ends. */
public final class Example {
    private static final Path FOLDER = Path.of("envoy");
    private static final int ADMIN = 9901;
    private static final int EDGE = 10_000;

    private Example() {}

    /**
     * Starts the Envoy of an example.
     *
     * @param name of the file, without {@code .yaml}
     * @param ports of the file, each with the one to take in its place
     */
    public static EnvoyServer start(String name, Map<Integer, Integer> ports) {
        return startText(read(FOLDER.resolve(name + ".yaml")), ports);
    }

    /**
     * Starts the Envoy of {@code envoy.yaml} with several Weirs behind it.
     *
     * @param service the port of the service
     * @param weirs the ports of gRPC
     */
    public static EnvoyServer startWithWeirs(int service, int... weirs) {
        var place = """
                          - endpoint:
                              address:
                                socket_address: { address: 127.0.0.1, port_value: %d }
            """;
        var places = Arrays.stream(weirs).mapToObj(place::formatted).collect(Collectors.joining());
        var example = read(FOLDER.resolve("envoy.yaml"));
        return startText(replaced(example, place.formatted(8081), places), Map.of(8000, service));
    }

    /** Returns the rules of an example, per year in place of per day: a test may run at midnight. */
    public static String rules(String name) {
        return replaced(read(FOLDER.resolve("rules").resolve(name + ".yaml")), "unit: day", "unit: year");
    }

    private static EnvoyServer startText(String example, Map<Integer, Integer> ports) {
        var text = moved(moved(example, ADMIN, 0), EDGE, 0);
        for (var port : ports.entrySet()) {
            text = moved(text, port.getKey(), port.getValue());
        }
        // A JVM that has just started, on a machine that is building something else, is not what the 20 ms are for.
        return EnvoyServer.start(replaced(text, "timeout: 0.020s", "timeout: 10s"));
    }

    private static String moved(String text, int from, int to) {
        return replaced(text, "port_value: %d }".formatted(from), "port_value: %d }".formatted(to));
    }

    private static String replaced(String text, String from, String to) {
        if (!text.contains(from)) {
            throw new AssertionError("the example must hold '%s'".formatted(from));
        }
        return text.replace(from, to);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
