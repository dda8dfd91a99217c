package dev.weir.rules.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.rules.Domain;
import dev.weir.rules.Mistake;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import dev.weir.rules.watch.Overlay.Laid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which rules are in force while files come, change, break and go. A look at the files is a call of poll. */
final class RulesWatchTest {
    private final RecordingListener listener = new RecordingListener();

    @TempDir
    private Path root;

    private Path directory;
    private RulesWatch watch;
    private volatile Laid above = Laid.NOTHING;

    @BeforeEach
    void prepare() throws IOException {
        directory = Files.createDirectories(root.resolve("ratelimit/config"));
        watch = watch(listener);
    }

    @Test
    void good_rules_are_in_force_from_the_start() throws IOException {
        write("a.yaml", "shop");
        watch.loadFirst();

        assertThat(domainsInForce()).containsExactly("shop");
        assertThat(listener.told()).containsExactly("loaded version 1: 1 file, 1 domains, 0 rules");
    }

    @Test
    void a_directory_without_files_is_a_set_of_no_rules_that_says_where_it_looked() throws IOException {
        watch.loadFirst();

        assertThat(domainsInForce()).isEmpty();
        assertThat(listener.told())
                .containsExactly("loaded version 1: 0 files below " + directory + ", 0 domains, 0 rules");
    }

    @Test
    void a_change_is_loaded_once_it_stands_still() throws IOException {
        write("a.yaml", "shop");
        watch.loadFirst();
        write("b.yaml", "bank");

        watch.poll();
        assertThat(domainsInForce()).as("seen, but perhaps half written").containsExactly("shop");
        watch.poll();
        assertThat(domainsInForce()).containsExactly("shop", "bank");
        watch.poll();
        watch.poll();
        assertThat(listener.told()).hasSize(2).last().isEqualTo("loaded version 2: 2 files, 2 domains, 0 rules");
    }

    @Test
    void remarks_are_told_once_and_the_first_ten_of_them() {
        var inForce = new InForce(listener);
        inForce.put(remarked(1, 2), "a");
        inForce.put(remarked(1, 2), "b");
        inForce.put(remarked(2, 14), "c");
        inForce.put(remarked(1, 1), "d");

        assertThat(listener.told().stream().map(line -> line.replaceAll(" version.*", "")))
                .containsExactly(
                        "a.yaml:1:1: odd",
                        "a.yaml:2:1: odd",
                        "loaded",
                        "loaded",
                        "a.yaml:3:1: odd",
                        "a.yaml:4:1: odd",
                        "a.yaml:5:1: odd",
                        "a.yaml:6:1: odd",
                        "a.yaml:7:1: odd",
                        "a.yaml:8:1: odd",
                        "a.yaml:9:1: odd",
                        "a.yaml:10:1: odd",
                        "a.yaml:11:1: odd",
                        "a.yaml:12:1: odd",
                        "2 more remarks on the rules; `weir check` tells them",
                        "loaded",
                        "a.yaml:1:1: odd",
                        "loaded");
    }

    /** As text, each of them alone is a megabyte. */
    @Test
    void only_those_remarks_are_made_text_that_are_told() {
        new InForce(listener).put(remarked("a".repeat(1 << 20), 1, 5_000), "a");
        assertThat(listener.told()).hasSize(12);
    }

    private static RuleSet remarked(int firstLine, int lastLine) {
        return remarked("a.yaml", firstLine, lastLine);
    }

    private static RuleSet remarked(String file, int firstLine, int lastLine) {
        return RuleSet.of(List.of())
                .with(IntStream.rangeClosed(firstLine, lastLine)
                        .mapToObj(line -> new Mistake(file, line, 1, "odd"))
                        .toList());
    }

    @Test
    void a_file_that_grows_is_loaded_when_it_is_whole() throws IOException {
        write("a.yaml", "shop");
        watch.loadFirst();
        watch.poll();
        grow(40);
        assertThat(domainsInForce()).as("cut off in ten seconds of looks").containsExactly("shop");

        pollUntilStill();
        assertThat(domainsInForce()).containsExactly("shop" + "x".repeat(40));
        assertThat(listener.told()).hasSize(2);
    }

    @Test
    void a_directory_that_never_stands_still_is_loaded_all_the_same() throws IOException {
        watch.loadFirst();
        watch.poll();
        grow(120);
        assertThat(domainsInForce()).as("in half a minute").isEmpty();
        write("a.yaml", "bank");
        watch.poll();
        assertThat(domainsInForce()).containsExactly("bank");
        assertThat(listener.told())
                .hasSize(3)
                .element(1)
                .asString()
                .startsWith(directory.resolve("a.yaml") + ": changes at every look, so that it was read as it was");

        grow(120);
        write("a.yaml", "bank");
        watch.poll();
        assertThat(listener.told()).as("and that is told once").hasSize(4);
    }

