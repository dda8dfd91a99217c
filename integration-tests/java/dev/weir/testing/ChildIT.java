package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A process that goes wrong says what it said: the only trace of it in the log of a CI. */
final class ChildIT {
    private final ScratchFolder folder = ScratchFolder.create("child");

    @AfterEach
    void tidyUp() {
        folder.close();
    }

    @Test
    void one_that_ends_early_is_reported_at_once_with_its_output() {
        try (var child = shell("echo port taken; exit 3", Map.of())) {
            assertThatThrownBy(() -> child.awaitReady("it is healthy", Eventually.DEADLINE, () -> false))
                    .hasMessageContaining("ended with 3 before: it is healthy")
                    .hasMessageContaining("port taken");
        }
    }

    @Test
    void one_that_is_asked_to_stop_may_tidy_up_first() {
        try (var child = shell("trap 'echo bye; exit 0' TERM; echo up; while :; do :; done", Map.of())) {
            child.awaitReady(
                    "it is up", Eventually.DEADLINE, () -> child.output().contains("up"));
            assertThat(child.stop(Eventually.DEADLINE)).isZero();
            assertThat(child.output()).contains("bye");
        }
    }

    @Test
    void the_environment_is_the_one_given_and_nothing_else() {
        try (var child = shell("echo [$ONE] [$HOME]; exit 0", Map.of("ONE", "1"))) {
            Eventually.await("it has ended", () -> !child.isAlive());
            assertThat(child.output()).isEqualTo("[1] []\n");
        }
    }

    private Child shell(String script, Map<String, String> environment) {
        return Child.start("shell", folder.path(), environment, List.of("/bin/sh", "-c", script));
    }
}
