package dev.weir.rules.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.jvm.Heap;
import dev.weir.rules.Mistake;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which files of a directory count, and under which names. */
final class RuleFilesTest {

    @TempDir
    private Path root;

    @Test
    void the_application_directory_is_read_whole_whatever_the_files_are_called() throws Exception {
        write("ratelimit/config/b.yaml", "ratelimit/config/a", "ratelimit/config/deep/er/notes.txt", "ratelimit/other");

        assertThat(names(appDirectory("config")))
                .containsExactly("ratelimit/config/a", "ratelimit/config/b.yaml", "ratelimit/config/deep/er/notes.txt");
        assertThat(names(appDirectory("."))).contains("ratelimit/other").hasSize(4);
    }

    @Test
    void where_the_root_is_watched_paths_with_dots_begin_with_config() throws Exception {
        write(
                "ratelimit/config.yaml",
                "ratelimit/config/shop.yaml",
                "ratelimit/config/eu/bank.yaml",
                "ratelimit/config.d/x",
                "ratelimit/configs/y",
                "ratelimit/other/config/z",
                "config/elsewhere.yaml");

        assertThat(names(watchRoot()))
                .containsExactly(
                        "ratelimit/config.d/x",
                        "ratelimit/config.yaml",
                        "ratelimit/config/eu/bank.yaml",
                        "ratelimit/config/shop.yaml");
    }

    @Test
    void the_beginning_may_lead_through_several_directories() throws Exception {
        write(
                "ratelimit/config/shop/eu.yaml",
                "ratelimit/config/shop/deep/asia.yaml",
                "ratelimit/config/shop.us.yaml",
                "ratelimit/config.shop.yaml",
                "ratelimit/config.shop/x",
                "ratelimit/config/shopping/y",
                "ratelimit/config/shop2.yaml",
                "ratelimit/config/bank.yaml",
                "ratelimit/con/fig.shop.z");
        assertThat(names(new RuleFiles(root, "ratelimit", "config.shop", true, false)))
                .containsExactly(
                        "ratelimit/config.shop.yaml",
                        "ratelimit/config.shop/x",
                        "ratelimit/config/shop.us.yaml",
                        "ratelimit/config/shop/deep/asia.yaml",
                        "ratelimit/config/shop/eu.yaml");
        assertThat(names(new RuleFiles(root, "ratelimit", "config/shop", true, false)))
                .as("as the Go service has it")
                .isEmpty();
    }

    @Test
    void a_file_of_the_name_that_leads_there_is_none_of_them() throws Exception {
        write("ratelimit/config/shop");
        assertThat(names(new RuleFiles(root, "ratelimit", "config.shop", true, false)))
                .isEmpty();
    }

    @Test
    void a_directory_without_a_name_is_told_by_its_path() {
        assertThat(new RuleFiles(Path.of(""), "", ".", false, false).directory())
                .isEqualTo(Path.of("").toAbsolutePath());
    }

    @Test
    void a_file_that_the_heap_has_no_room_for_is_a_mistake_and_not_the_end() throws Exception {
        write("ratelimit/config/a.yaml", "ratelimit/config/core", "ratelimit/config/z.yaml");
        long tooMuch = Heap.roomForRuleFiles() + 1;
        stretch("ratelimit/config/core", tooMuch);

        assertTold(appDirectory("config"), "config/core", "has %d KiB".formatted(tooMuch >> 10), "WEIR_HEAP");
    }

    @Test
    void files_that_the_heap_has_no_room_for_together_are_one_too() throws Exception {
        write("ratelimit/config/a.yaml", "ratelimit/config/b.yaml");
        long half = Heap.roomForRuleFiles() / 2 + 1;
        stretch("ratelimit/config/a.yaml", half);
        stretch("ratelimit/config/b.yaml", half);

        assertTold(appDirectory("config"), "config/b.yaml", "WEIR_HEAP");
    }

    /** With holes: it takes no room on the disk. */
    private void stretch(String path, long bytes) throws IOException {
        try (var file = new RandomAccessFile(root.resolve(path).toFile(), "rw")) {
            file.setLength(bytes);
        }
    }

    private static void assertTold(RuleFiles files, String... words) {
        assertThatThrownBy(() -> files.read(Disk.LOCAL))
                .isInstanceOfSatisfying(
                        RulesException.class,
                        refused -> assertThat(refused.mistakes())
                                .singleElement()
                                .asString()
                                .contains(words));
    }

