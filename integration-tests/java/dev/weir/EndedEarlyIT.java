package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.WeirCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the scripts of {@code bin} do when they cannot do all: told to end (SIGTERM), or on a full disk. Others stand in for what they call. */
final class EndedEarlyIT {
    private static final Path ENV = Path.of("/usr/bin/env");

    @TempDir
    private Path folder;

    private Path bin;

    @BeforeEach
    void make_a_place_for_scripts() throws IOException {
        bin = Files.createDirectory(folder.resolve("bin"));
        program(bin.resolve("aot-cache"), "echo '%s'".formatted(folder.resolve("none.aot")));
    }

    /** Linux hands the first process of a container no signal for which it has no handler. */
    @Test
    void the_first_process_of_a_container_ends_although_java_does_not_run_yet() throws IOException {
        Assumptions.assumeTrue(asFirstProcess(Path.of("true")).exitCode() == 0, () -> {
            var reason = "The first process of a container is not tried: that takes root and unshare.";
            System.out.println(reason);
            return reason;
        });
        Files.copy(WeirCommand.bin("weir"), bin.resolve("weir"));
        program(bin.resolve("find-jdk"), "kill -TERM 1; echo '%s'".formatted(folder));
        program(bin.resolve("java"), "echo java runs");
        assertThat(asFirstProcess(bin.resolve("weir"))).isEqualTo(new WeirCommand(143, ""));
    }

    private static WeirCommand asFirstProcess(Path program) {
        return WeirCommand.run(ENV, Map.of(), "unshare", "--pid", "--fork", program.toString());
    }

    @Test
    void the_training_takes_its_files_away() throws IOException {
        var temporary = Files.createDirectory(folder.resolve("tmp"));
        Files.copy(WeirCommand.bin("make-aot-cache"), bin.resolve("make-aot-cache"));
        program(bin.resolve("find-jdk"), "echo '%s'".formatted(folder));
        program(bin.resolve("weir"), "kill -TERM $PPID");
        var ended = WeirCommand.run(bin.resolve("make-aot-cache"), Map.of("TMPDIR", temporary.toString()));
        assertThat(temporary).as(ended.output()).isEmptyDirectory();
        assertThat(ended.exitCode()).isEqualTo(1);
    }

    /** A disk that is full cuts the cache off as it is copied there. */
    @Test
    void a_cache_that_is_cut_off_is_none() throws IOException {
        var lib = Files.createDirectory(folder.resolve("lib"));
        Files.copy(WeirCommand.bin("make-aot-cache"), bin.resolve("make-aot-cache"));
        program(bin.resolve("find-jdk"), "echo '%s'".formatted(folder));
        program(bin.resolve("aot-cache"), "echo '%s/weir-1.aot'".formatted(lib));
        program(bin.resolve("weir"), "echo whole >weir.aot");
        program(bin.resolve("mv"), "echo half >\"$2\"; exit 1");
        var ended = WeirCommand.run(bin.resolve("make-aot-cache"), Map.of("PATH", bin + ":" + System.getenv("PATH")));
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.output()).startsWith("The AOT cache could not be made.");
        assertThat(lib).isEmptyDirectory();
    }

    private static void program(Path path, String line) throws IOException {
        Files.writeString(path, "#!/bin/sh\n" + line + "\n");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
