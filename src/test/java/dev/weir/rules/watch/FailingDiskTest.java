package dev.weir.rules.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.rules.Domain;
import dev.weir.rules.RuleSet;
import dev.weir.rules.SourceFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a disk does that fails, or a network that it is on, changes no rules, and is over when it is over. */
final class FailingDiskTest {
    private static final String TRIED_AGAIN =
            "; look after the disk, or the network that it is on; until then it is tried again at every look]";

    private static final String DENIED =
            ": may not be read, and rules in it do not count; give the service the right to read it, or remove it";

    private final RecordingListener listener = new RecordingListener();
    private final FailingDisk disk = new FailingDisk();

    @TempDir
    private Path root;

    private Path directory;
    private Path shop;
    private RulesWatch watch;

    @BeforeEach
    void prepare() throws IOException {
        directory = Files.createDirectories(root.resolve("ratelimit/config"));
        shop = write("a.yaml", "shop");
        watch = new RulesWatch(
                new RuleFiles(root, "ratelimit", "config", false, false),
                Overlay.NONE,
                (sources, _) -> load(sources),
                listener,
                disk);
    }

    @Test
    void what_cannot_be_tried_out_is_neither_good_nor_wrong() throws IOException {
        disk.failReading(shop, new IOException("Input/output error"));
        assertThat(whyUntried()).contains("a.yaml: cannot be read ").contains("Input/output error");
        disk.heal();
        Files.delete(shop);
        Files.delete(directory);
        assertThat(whyUntried()).contains(directory + ": there is no such directory");
    }

    private String whyUntried() {
        return catchThrowableOfType(UnreadException.class, () -> watch.tryOut(List.of()))
                .reasons()
                .toString();
    }

    @Test
    void a_file_that_could_not_be_read_is_read_when_it_can_though_nothing_changes() throws IOException {
        watch.loadFirst();
        Path bank = write("b.yaml", "bank");
        disk.failReading(bank, new IOException("Input/output error"));
        poll(6);

        assertThat(domainsInForce()).containsExactly("shop");
        assertThat(listener.told())
                .as("told once")
                .hasSize(2)
                .last()
                .isEqualTo("failed, version 1 stays: [" + bank
                        + ": cannot be read (java.io.IOException: Input/output error)" + TRIED_AGAIN);

        disk.heal();
        poll(1);
        assertThat(domainsInForce()).containsExactly("shop", "bank");
        poll(4);
        assertThat(listener.told()).hasSize(3).last().isEqualTo("loaded version 2: 2 files, 2 domains, 0 rules");
    }

    @Test
    void a_directory_with_too_much_in_it_is_told_at_once_and_looked_at_now_and_then_until_that_is_mended() {
        watch.loadFirst();
        disk.crowd(directory);
        poll(2);
        assertThat(listener.told())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("failed, version 1 stays: [" + directory + ": more than 10,000 files");
        int entered = disk.entered();
        poll(38);
        assertThat(disk.entered()).as("in ten seconds").isEqualTo(entered);
        poll(40);
        assertThat(disk.entered()).as("in ten more").isEqualTo(entered + 1);

        disk.heal();
        int before = disk.entered();
        poll(1);
        assertThat(disk.entered()).isEqualTo(before + 1);
        poll(2);
        assertThat(listener.told()).hasSize(3).last().asString().startsWith("loaded version 2");
        poll(2);
        assertThat(disk.entered()).as("looked at each time again").isGreaterThanOrEqualTo(before + 5);
    }

    @Test
    void the_first_rules_come_when_they_can_be_read() {
        disk.failReading(shop, stale(shop));
        watch.loadFirst();
        poll(3);
        assertThat(watch.inForce()).isNull();
        assertThat(listener.told()).singleElement().asString().contains("Stale file handle");

        disk.heal();
        poll(1);
        assertThat(domainsInForce()).containsExactly("shop");
    }

    @Test
    void another_failure_is_told_and_the_same_one_again_once_it_was_over() {
        watch.loadFirst();
        for (int i = 0; i < 2; i++) {
            disk.failEntering(directory, stale(directory));
            poll(4);
            disk.failEntering(directory, new IOException("Connection timed out"));
            poll(4);
            disk.heal();
            poll(2);
        }

        assertThat(listener.told()).hasSize(7);
        assertThat(listener.told().get(4)).contains(directory + ": cannot be read", "Stale file handle");
        assertThat(listener.told().get(5)).contains("Connection timed out");
        assertThat(listener.told().get(6)).startsWith("loaded version 3");
    }

    @Test
    void a_file_that_cannot_be_looked_at_is_not_taken_for_gone() {
        watch.loadFirst();
        disk.failLookingAt(shop, stale(shop));
        poll(4);

        assertThat(domainsInForce()).containsExactly("shop");
        assertThat(listener.told()).hasSize(2).last().asString().contains("Stale file handle");
    }

