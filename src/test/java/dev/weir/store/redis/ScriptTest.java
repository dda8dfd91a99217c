package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ScriptTest {

    static List<String> files() {
        return Script.PARTS;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fixed_window.lua",
                "sliding_window.lua",
                "sliding_parts.lua",
                "sliding_log.lua",
                "bucket.lua",
                "gcra.lua"
            })
    void an_algorithm_says_what_it_is_under_the_same_headings(String file) {
        String text = Script.part(file);
        assertThat(text).startsWith("-- " + file + ": ");
        assertThat(text).containsSubsequence("-- Exact ", "-- Expiry ", "-- Cost ", "-- Mirrors ");
    }

    @ParameterizedTest
    @MethodSource("files")
    void a_script_stays_small_and_keeps_its_names_to_itself(String file) {
        assertThat(Script.part(file).lines().count()).isLessThanOrEqualTo(200);
        assertThat(Script.part(file).lines().filter(line -> line.startsWith("function ")))
                .allMatch(line -> line.contains("."));
    }

    @Test
    void only_the_clock_reads_the_time() {
        assertThat(Script.PARTS).noneMatch(file -> Script.part(file).contains("'TIME'"));
        assertThat(Script.production().text()).contains("redis.call('TIME')");
    }

    @Test
    void the_page_of_redis_names_the_right_to_every_command() throws IOException {
        String page = Files.readString(Path.of("docs", "redis.md"));
        var commands = Pattern.compile("redis\\.p?call\\(\\s*'([A-Z]+)'")
                .matcher(Script.production().text())
                .results()
                .map(call -> call.group(1).toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
        assertThat(commands)
                .hasSizeGreaterThan(10)
                .allSatisfy(command -> assertThat(page).containsPattern("[ `]\\+" + command + "[ `\n]"));
    }
}
