package dev.weir.rules.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import dev.weir.testing.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Beside the rules in force the heap has room for one set, whoever wants some: a third one ended the process. */
final class OneAtATimeTest {
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();

    @TempDir
    private Path root;

    @Test
    void rules_are_tried_out_when_others_are_in_force_and_read_their_files_then() throws Exception {
        Path directory = Files.createDirectories(root.resolve("ratelimit/config"));
        Files.writeString(directory.resolve("a.yaml"), "shop");
        var files = new RuleFiles(root, "ratelimit", "config", false, false);
        var disk = new FailingDisk();
        try (var watch = new RulesWatch(files, Overlay.NONE, this::load, new RecordingListener(), disk)) {
            Thread load = Thread.ofVirtual().start(watch::loadFirst);
            Eventually.await("rules are made", () -> begun.get() == 1);
            Thread trial = Thread.ofVirtual().start(() -> tryOut(watch));
            Thread name = Thread.ofVirtual().start(() -> alone(watch));
            for (Thread waiting : List.of(trial, name)) {
                Eventually.await("it waits", () -> waiting.getState() == Thread.State.WAITING);
            }
            assertThat(begun).hasValue(1);
            assertThat(disk.read())
                    .as("nor do bytes of files lie in the heap meanwhile")
                    .isOne();

            mayGoOn.countDown();
            load.join();
            trial.join();
            name.join();
            assertThat(begun).hasValue(3);
            assertThat(disk.read()).isEqualTo(2);
            assertThat(watch.inForce()).isNotNull();
        }
    }

    private RuleSet load(List<SourceFile> sources, @Nullable RuleSet former) {
        begun.incrementAndGet();
        try {
            mayGoOn.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return RuleSet.of(List.of());
    }

    private static void tryOut(RulesWatch watch) {
        try {
            watch.tryOut(List.of());
        } catch (RulesException | UnreadException e) {
            throw new AssertionError(e);
        }
    }

    private static void alone(RulesWatch watch) {
        try {
            var _ = watch.alone(List.of(SourceFile.of("body", "bank".getBytes(UTF_8))), null);
        } catch (RulesException e) {
            throw new AssertionError(e);
        }
    }
}
