package dev.weir.rules.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.limit.Charge;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Files of some kilobytes that would fill any heap by what they repeat: they are given up at the line that goes too far. */
final class RepeatedRulesTest {
    private static final String FIRST_LINES = "domain: shop\ndescriptors:\n";
    private static final String TOO_OFTEN =
            ": here aliases and merge keys repeat more than 50,000 descriptors, or 200,000 words or"
                    + " pieces of metadata; write fewer of them, or less behind their anchors";
    private static final String FIVE_THOUSAND =
            "- {key: a, metadata: &m {" + commas(5_000, i -> "k" + i + ": 1") + "}}\n";
    private static final String LIMIT = "unit: day, requests_per_unit: 1";

    @Test
    void each_alias_of_a_list_of_descriptors_makes_rules_of_its_own() throws RulesException {
        String list = "- {key: a, descriptors: &d ["
                + commas(1_000, i -> "{key: k" + i + ", rate_limit: {" + LIMIT + "}}") + "]}\n";
        IntFunction<String> alias = i -> "- {key: a, value: v" + i + ", descriptors: *d}\n";

        assertThat(read(FIRST_LINES + list + lines(50, alias)).rules()).hasSize(51_000);
        refused(FIRST_LINES + list + lines(51, alias), "rules0.yaml:2:1");
    }

    @Test
    void each_merge_into_metadata_makes_a_map_of_its_own() throws RulesException {
        IntFunction<String> merge =
                i -> "- {key: a, value: v" + i + ", metadata: {<<: *m}, rate_limit: {" + LIMIT + "}}\n";

        assertThat(read(FIRST_LINES + FIVE_THOUSAND + lines(40, merge)).rules()).hasSize(40);
        refused(FIRST_LINES + FIVE_THOUSAND + lines(400, merge), "rules0.yaml:44:35");
    }

    @Test
    void what_a_map_merged_is_merged_again_by_the_next() {
        String chain = "- {key: b, metadata: {c: &m0 {<<: *m}"
                + lines(50, i -> ", c%1$d: &m%1$d {x%1$d: 1, <<: *m%2$d}".formatted(i + 1, i))
                + "}}\n";

        refused(FIRST_LINES + FIVE_THOUSAND + chain, "rules0.yaml:4:");
    }

    @Test
    void an_alias_of_a_list_merges_all_of_it_each_time() {
        String maps = "- &map {key: a, shadow_mode: true}\n- {key: list, metadata: {maps: &maps ["
                + commas(10_000, _ -> "*map") + "]}}\n";

        refused(FIRST_LINES + maps + lines(20, i -> "- {value: v" + i + ", <<: *maps}\n"), "rules0.yaml:11:");
        refused(
                FIRST_LINES + maps + lines(20, i -> "- {key: b, value: v" + i + ", metadata: {<<: *maps}}\n"),
                "rules0.yaml:11:");
    }

    @Test
    void a_list_of_nothing_takes_its_time_too() {
        String maps = "- {key: list, metadata: {maps: &maps [" + commas(10_000, _ -> "{}") + "]}}\n";

        refused(FIRST_LINES + maps + lines(30, i -> "- {key: a, value: v" + i + ", <<: *maps}\n"), "rules0.yaml:24:");
    }

    @Test
    void names_that_many_rules_replace_are_counted_for_each() {
        String names = "&r [" + commas(5_000, i -> "{name: n" + i + "}") + "]";
        String first = "- {key: a, rate_limit: &all {" + LIMIT + ", replaces: " + names + "}}\n"
                + "- {key: b, rate_limits: [&one {" + LIMIT + ", replaces: *r}]}\n";
        List<String> ways = List.of(
                "rate_limit: {" + LIMIT + ", replaces: *r}",
                "rate_limit: {<<: *all, requests_per_unit: 5}",
                "rate_limit: *all",
                "rate_limits: [{" + LIMIT + ", replaces: *r}]",
                "rate_limits: [*one]");

        assertThat(ways)
                .allSatisfy(way -> refused(
                        FIRST_LINES + first + lines(60, i -> "- {key: c, value: v" + i + ", " + way + "}\n"),
                        "rules0.yaml:"));
    }

    @Test
    void words_that_nobody_knows_are_not_looked_up_for_ever() {
        String words = "- &m {key: a, " + commas(5_000, i -> "nobody_knows_this_word_" + i + ": 1") + "}\n";

        refused(FIRST_LINES + words + lines(60, i -> "- {value: v" + i + ", <<: *m}\n"), "rules0.yaml:43:");
        refused(FIRST_LINES + words + lines(60, _ -> "- *m\n"), "rules0.yaml:3:3");
    }

    @Test
    void files_share_the_bound() throws RulesException {
        String half = "descriptors:\n" + FIVE_THOUSAND
                + lines(
                        20,
                        i -> "- {key: a, value: v" + i + ", metadata: {" + (i % 2 == 0 ? "<<: *m" : "all: *m")
                                + "}}\n");

        assertThat(read("domain: a\n" + half, "domain: b\n" + half).domainNames())
                .containsExactly("a", "b");
        refused(List.of("domain: a\n" + half, "domain: b\n" + half, "domain: c\n" + half), "rules2.yaml:");
    }

    @Test
    void a_few_words_may_be_merged_into_any_number_of_rules() throws RulesException {
        String defaults =
                "- &defaults {key: user, value: first, shadow_mode: true, quota_mode: false, detailed_metric: true,"
                        + " rate_limit: &limit {" + LIMIT + ", algorithm: gcra, replaces: [{name: x}, {name: y}]}}\n";
        String text = FIRST_LINES
                + defaults
                + lines(20_000, i -> "- {<<: *defaults, value: u" + i + ", rate_limit: {<<: *limit, burst: 1}}\n");

        assertThat(read(text).rules()).hasSize(20_001);
    }

    private static void refused(String text, String place) {
        refused(List.of(text), place);
    }

    private static void refused(List<String> texts, String place) {
        assertThatThrownBy(() -> read(texts.toArray(String[]::new)))
                .isInstanceOf(RulesException.class)
                .hasMessageStartingWith(place)
                .hasMessageEndingWith(TOO_OFTEN);
    }

    private static String lines(int count, IntFunction<String> line) {
        return IntStream.range(0, count).mapToObj(line).collect(Collectors.joining());
    }

    private static String commas(int count, IntFunction<String> part) {
        return IntStream.range(0, count).mapToObj(part).collect(Collectors.joining(", "));
    }

    private static RuleSet read(String... texts) throws RulesException {
        List<SourceFile> files = new ArrayList<>();
        for (String text : texts) {
            files.add(SourceFile.of("rules" + files.size() + ".yaml", text.getBytes(UTF_8)));
        }
        return YamlRules.read(files, new YamlRules.Options(false, Charge.ALWAYS));
    }
}
