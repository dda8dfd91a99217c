package dev.weir.rules.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Charge;
import dev.weir.rules.yaml.YamlRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules that lie one folder off are no rules, and nobody is refused: who starts the service is told of them. */
final class StraysTest {
    private static final String EMPTY = ", 0 domains, 0 rules";

    private final RecordingListener listener = new RecordingListener();

    @TempDir
    private Path root;

    @Test
    void files_whose_names_do_not_count_are_told_with_the_variables_that_decide() throws IOException {
        write("edge.yaml");
        load(watchRoot("config"));
        assertThat(listener.told())
                .containsExactly(
                        root
                                + ": 1 file here is passed over: with RUNTIME_WATCH_ROOT=true and RUNTIME_APPDIRECTORY=config only"
                                + " those count whose names begin with `config.` or that lie in `config/`; move them, or set"
                                + " RUNTIME_WATCH_ROOT=false and RUNTIME_APPDIRECTORY to their folder, `.` for this one",
                        "loaded version 1: 0 files below " + root + EMPTY);
    }

    @Test
    void those_one_folder_further_are_counted_too_but_nothing_with_a_dot_before_it() throws IOException {
        write("edge.yaml", "ratelimit/config/shop.yaml", "rules/a.yaml", "rules/b.yaml", ".git/HEAD", "rules/.b.yaml");
        load(watchRoot("config"));
        assertThat(listener.told()).hasSize(2);
        assertThat(listener.told().getFirst()).startsWith(root + ": 3 files here are passed over: ");
    }

    @Test
    void so_many_that_nobody_meant_them_as_rules_are_not_all_counted() throws IOException {
        for (int i = 0; i <= 1_000; i++) {
            write("photo" + i + ".jpg");
        }
        load(watchRoot("config"));
        assertThat(listener.told().getFirst()).startsWith(root + ": 1000 files or more here are passed over: ");
    }

    @Test
    void where_some_count_others_are_nobodys_business() throws IOException {
        write("edge.yaml", "config/shop.yaml");
        load(watchRoot("config"));
        assertThat(listener.told()).containsExactly("loaded version 1: 1 file, 1 domains, 0 rules");
    }

    @Test
    void where_there_are_none_nothing_is_told_of_them() {
        load(watchRoot("config"));
        assertThat(listener.told()).containsExactly("loaded version 1: 0 files below " + root + EMPTY);
    }

    @Test
    void a_disk_that_does_not_show_them_is_no_reason_to_refuse() throws IOException {
        write("edge.yaml", "other.yaml", "rules/a.yaml");
        var disk = new FailingDisk();
        disk.failEntering(root.resolve("rules"), new IOException("gone"));
        disk.failLookingAt(root.resolve("other.yaml"), new IOException("gone"));
        assertThat(Strays.remark(watchRoot("config"), disk))
                .asString()
                .startsWith(root + ": 1 file here is passed over: ");
    }

    private RuleFiles watchRoot(String appDirectory) {
        return new RuleFiles(root, "", appDirectory, true, false);
    }

    private void load(RuleFiles files) {
        var options = new YamlRules.Options(false, Charge.ALWAYS);
        Loader loader = (sources, former) -> YamlRules.read(sources, options, former);
        new RulesWatch(files, Overlay.NONE, loader, listener).loadFirst();
    }

    private void write(String... names) throws IOException {
        for (String name : names) {
            Path path = root.resolve(name);
            Files.createDirectories(path.getParent());
            Files.writeString(path, "domain: shop\n");
        }
    }
}
