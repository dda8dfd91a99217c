package dev.weir.rules.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.limit.Charge;
import dev.weir.rules.Mistake;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mistakes and remarks quote the beginning of a long text: a thousand that quoted a key of 100,000 letters filled the heap. */
final class LongTextsTest {
    private static final String LONG = "k".repeat(100_000);
    private static final String FIRST_LINES = "domain: shop\ndescriptors:\n";

    @Test
    void a_long_key_that_merge_keys_bring_is_not_told_a_thousand_times() {
        told(
                1_000,
                "no `kkk",
                "- &b {key: b, metadata: {? " + LONG + " : 1}}\n" + lines("- {<<: *b, key: a%d, metadata: {x: 1}}\n"));
        told(
                1_000,
                "brings a `kkk",
                "- {key: b, metadata: {one: &one {? " + LONG + " : 1}, two: &two {? " + LONG + " : 2}}}\n"
                        + lines("- {key: a%d, metadata: {<<: *one, x: 1, <<: *two}}\n"));
    }

    private static String lines(String line) {
        return IntStream.range(0, 1_000).mapToObj(line::formatted).collect(Collectors.joining());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "- {key: a, ? %s : 1}",
                "- {key: a, ? %s : 1, ? %s : 2}",
                "- {key: a, metadata: {? %s : 1, ? %s : 2}}",
                "- {key: a, metadata: {? !!str %s : 1, ? %s : 2}}",
                "- {key: a, ? 1%s : 2}",
                "- {key: a, ? 1e999%s : 2}",
                "- {key: a, rate_limit: {unit: %s, requests_per_unit: 1}}",
                "- {key: a, rate_limit: {unit: day, requests_per_unit: %s}}",
                "- {key: a, rate_limit: {unit: day, requests_per_unit: 1, algorithm: %s}}",
                "- {key: a, rate_limit: {unit: day, requests_per_unit: 1, block_for: %s}}",
                "- {key: a, rate_limit: {unit: day, requests_per_unit: 1, name: %s, replaces: [{name: %s}]}}",
                "- {key: a, rate_limits: [{unit: day, requests_per_unit: 1, name: %s}, {unit: hour, requests_per_unit: 1,"
                        + " replaces: [{name: %s}]}]}",
                "- {key: a, shadow_mode: %s}",
                "- {key: %s, value: %s}\n- {key: %s, value: %s}",
                "- &d {key: a, ? %s : {x: 1}}\n- {<<: *d, key: b, ? %s : {y: 1}}",
                "- {key: a, value: *%s}",
                "- *%s",
                "%s",
                "- %s",
            })
    void a_mistake_quotes_the_beginning(String descriptors) {
        var mistakes = mistakes(descriptors.replace("%s", LONG) + "\n");
        assertThat(mistakes).allSatisfy(LongTextsTest::isShort);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "- {key: %s, value: '**'}\n- {key: %s}",
                "- {key: a, value: '%s*'}\n- {key: a, value: '%sa*'}",
                "- {key: a, value: '^%s'}",
                "- {key: a, rate_limit: {unit: day, requests_per_unit: 1, replaces: [{name: %s}]}}",
            })
    void a_remark_does_too(String descriptors) throws RulesException {
        String stars = descriptors.replace("**", "*".repeat(100_000));
        var remarks = read(stars.replace("%s", LONG) + "\n").remarks();
        assertThat(remarks).isNotEmpty().allSatisfy(LongTextsTest::isShort);
    }

    /** As far as a file may go: read in pieces of which each is copied for the next, one of them takes a minute. */
    @ParameterizedTest
    @Timeout(20)
    @ValueSource(
            strings = {"- key: a # %s", "- {key: a, value: '%s'}", "- {key: a, value: \"%s\"}", "- {key: a, value: %s}"
            })
    void a_text_of_megabytes_without_a_break_is_read_as_quickly_as_any_other(String descriptors) throws RulesException {
        assertThat(read(descriptors.replace("%s", "k".repeat(5_000_000)) + "\n").rules())
                .isEmpty();
    }

    private static void isShort(Mistake told) {
        assertThat(told.message()).hasSizeLessThan(900);
    }

    private static void told(int times, String words, String descriptors) {
        var mistakes = mistakes(descriptors);
        assertThat(mistakes).hasSize(times).allSatisfy(LongTextsTest::isShort);
        assertThat(mistakes.getFirst().message()).contains(words);
    }

    private static List<Mistake> mistakes(String descriptors) {
        return catchThrowableOfType(RulesException.class, () -> read(descriptors))
                .mistakes();
    }

    private static RuleSet read(String descriptors) throws RulesException {
        return YamlRules.read(
                List.of(SourceFile.of("long.yaml", (FIRST_LINES + descriptors).getBytes(UTF_8))),
                new YamlRules.Options(false, Charge.ALWAYS));
    }
}
