package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A volume as Kubernetes mounts a ConfigMap: {@code edge.yaml} links to {@code ..data/edge.yaml}, {@code ..data} links to a
 * folder of one version, and an update swaps that link and nothing else.
 */
public final class ConfigMap {
    private static final String DATA = "..data";

    private final Path mount;
    private int version;
    private @Nullable Path current;

    private ConfigMap(Path mount) {
        this.mount = mount;
    }

    /** Returns the volume of a folder, which is created if it is not there. */
    public static ConfigMap mountedAt(Path folder) {
        try {
            return new ConfigMap(Files.createDirectories(folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Publishes a version in the kubelet's steps: its files, the swap of {@code ..data}, the links, the end of the old ones.
     *
     * @param files all that there are from now on, by name
     */
    public void publish(Map<String, String> files) {
        try {
            var fresh = Files.createDirectory(mount.resolve("..2026_01_01_00_00_00.%d".formatted(++version)));
            for (var file : files.entrySet()) {
                Files.writeString(fresh.resolve(file.getKey()), file.getValue());
            }
            var link = mount.resolve(DATA + "_tmp");
            Files.createSymbolicLink(link, fresh.getFileName());
            Files.move(link, mount.resolve(DATA), StandardCopyOption.ATOMIC_MOVE);
            for (var name : files.keySet()) {
                if (!Files.isSymbolicLink(mount.resolve(name))) {
                    Files.createSymbolicLink(mount.resolve(name), Path.of(DATA, name));
                }
            }
            if (current != null) {
                remove(current);
            }
            current = fresh;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void remove(Path old) throws IOException {
        try (var files = Files.list(old)) {
            for (var file : files.toList()) {
                Files.delete(file);
                if (!Files.exists(mount.resolve(file.getFileName()))) {
                    Files.delete(mount.resolve(file.getFileName()));
                }
            }
        }
        Files.delete(old);
    }
}
