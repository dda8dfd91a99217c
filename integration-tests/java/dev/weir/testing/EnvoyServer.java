package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;

/** A real Envoy that runs a given bootstrap. Several may run at once: each has ports and shared memory of its own. */
public final class EnvoyServer implements AutoCloseable {
    private final ScratchFolder folder;
    private final Child child;

    private EnvoyServer(ScratchFolder folder, Child child) {
        this.folder = folder;
        this.child = child;
    }

    /**
     * Starts Envoy and waits until it serves. See {@link EnvoyBinary#require} for what happens where there is none.
     *
     * @param bootstrap the text of its YAML file; admin and listeners are expected on port 0
     */
    public static EnvoyServer start(String bootstrap) {
        var program = EnvoyBinary.require();
        var folder = ScratchFolder.create("envoy");
        try {
            Files.writeString(folder.resolve("envoy.yaml"), bootstrap);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var command = List.of(
                program.toString(),
                "--config-path",
                folder.resolve("envoy.yaml").toString(),
                "--admin-address-path",
                folder.resolve("admin").toString(),
                "--use-dynamic-base-id",
                "--concurrency",
                "1",
                "--log-level",
                "warning");
        var envoy = new EnvoyServer(folder, Child.start("envoy", folder.path(), null, command));
        try {
            envoy.child.awaitReady("Envoy is ready", Eventually.DEADLINE, envoy::isReady);
            return envoy;
        } catch (AssertionError e) {
            envoy.close();
            throw e;
        }
    }

    /** Returns the address of {@code path} at {@code listener}. */
    public URI http(String listener, String path) {
        return URI.create("http://127.0.0.1:%d%s".formatted(port(listener), path));
    }

    /** Returns the port that {@code listener} was given. */
    public int port(String listener) {
        var line = Pattern.compile("^" + Pattern.quote(listener) + "::.*:(\\d+)$", Pattern.MULTILINE)
                .matcher(admin("/listeners"));
        if (!line.find()) {
            throw new AssertionError("Envoy has no listener " + listener);
        }
        return Integer.parseInt(line.group(1));
    }

    /** Returns the value of a counter or gauge, 0 if it does not exist (yet). */
    public long stat(String name) {
        return admin("/stats")
                .lines()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> Long.parseLong(line.substring(name.length() + 2)))
                .findFirst()
                .orElse(0L);
    }

    /** Returns what it printed so far. */
    public String output() {
        return child.output();
    }

    @Override
    public void close() {
        child.close();
        folder.close();
    }

    private boolean isReady() {
        return Files.exists(folder.resolve("admin"))
                && !adminAddress().isEmpty()
                && Http.answers(adminUri("/ready"), "");
    }

    private String admin(String path) {
        return Http.get(adminUri(path)).body();
    }

    private URI adminUri(String path) {
        return URI.create("http://" + adminAddress() + path);
    }

    private String adminAddress() {
        try {
            return Files.readString(folder.resolve("admin")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
