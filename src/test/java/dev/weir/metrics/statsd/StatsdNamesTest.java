package dev.weir.metrics.statsd;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a line to DogStatsD is made of. */
final class StatsdNamesTest {

    @Test
    void what_datadogs_environment_says_stands_before_all_other_tags() {
        var mogrifier = new Mogrifier(Pattern.compile("^x\\.(.*)$"), "x", Map.of("rest", "$1"));
        var datadog = new LinkedHashMap<String, String>();
        datadog.put("env", "prod");
        datadog.put("a", "last");
        var names = new StatsdNames(true, datadog, Map.of("zone", "b"), List.of(mogrifier));
        assertThat(names.line("x.y", "1|c")).isEqualTo("x:1|c|#env:prod,a:last,zone:b,rest:y");
        assertThat(names.line("z", "1|c")).isEqualTo("z:1|c|#env:prod,a:last,zone:b");
        assertThat(new StatsdNames(true, datadog, Map.of(), List.of()).line("z", "1|c"))
                .isEqualTo("z:1|c|#env:prod,a:last");
    }

    @ParameterizedTest
    @CsvSource({
        "$1.$0, b.a.b",
        "$2, ''",
        "$01, b",
        "$3, $3",
        "x$9y, x$9y",
        "$12345678901234567890, $12345678901234567890"
    })
    void a_group_that_found_nothing_is_nothing_and_one_that_there_is_not_stays(String text, String filled) {
        var mogrifier = new Mogrifier(Pattern.compile("^a\\.(.*?)(c)?$"), "n" + text, Map.of("tag", text));
        assertThat(new StatsdNames(true, Map.of(), Map.of(), List.of(mogrifier)).line("a.b", "1|c"))
                .isEqualTo("n" + filled + ":1|c|#tag:" + filled);
    }
}