    @Test
    void a_directory_that_cannot_be_looked_at_is_not_taken_for_gone() throws IOException {
        Path below = Files.createDirectories(directory.resolve("below"));
        write("below/b.yaml", "bank");
        watch.loadFirst();
        disk.failLookingAt(below, stale(below));
        poll(4);
        disk.heal();
        disk.failEntering(below, stale(below));
        poll(4);

        assertThat(domainsInForce()).containsExactly("shop", "bank");
    }

    @Test
    void a_root_that_cannot_be_looked_at_is_not_called_missing() {
        disk.failLookingAt(directory, stale(directory));
        watch.loadFirst();

        assertThat(listener.told())
                .singleElement()
                .asString()
                .contains("Stale file handle")
                .doesNotContain("no such directory");
    }

    @Test
    void a_moment_in_which_nothing_is_read_changes_nothing() {
        watch.loadFirst();
        disk.failEntering(directory, stale(directory));
        poll(1);
        disk.heal();
        poll(4);

        assertThat(listener.told()).containsExactly("loaded version 1: 1 file, 1 domains, 0 rules");
    }

    @Test
    void a_file_that_is_not_there_when_it_is_read_but_before_and_after_is_read_again() throws IOException {
        watch.loadFirst();
        Path bank = write("b.yaml", "bank");
        disk.failReading(bank, new NoSuchFileException(bank.toString()));
        poll(4);
        assertThat(domainsInForce()).as("not without the bank's").containsExactly("shop");
        assertThat(listener.told()).hasSize(2).last().asString().contains("files vanish that were there before");

        Files.writeString(shop, "shops");
        poll(4);
        assertThat(domainsInForce()).containsExactly("shop");

        disk.heal();
        poll(1);
        assertThat(domainsInForce()).containsExactly("shops", "bank");
    }

    @Test
    void files_that_are_checked_are_read_once() {
        disk.failReading(shop, new IOException("Input/output error"));

        assertThatThrownBy(() -> RuleFiles.given(List.of(directory), false, disk))
                .hasMessage(
                        shop + ": cannot be read (java.io.IOException: Input/output error); look after the disk, or the"
                                + " network that it is on");
    }

    @Test
    void a_directory_that_may_not_be_read_is_passed_over_and_told_once() throws IOException {
        Path below = Files.createDirectories(directory.resolve("lost+found"));
        disk.failEntering(below, new AccessDeniedException(below.toString()));
        watch.loadFirst();
        poll(4);
        assertThat(domainsInForce()).containsExactly("shop");
        assertThat(listener.told())
                .containsExactly("passed over " + below + DENIED, "loaded version 1: 1 file, 1 domains, 0 rules");

        write("b.yaml", "bank");
        poll(2);
        assertThat(listener.told()).hasSize(3).last().asString().startsWith("loaded version 2");

        disk.heal();
        write("lost+found/c.yaml", "found");
        poll(2);
        assertThat(domainsInForce()).containsExactly("shop", "bank", "found");

        disk.failLookingAt(below.resolve("c.yaml"), new AccessDeniedException(below + "/c.yaml"));
        poll(2);
        disk.failEntering(below, new AccessDeniedException(below.toString()));
        poll(4);
        assertThat(domainsInForce()).containsExactly("shop", "bank");
        assertThat(listener.told())
                .as("it could be read in between")
                .filteredOn(line -> line.startsWith("passed over"))
                .containsExactly(
                        "passed over " + below + DENIED,
                        "passed over " + below + "/c.yaml" + DENIED,
                        "passed over " + below + DENIED);
    }

    @Test
    void a_root_that_may_not_be_read_is_refused() {
        disk.failEntering(directory, new AccessDeniedException(directory.toString()));
        watch.loadFirst();
        poll(4);

        assertThat(listener.told())
                .singleElement()
                .asString()
                .endsWith(directory + ": cannot be read (java.nio.file.AccessDeniedException: " + directory
                        + "); give the service the right to read it]");
    }

    @Test
    void who_checks_files_is_told_what_may_not_be_read() throws IOException {
        Path below = Files.createDirectories(directory.resolve("lost+found"));
        disk.failEntering(below, new AccessDeniedException(below.toString()));

        assertThatThrownBy(() -> RuleFiles.given(List.of(directory), false, disk))
                .hasMessage(below + DENIED);
    }

    private static IOException stale(Path path) {
        return new FileSystemException(path.toString(), null, "Stale file handle");
    }

    /** Takes the text of each file for the name of a domain. */
    private static RuleSet load(List<SourceFile> files) {
        return RuleSet.of(files.stream()
                .map(file -> Domain.of(new String(file.content(), UTF_8), List.of()))
                .toList());
    }

    private void poll(int times) {
        for (int i = 0; i < times; i++) {
            watch.poll();
        }
    }

    private List<String> domainsInForce() {
        var rules = watch.inForce();
        assertThat(rules).isNotNull();
        return rules.domainNames();
    }

    private Path write(String name, String domain) throws IOException {
        return Files.writeString(directory.resolve(name), domain);
    }
}
