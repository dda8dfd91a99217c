package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.WeirCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which JDK {@code bin/find-jdk} takes. The folders where packages put JDKs are searched too, so that a machine without any
 * cannot be had here; that an older one is passed over, and a newer one taken, can.
 */
final class FindJdkIT {
    @TempDir
    private Path folder;

    private Path tools;
    private Path home;

    @BeforeEach
    void leave_nothing_on_the_path_but_what_the_script_needs() throws IOException {
        home = Files.createDirectory(folder.resolve("home"));
        tools = Files.createDirectory(folder.resolve("tools"));
        for (var tool : new String[] {"sed", "readlink", "dirname"}) {
            program(tools.resolve(tool), "exec " + onPath(tool) + " \"$@\"");
        }
    }

    @Test
    void a_new_enough_java_home_is_taken_first() throws IOException {
        var newer = jdk("newer", "26.0.1");
        assertThat(found(newer, tools)).isEqualTo(newer);
    }

    @Test
    void a_java_home_of_17_is_passed_over_for_a_newer_java_on_the_path() throws IOException {
        var newer = jdk("newer", "26");
        Files.createSymbolicLink(tools.resolve("java"), newer.resolve("bin").resolve("java"));
        assertThat(found(jdk("old", "17.0.12"), tools)).isEqualTo(newer);
    }

    @Test
    void what_is_too_old_everywhere_else_is_passed_over_for_a_25_in_a_known_place() throws IOException {
        var old = jdk("old", "17.0.12");
        Files.createSymbolicLink(tools.resolve("java"), old.resolve("bin").resolve("java"));
        jdk("home/.jdks/jdk-25", "25"); // perhaps not the first of the known places here, yet one of them
        var found = found(old, tools);
        assertThat(found).isNotEqualTo(old);
        assertThat(Files.readString(found.resolve("release"))).containsPattern("JAVA_VERSION=\"(2[5-9]|[3-9]\\d)");
    }

    @Test
    void a_java_home_that_is_no_jdk_is_passed_over() throws IOException {
        var newer = jdk("newer", "26");
        Files.createSymbolicLink(tools.resolve("java"), newer.resolve("bin").resolve("java"));
        assertThat(found(folder.resolve("nowhere"), tools)).isEqualTo(newer);
    }

    @Test
    void a_java_home_that_hangs_on_the_folder_is_told_whole() throws IOException {
        var newer = jdk("newer", "26");
        var environment = Map.of("JAVA_HOME", "newer", "PATH", tools.toString(), "HOME", home.toString());
        var line = "cd '%s' && exec '%s'".formatted(newer.getParent(), WeirCommand.bin("find-jdk"));
        var ended = WeirCommand.run(Path.of("/bin/sh"), environment, "-c", line);
        assertThat(ended.output()).isEqualTo(newer + "\n");
    }

    private Path found(Path javaHome, Path path) {
        var environment = Map.of("JAVA_HOME", javaHome.toString(), "PATH", path.toString(), "HOME", home.toString());
        var ended = WeirCommand.run(WeirCommand.bin("find-jdk"), environment);
        assertThat(ended.exitCode()).as(ended.output()).isZero();
        return Path.of(ended.output().strip());
    }

    /** Makes what the script looks at of a JDK: its release file, and something to run. */
    private Path jdk(String name, String version) throws IOException {
        var jdk = folder.toRealPath().resolve(name);
        Files.createDirectories(jdk.resolve("bin"));
        Files.writeString(jdk.resolve("release"), "IMPLEMENTOR=\"nobody\"\nJAVA_VERSION=\"%s\"\n".formatted(version));
        program(jdk.resolve("bin").resolve("java"), "exit 0");
        return jdk;
    }

    private static void program(Path path, String line) throws IOException {
        Files.writeString(path, "#!/bin/sh\n" + line + "\n");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Path onPath(String tool) {
        for (var part : Objects.requireNonNull(System.getenv("PATH")).split(":", -1)) {
            var candidate = Path.of(part, tool);
            if (Files.isExecutable(candidate)) {
                return candidate;
            }
        }
        throw new AssertionError("there is no " + tool + " on the PATH");
    }
}
