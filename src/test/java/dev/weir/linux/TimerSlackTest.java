package dev.weir.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class TimerSlackTest {

    @Test
    void only_the_thread_that_asks_is_woken_on_time() throws InterruptedException {
        long before = slackNanos();
        var slack = new AtomicLong();
        var thread = Thread.ofPlatform().start(() -> {
            TimerSlack.none();
            slack.set(slackNanos());
        });
        thread.join();
        assertThat(slack).hasValue(1);
        assertThat(before).isGreaterThan(1);
        assertThat(slackNanos()).isEqualTo(before);
    }

    /** Returns the slack of the calling thread, which proc(5) tells of threads as of processes. */
    private static long slackNanos() {
        try {
            Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName();
            return Long.parseLong(Files.readString(Path.of("/proc", thread.toString(), "timerslack_ns"))
                    .strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