    @Test
    void files_that_never_stood_still_since_the_start_are_followed_while_they_grow() throws IOException {
        write("a.yaml", "sho");
        watch.loadFirst();
        grow(3);

        assertThat(domainsInForce()).as("at the third look").containsExactly("shopxxx");
    }

    /** One look at each length. */
    private void grow(int most) throws IOException {
        for (int i = 1; i <= most; i++) {
            write("a.yaml", "shop" + "x".repeat(i));
            watch.poll();
        }
    }

    @Test
    void bad_rules_leave_the_last_good_ones_in_force_and_are_told_once() throws IOException {
        write("a.yaml", "shop");
        watch.loadFirst();
        write("a.yaml", "bad");
        pollUntilStill();
        pollUntilStill();

        assertThat(domainsInForce()).containsExactly("shop");
        assertThat(listener.told())
                .containsExactly(
                        "loaded version 1: 1 file, 1 domains, 0 rules",
                        "failed, version 1 stays: [" + directory.resolve("a.yaml") + ":1:1: this is bad; write shop]");

        write("a.yaml", "bank");
        pollUntilStill();
        assertThat(domainsInForce()).containsExactly("bank");
        assertThat(listener.told()).last().isEqualTo("loaded version 2: 1 file, 1 domains, 0 rules");
    }

    @Test
    void a_mistake_in_an_editors_file_is_told_with_how_to_pass_over_it() throws IOException {
        write("a.yaml", "shop");
        watch.loadFirst();
        write(".a.yaml", "bad");
        pollUntilStill();

        assertThat(listener.told())
                .last()
                .asString()
                .contains(".a.yaml:1:1: this is bad", "RUNTIME_IGNOREDOTFILES=true passes over it");
    }

    @Test
    void one_bad_file_keeps_all_others_out() throws IOException {
        write("a.yaml", "shop");
        watch.loadFirst();
        write("b.yaml", "bank");
        write("c.yaml", "bad");
        pollUntilStill();

        assertThat(domainsInForce()).containsExactly("shop");
    }

    @Test
    void a_missing_directory_is_a_failed_load_and_mends_itself() throws IOException {
        Files.delete(directory);
        watch.loadFirst();
        assertThat(watch.inForce()).isNull();
        assertThat(listener.told()).singleElement().asString().contains("version 0 stays", "no such directory");

        Files.createDirectory(directory);
        write("a.yaml", "shop");
        pollUntilStill();
        assertThat(domainsInForce()).containsExactly("shop");
    }

    @Test
    void a_directory_that_goes_leaves_its_rules_in_force() throws IOException {
        write("a.yaml", "shop");
        watch.loadFirst();
        Files.delete(directory.resolve("a.yaml"));
        Files.delete(directory);
        pollUntilStill();

        assertThat(domainsInForce()).containsExactly("shop");
    }

    @Test
    void the_swap_of_a_config_map_is_noticed() throws IOException {
        Files.createDirectories(directory.resolve("..one"));
        write("..one/a.yaml", "shop");
        Files.createSymbolicLink(directory.resolve("..data"), Path.of("..one"));
        Files.createSymbolicLink(directory.resolve("a.yaml"), Path.of("..data/a.yaml"));
        watch.loadFirst();
        assertThat(domainsInForce()).containsExactly("shop");

        Files.createDirectories(directory.resolve("..two"));
        write("..two/a.yaml", "bank");
        Files.setLastModifiedTime(
                directory.resolve("..two/a.yaml"), Files.getLastModifiedTime(directory.resolve("..one/a.yaml")));
        Files.createSymbolicLink(directory.resolve("..tmp"), Path.of("..two"));
        Files.move(directory.resolve("..tmp"), directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
        Files.delete(directory.resolve("..one/a.yaml"));
        Files.delete(directory.resolve("..one"));
        pollUntilStill();
        assertThat(domainsInForce()).containsExactly("bank");
    }

    /** Kubernetes removes the link of a file that a ConfigMap has no more, a moment after what it led to. */
    @Test
    void a_link_that_leads_nowhere_is_told_once_and_not_if_it_goes_at_once() throws IOException {
        Path link = directory.resolve("b.yaml");
        write("a.yaml", "shop");
        watch.loadFirst();
        Files.createSymbolicLink(link, Path.of("..data/b.yaml"));
        watch.poll();
        Files.delete(link);
        pollUntilStill();
        assertThat(listener.told()).hasSize(1);

        Files.createSymbolicLink(link, Path.of("..data/b.yaml"));
        pollUntilStill();
        write("a.yaml", "shops");
        pollUntilStill();
        assertThat(listener.told())
                .filteredOn(line -> line.startsWith("passed over"))
                .containsExactly("passed over " + link
                        + ": is a link that leads nowhere, and rules behind it do not count; bring back what it leads to,"
                        + " or remove it");
        assertThat(domainsInForce()).containsExactly("shops");
    }

    @Test
    void a_file_moved_into_place_with_size_and_time_of_the_old_one_is_noticed() throws IOException {
        write("a.yaml", "shop");
        watch.loadFirst();
        Path other = root.resolve("other");
        Files.writeString(other, "bank");
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(directory.resolve("a.yaml")));
        Files.move(other, directory.resolve("a.yaml"), StandardCopyOption.REPLACE_EXISTING);
        pollUntilStill();

        assertThat(domainsInForce()).containsExactly("bank");
    }

