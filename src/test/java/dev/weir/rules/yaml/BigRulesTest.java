package dev.weir.rules.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.weir.limit.Charge;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files that are long, deep or clever are read in time, or refused in time: quadratic work on them takes many minutes. */
@Timeout(120)
final class BigRulesTest {
    @Test
    void fifty_thousand_siblings_are_read_in_linear_time() throws RulesException {
        String text = "domain: shop\ndescriptors:\n"
                + lines(
                        50_000,
                        i -> "  - {key: user, value: u" + i + ", rate_limit: {unit: second, requests_per_unit: " + i
                                + "}}\n");

        assertThat(read(text).rules()).hasSize(50_000);
    }

    @Test
    void many_rules_are_read_with_pauses_however_deep_they_stand_and_in_however_many_files() throws RulesException {
        String flat = "domain: shop\ndescriptors:\n" + lines(10_000, i -> "  - {key: user, value: u" + i + "}\n");
        String deep = "domain: shop\ndescriptors:\n  - key: country\n    descriptors:\n"
                + lines(10_000, i -> "      - {key: user, value: u" + i + "}\n");
        String[] small = IntStream.range(0, 200)
                .mapToObj(file -> "domain: shop" + file + "\ndescriptors:\n"
                        + lines(50, i -> "  - {key: user, value: u" + i + "}\n"))
                .toArray(String[]::new);

        assertThat(pauses(flat)).isBetween(40, 60);
        assertThat(pauses(deep)).isBetween(40, 60);
        assertThat(pauses(small)).isBetween(40, 60);
        assertThat(pauses("domain: shop\ndescriptors: [{key: user}]\n")).isZero();
    }

    @Test
    void thousands_of_uses_of_one_anchor_work() throws RulesException {
        String text = "domain: shop\ndescriptors:\n"
                + "  - {key: user, value: first, rate_limit: &limit {unit: second, requests_per_unit: 5},"
                + " descriptors: &more [{key: path, rate_limit: *limit}, {key: method}], metadata: &facts {plan: free}}\n"
                + lines(
                        5_000,
                        i -> "  - {key: user, value: u" + i
                                + ", rate_limit: *limit, descriptors: *more, metadata: *facts}\n");

        assertThat(read(text).rules()).hasSize(10_002);
    }

    @Test
    void chains_of_anchors_end_in_a_sentence_and_not_in_a_full_stack() {
        String chain = "domain: shop\ndescriptors:\n  - {key: a, metadata: {d: [&d0 [{key: k}]"
                + lines(20_000, i -> ", &d" + (i + 1) + " [{key: k, descriptors: *d" + i + "}]")
                + "]}, descriptors: *d20000}\n";
        String merges = "domain: shop\ndescriptors:\n  - key: a\n    nonsense:\n      - &m0 {a: 1}\n"
                + lines(20_000, i -> "      - &m" + (i + 1) + " {<<: *m" + i + "}\n") + "    <<: *m20000\n";

        assertThatThrownBy(() -> read(chain))
                .isInstanceOf(RulesException.class)
                .hasMessageContaining("nested deeper than 100 levels");
        assertThatThrownBy(() -> read(merges))
                .isInstanceOf(RulesException.class)
                .hasMessageContaining("nested deeper than 100 levels");
    }

    @Test
    void anchors_that_are_named_inside_of_each_other_before_they_end_are_read_once() {
        String text = "domain: shop\ndescriptors:\n  - &m0 {key: k0, descriptors: [&i0 {key: x, descriptors: [*m0]}]}\n"
                + lines(
                        60,
                        i ->
                                "  - &m%1$d {key: k%1$d, descriptors: [&i%1$d {key: x, descriptors: [*m%1$d]}, *m%2$d, *m%2$d]}\n"
                                        .formatted(i + 1, i));

        assertThatThrownBy(() -> read(text))
                .isInstanceOf(RulesException.class)
                .hasMessageContaining("contains an alias of itself");
    }

