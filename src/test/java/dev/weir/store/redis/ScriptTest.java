package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ScriptTest {

    @ParameterizedTest
    @ValueSource(strings = {"fixed_window.lua"})
    void an_algorithm_says_what_it_is_under_the_same_headings(String file) {
        String text = Script.part(file);
        assertThat(text).startsWith("-- " + file + ": ");
        assertThat(text).containsSubsequence("--   evaluate(", "-- Exact ", "-- Expiry ", "-- Cost ", "-- Mirrors ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"clock.lua", "fixed_window.lua", "plan.lua"})
    void a_script_stays_small_and_keeps_its_names_to_itself(String file) {
        assertThat(Script.part(file).lines().count()).isLessThanOrEqualTo(120);
        assertThat(Script.part(file).lines().filter(line -> line.startsWith("function ")))
                .allMatch(line -> line.contains("."));
    }

    @Test
    void only_the_clock_reads_the_time() {
        assertThat(Script.part("plan.lua") + Script.part("fixed_window.lua")).doesNotContain("'TIME'");
        assertThat(Script.production().text()).contains("redis.call('TIME')");
    }
}
