package dev.weir.linux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class NicenessTest {
    /** The state, which follows the name. */
    private static final int FIRST_FIELD = 3;

    private static final int NICE_FIELD = 19;

    @Test
    void only_the_thread_that_asks_steps_back() throws InterruptedException {
        int before = nice();
        var nice = new AtomicInteger();
        var thread = Thread.ofPlatform().start(() -> {
            Niceness.stepBack();
            nice.set(nice());
        });
        thread.join();
        assertThat(nice.get()).isEqualTo(Math.min(before + 10, 19));
        assertThat(nice()).isEqualTo(before);
    }

    /** An application may that has Weir as a library. */
    @Test
    void where_native_access_is_denied_nothing_fails() throws Exception {
        var stepping = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--illegal-native-access=deny",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Stepping.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(stepping.getInputStream().readAllBytes(), UTF_8);
        assertThat(stepping.waitFor()).as(said).isZero();
    }

    /** A program that steps back. */
    static final class Stepping {
        static void main() {
            Niceness.stepBack();
        }
    }

    /** Returns how nice the calling thread is, as proc(5) tells it; its name, in brackets, may hold blanks. */
    private static int nice() {
        try {
            String stat = Files.readString(Path.of("/proc/thread-self/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Integer.parseInt(fields[NICE_FIELD - FIRST_FIELD]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