    /** As by {@code tar x} of an archive whose files all have one time: the file system gives the number of the old file to the new one. */
    @Test
    void a_file_written_over_with_size_and_time_of_the_old_text_is_noticed() throws IOException {
        write("a.yaml", "shop");
        watch.loadFirst();
        Path file = directory.resolve("a.yaml");
        FileTime before = Files.getLastModifiedTime(file);
        Object changed = Files.getAttribute(file, "unix:ctime");
        do { // the clock of older kernels' file systems goes by steps of some milliseconds
            Files.writeString(file, "bank");
            Files.setLastModifiedTime(file, before);
        } while (Files.getAttribute(file, "unix:ctime").equals(changed));
        pollUntilStill();

        assertThat(domainsInForce()).containsExactly("bank");
    }

    @Test
    void the_loader_is_given_the_rules_in_force() throws IOException {
        List<@Nullable RuleSet> given = new ArrayList<>();
        Loader loader = (sources, former) -> {
            given.add(former);
            return load(sources);
        };
        write("a.yaml", "shop");
        try (var telling = new RulesWatch(files(), Overlay.NONE, loader, listener)) {
            telling.loadFirst();
            var first = telling.inForce();
            write("a.yaml", "bank, and more");
            telling.poll();
            telling.poll();

            assertThat(given).containsExactly(null, first);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"defect", "full"})
    void a_defect_of_the_loader_and_a_full_heap_end_neither_the_start_nor_the_watch(String what) throws Exception {
        write("a.yaml", what);
        var loaded = new CountDownLatch(1);
        try (var running = watch(telling(loaded))) {
            running.start();
            assertThat(running.inForce()).isNull();
            assertThat(listener.told()).singleElement().asString().contains("defect of the service");

            write("a.yaml", "shop");
            assertThat(loaded.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(running.inForce()).isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"defect", "full"})
    void what_a_defect_or_a_full_heap_kept_out_is_tried_again_though_nothing_changes(String what) throws IOException {
        var tries = new AtomicInteger();
        Loader loader = (sources, _) -> load(tries.incrementAndGet() < 3 ? List.of(file(what)) : sources);
        write("a.yaml", "shop");
        try (var failing = new RulesWatch(files(), Overlay.NONE, loader, listener)) {
            failing.loadFirst();
            poll(failing, 39);
            assertThat(tries).as("in ten seconds").hasValue(1);
            poll(failing, 1);
            assertThat(tries).hasValue(2);
            poll(failing, 40);
            assertThat(failing.inForce()).isNotNull();
            poll(failing, 80);
            assertThat(tries).hasValue(3);
        }
        assertThat(listener.told()).as("told once").hasSize(2);
        assertThat(listener.told().getFirst()).contains("defect of the service", "tried again every ten seconds");
        assertThat(listener.told()).last().isEqualTo("loaded version 1: 1 file, 1 domains, 0 rules");
    }

    @Test
    void a_look_that_fails_is_made_up_for_though_nothing_changes() throws IOException {
        var isFull = new AtomicBoolean();
        Overlay overlay = () -> {
            if (isFull.getAndSet(false)) {
                throw new OutOfMemoryError("Java heap space");
            }
            return Laid.NOTHING;
        };
        write("a.yaml", "shop");
        try (var failing = new RulesWatch(files(), overlay, (sources, _) -> load(sources), listener)) {
            failing.loadFirst();
            isFull.set(true);
            poll(failing, 40);
            assertThat(listener.told()).last().asString().contains("defect of the service");
            poll(failing, 1);
            assertThat(listener.told()).last().asString().startsWith("loaded version 2");
        }
    }

    private static void poll(RulesWatch watch, int times) {
        for (int i = 0; i < times; i++) {
            watch.poll();
        }
    }

    @Test
    void what_lies_over_the_files_comes_into_force_at_the_next_look() throws IOException {
        write("a.yaml", "shop");
        watch.loadFirst();
        above = laid("1", "bank");
        watch.poll();
        assertThat(domainsInForce()).containsExactly("shop", "bank");
        above = Laid.NOTHING;
        watch.poll();
        assertThat(domainsInForce()).containsExactly("shop");
        watch.poll();
        assertThat(listener.told())
                .containsExactly(
                        "loaded version 1: 1 file, 1 domains, 0 rules",
                        "loaded version 2: 1 file and 1 domain of the test, 2 domains, 0 rules",
                        "loaded version 3: 1 file, 1 domains, 0 rules");
    }

    @Test
    void what_lies_over_files_that_change_waits_until_those_stand_still() throws IOException {
        write("a.yaml", "shop");
        watch.loadFirst();
        write("b.yaml", "half");
        above = laid("1", "bank");
        watch.poll();
        assertThat(domainsInForce()).containsExactly("shop");
        watch.poll();
        assertThat(domainsInForce()).containsExactly("shop", "half", "bank");
    }

    @Test
    void what_is_bad_is_not_in_force_whether_it_is_a_file_or_lies_over_them() throws IOException {
        write("a.yaml", "shop");
        watch.loadFirst();
        above = laid("1", "bad");
        watch.poll();
        watch.poll();
        assertThat(domainsInForce()).containsExactly("shop");
        assertThat(listener.told()).hasSize(2);
    }

    @Test
    void to_try_something_out_puts_nothing_in_force() throws Exception {
        write("a.yaml", "shop");
        watch.loadFirst();
        watch.tryOut(laid("1", "bank").sources());
        assertThat(domainsInForce()).containsExactly("shop");
        assertThatThrownBy(() -> watch.tryOut(laid("1", "bad").sources())).hasMessageContaining("this is bad");
        write("a.yaml", "bad");
        assertThatThrownBy(() -> watch.tryOut(List.of())).hasMessageContaining("a.yaml:1:1: this is bad");
    }

    @Test
    void what_lies_over_the_files_hears_when_it_is_in_force() throws IOException {
        List<String> told = new ArrayList<>();
        var hearing = new Overlay() {
            @Override
            public Laid look() {
                return above;
            }

            @Override
            public void inForce(Laid what) {
                told.add(what.stamp());
            }
        };
        write("a.yaml", "shop");
        try (var telling = new RulesWatch(files(), hearing, (sources, _) -> load(sources), listener)) {
            telling.loadFirst();
            above = laid("1", "bad");
            telling.poll();
            above = laid("2", "bank");
            telling.poll();
            telling.poll();
        }
        assertThat(told).containsExactly("", "2");
    }

    private static Laid laid(String stamp, String text) {
        return new Laid(stamp, "1 domain of the test", List.of(file(text)));
    }

    private static SourceFile file(String text) {
        return new SourceFile("above", text.getBytes(UTF_8), true);
    }

    private RulesWatch watch(RulesListener told) {
        return new RulesWatch(files(), () -> above, (sources, _) -> load(sources), told);
    }

    private RuleFiles files() {
        return new RuleFiles(root, "ratelimit", "config", false, false);
    }

    private RulesListener telling(CountDownLatch loaded) {
        return new RulesListener() {
            @Override
            public void loaded(Loaded event) {
                loaded.countDown();
            }

            @Override
            public void failed(Failed event) {
                listener.failed(event);
            }

            @Override
            public void passedOver(String reason) {
                listener.passedOver(reason);
            }
        };
    }

    /** Takes the text of each file for the name of a domain. */
    private static RuleSet load(List<SourceFile> files) throws RulesException {
        List<Domain> domains = new ArrayList<>();
        for (var file : files) {
            String text = new String(file.content(), UTF_8);
            if (text.equals("bad")) {
                throw new RulesException(List.of(new Mistake(file.name(), 1, 1, "this is bad; write shop")));
            }
            if (text.equals("defect")) {
                throw new IllegalStateException("a defect");
            }
            if (text.equals("full")) {
                throw new OutOfMemoryError("Java heap space");
            }
            domains.add(Domain.of(text, List.of()));
        }
        return RuleSet.of(domains);
    }

    private void pollUntilStill() {
        watch.poll();
        watch.poll();
    }

    private List<String> domainsInForce() {
        var rules = watch.inForce();
        assertThat(rules).isNotNull();
        return rules.domainNames();
    }

    private void write(String name, String domain) throws IOException {
        Files.writeString(directory.resolve(name), domain);
    }
}