    @Test
    void so_many_files_that_nobody_meant_them_as_rules_are_a_mistake_and_not_the_end() throws Exception {
        write("ratelimit/config/a.yaml");
        Path home = Files.createDirectories(root.resolve("home/ann"));
        for (int i = 0; i < 9_998; i++) {
            Files.createFile(home.resolve(".mail" + i));
        }
        link("ratelimit/config/link", "../../home/ann");
        assertThat(names(appDirectory("config"))).hasSize(9_999);

        Files.createFile(home.resolve(".mail"));
        String told =
                "more than 10,000 files and directories lie below it, behind links too; name the directory that holds the rules, and keep"
                        + " elsewhere what holds none";
        Path config = root.resolve("ratelimit/config");
        assertThatThrownBy(() -> appDirectory("config").read(Disk.LOCAL))
                .isInstanceOf(RulesException.class)
                .hasMessage(config + ": " + told);
        assertThatThrownBy(() -> RuleFiles.given(List.of(config, root.resolve("gone")), false))
                .isInstanceOf(RulesException.class)
                .hasMessage(config + ": " + told + "\n" + root + "/gone: there is no such file or directory");
        assertThat(names(new RuleFiles(root, "ratelimit", "config", false, true)))
                .as("without those that begin with a dot")
                .containsExactly("ratelimit/config/a.yaml");
    }

    @Test
    void they_begin_with_the_app_directory_whatever_it_is_called() throws Exception {
        write("ratelimit/config.yaml", "ratelimit/config/shop.yaml", "ratelimit/rules.x", "ratelimit/rules/a.yaml");

        assertThat(names(new RuleFiles(root, "ratelimit", "rules", true, false)))
                .containsExactly("ratelimit/rules.x", "ratelimit/rules/a.yaml");
    }

    @Test
    void a_file_called_config_without_a_dot_is_no_configuration() throws Exception {
        write("ratelimit/config");

        assertThat(names(watchRoot())).isEmpty();
    }

    @Test
    void dot_files_count_unless_they_are_ignored() throws Exception {
        write("ratelimit/config/.hidden", "ratelimit/config/.git/x", "ratelimit/config/a.yaml");

        assertThat(names(appDirectory("config"))).hasSize(3);
        assertThat(names(new RuleFiles(root, "ratelimit", "config", false, true)))
                .containsExactly("ratelimit/config/a.yaml");
    }

    @Test
    void a_config_map_counts_once_under_its_natural_names() throws Exception {
        write("ratelimit/config/..2026_01_01/a.yaml", "ratelimit/config/..2026_01_01/b.yaml");
        link("ratelimit/config/..data", "..2026_01_01");
        link("ratelimit/config/a.yaml", "..data/a.yaml");
        link("ratelimit/config/b.yaml", "..data/b.yaml");

        for (var files : List.of(appDirectory("config"), watchRoot())) {
            assertThat(names(files)).containsExactly("ratelimit/config/a.yaml", "ratelimit/config/b.yaml");
        }
    }

    /** As between the swap of the link and the removal, or where that failed. */
    @Test
    void what_a_config_map_held_before_does_not_count() throws Exception {
        write("ratelimit/config/..2026_01_01/a.yaml", "ratelimit/config/..2026_01_02/a.yaml");
        link("ratelimit/config/..data", "..2026_01_02");
        link("ratelimit/config/a.yaml", "..data/a.yaml");

        for (var files : List.of(appDirectory("config"), watchRoot())) {
            assertThat(names(files)).containsExactly("ratelimit/config/a.yaml");
            assertThat(new String(files.read(Disk.LOCAL).sources().getFirst().content(), UTF_8))
                    .isEqualTo("text of ratelimit/config/..2026_01_02/a.yaml");
        }
        Files.delete(root.resolve("ratelimit/config/..data"));
        assertThat(names(appDirectory("config"))).as("nothing of Kubernetes").hasSize(2);
    }