    @Test
    void of_very_many_mistakes_the_first_thousand_are_told() {
        String text = "domain: shop\ndescriptors:\n" + "- a: 1\n".repeat(150_000);

        var refusal = catchThrowableOfType(RulesException.class, () -> read(text));

        assertThat(refusal.mistakes()).hasSize(1_001);
        assertThat(refusal.mistakes().getFirst().toString()).startsWith("big.yaml:3:3: unknown key `a`");
        assertThat(refusal.mistakes().getLast()).hasToString("all files: 299000 more are not told");
    }

    @Test
    void each_of_very_many_merge_keys_behind_as_many_words_is_told_without_a_search_among_them() {
        String text = "domain: shop\ndescriptors:\n- key: a\n  metadata:\n    maps: ["
                + lines(100_000, i -> "&m%1$d {k%1$d: 2}, ".formatted(i)) + "]\n    map: {"
                + lines(100_000, i -> "k" + i + ": 1, ") + lines(100_000, i -> "<<: *m" + i + ", ") + "}\n";

        var refusal = catchThrowableOfType(RulesException.class, () -> read(text));

        assertThat(refusal.mistakes()).hasSize(1_001);
        assertThat(refusal.mistakes().getFirst().message())
                .startsWith("this `<<` brings a `k0` (big.yaml:5:")
                .endsWith("write `<<` before all other words of its map");
        assertThat(refusal.mistakes().getLast()).hasToString("all files: 99000 more are not told");
    }

    @Test
    void ten_thousand_names_that_are_not_there_are_not_compared_with_as_many_that_are() throws RulesException {
        String text = "domain: shop\ndescriptors:\n"
                + lines(
                        10_000,
                        i ->
                                "- {key: k%1$d, rate_limit: {unit: day, requests_per_unit: 1, name: limit-%1$d, replaces: [{name: limit_%1$d}]}}\n"
                                        .formatted(i));

        var remarks = read(text).remarks();

        assertThat(remarks).hasSize(1_001);
        assertThat(remarks.getFirst().toString()).endsWith("; did you mean `limit-0`?");
        assertThat(remarks.getLast()).hasToString("all files: 9000 more are not told");
    }

    @Test
    void numbers_and_durations_without_end_are_told_with_their_place() {
        String start = "domain: shop\ndescriptors:\n  - {key: a, rate_limit: {unit: day, requests_per_unit: ";
        String digits = "9".repeat(2_000_000);
        String block = "1, block_for: ";

        refused(start + digits + "}}\n", "big.yaml:3:57: `requests_per_unit` must be a whole number");
        refused(start + "-0" + digits + "}}\n", "big.yaml:3:57: `requests_per_unit` must be a whole number");
        refused(start + block + digits + "h}}\n", "big.yaml:3:71: `block_for` must be a duration");
        refused(start + block + "1h".repeat(100_000) + "}}\n", "big.yaml:3:71: `block_for` must be a duration");
        refused(start + block + "." + digits + "h1s}}\n", "big.yaml:3:71: `block_for` must be a duration");
    }

    private static void refused(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(RulesException.class)
                .hasMessageStartingWith(message)
                .extracting(Throwable::getMessage, as(STRING))
                .hasSizeLessThan(200);
    }

    private static String lines(int count, IntFunction<String> line) {
        return IntStream.range(0, count).mapToObj(line).collect(Collectors.joining());
    }

    private static int pauses(String... texts) throws RulesException {
        var pauses = new AtomicInteger();
        var options = new YamlRules.Options(false, Charge.ALWAYS).with(pauses::incrementAndGet);
        var files = Arrays.stream(texts)
                .map(text -> SourceFile.of("big.yaml", text.getBytes(UTF_8)))
                .toList();
        var _ = YamlRules.read(files, options);
        return pauses.get();
    }

    private static RuleSet read(String text) throws RulesException {
        return YamlRules.read(
                List.of(SourceFile.of("big.yaml", text.getBytes(UTF_8))), new YamlRules.Options(false, Charge.ALWAYS));
    }
}