    @Test
    void links_that_lead_nowhere_and_what_is_no_file_are_passed_over_and_told_unless_they_are_dotted()
            throws Exception {
        write("ratelimit/config/a.yaml");
        link("ratelimit/config/b.yaml", "gone");
        link("ratelimit/config/.#a.yaml", "me@here.4711");
        link("ratelimit/config.more", "/nowhere");
        Path socket = root.resolve("ratelimit/config/c.yaml");
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            assertThat(names(watchRoot())).containsExactly("ratelimit/config/a.yaml");
            assertThat(watchRoot().read(Disk.LOCAL).passedOver())
                    .extracting(reason -> root.relativize(Path.of(reason.file())) + " " + reason.message())
                    .satisfiesExactly(
                            told -> assertThat(told).startsWith("ratelimit/config.more is a link that leads nowhere, "),
                            told -> assertThat(told)
                                    .startsWith("ratelimit/config/b.yaml is a link that leads nowhere, "),
                            told -> assertThat(told)
                                    .startsWith("ratelimit/config/c.yaml is neither a file nor a directory, "));
        }
    }

    @Test
    void links_are_followed_and_circles_end() throws Exception {
        write("elsewhere/a.yaml", "ratelimit/config/b.yaml");
        link("ratelimit/config/more", "../../elsewhere");
        link("elsewhere/back", "../ratelimit/config");
        link("ratelimit/config/self", ".");
        link("ratelimit/config/loop", "loop");
        link("ratelimit/config/nowhere", "gone");

        assertThat(names(appDirectory("config")))
                .containsExactly("ratelimit/config/b.yaml", "ratelimit/config/more/a.yaml");
    }

    @Test
    void a_missing_directory_is_told_with_the_variables_that_make_it_up() {
        assertThatThrownBy(() -> appDirectory("config").read(Disk.LOCAL))
                .isInstanceOf(RulesException.class)
                .hasMessage(root + "/ratelimit/config: there is no such directory, made up of RUNTIME_ROOT=" + root
                        + ", RUNTIME_SUBDIRECTORY=ratelimit, RUNTIME_APPDIRECTORY=config (RUNTIME_WATCH_ROOT=false);"
                        + " create it, or set these variables");
        assertThatThrownBy(() -> watchRoot().read(Disk.LOCAL))
                .isInstanceOf(RulesException.class)
                .hasMessageStartingWith(root + "/ratelimit: there is no such directory")
                .hasMessageContaining("RUNTIME_WATCH_ROOT=true");
    }

    @Test
    void an_empty_directory_has_no_rules_and_no_mistake() throws Exception {
        Files.createDirectories(root.resolve("ratelimit/config"));

        assertThat(names(appDirectory("config"))).isEmpty();
    }

    @Test
    void parts_of_the_directory_stay_below_the_root() {
        assertThat(new RuleFiles(root, "/ratelimit/", "/config", false, false).directory())
                .isEqualTo(root.resolve("ratelimit/config"));
        assertThat(new RuleFiles(root, "", ".", false, false).directory()).isEqualTo(root);
    }

    @ParameterizedTest
    @CsvSource({
        "., ./.git/HEAD, true",
        "., ./a/.b/c.yaml, true",
        "., ./a.yaml, false",
        ".., ../.a.yaml, true",
        ".., ../a.yaml, false",
        ".git, .git/HEAD, false",
        ".a.yaml, .a.yaml, false",
        "/etc/.rules, /etc/.rules/a.yaml, false",
        "elsewhere, .a.yaml, false",
    })
    void a_dot_file_is_one_below_what_was_given(String given, String file, boolean isDotFile) {
        var mistake = new Mistake(file, 1, 1, "is wrong");
        assertThat(RuleFiles.hint(List.of(mistake), List.of(Path.of(given))) != null)
                .isEqualTo(isDotFile);
    }

    @Test
    void files_given_by_name_are_read_and_directories_with_dot_files_or_without() throws Exception {
        write("rules/a.yaml", "rules/deep/b.yaml", "rules/.hidden", "one.yaml");

        var given = List.of(root.resolve("rules"), root.resolve("one.yaml"), root.resolve("rules/a.yaml"));
        var files = RuleFiles.given(given, true);

        assertThat(relative(files)).containsExactly("one.yaml", "rules/a.yaml", "rules/deep/b.yaml");
        assertThat(relative(RuleFiles.given(given, false)))
                .containsExactly("one.yaml", "rules/.hidden", "rules/a.yaml", "rules/deep/b.yaml");
        assertThat(new String(files.getFirst().content(), UTF_8)).isEqualTo("text of one.yaml");
        assertThatThrownBy(() -> RuleFiles.given(List.of(root.resolve("x"), root.resolve("y")), false))
                .hasMessage(root + "/x: there is no such file or directory\n" + root
                        + "/y: there is no such file or directory");
    }

    private RuleFiles appDirectory(String appDirectory) {
        return new RuleFiles(root, "ratelimit", appDirectory, false, false);
    }

    private RuleFiles watchRoot() {
        return new RuleFiles(root, "ratelimit", "config", true, false);
    }

    private List<String> names(RuleFiles files) throws RulesException, DiskException {
        return relative(files.read(Disk.LOCAL).sources());
    }

    private List<String> relative(List<SourceFile> files) {
        return files.stream()
                .map(file -> root.relativize(Path.of(file.name())).toString())
                .toList();
    }

    private void write(String... names) throws IOException {
        for (String name : names) {
            Path path = root.resolve(name);
            Files.createDirectories(path.getParent());
            Files.writeString(path, "text of " + name);
        }
    }

    private void link(String name, String target) throws IOException {
        Files.createSymbolicLink(root.resolve(name), Path.of(target));
    }
}
