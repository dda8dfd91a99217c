package dev.weir.rules.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.limit.Charge;
import dev.weir.rules.Mistake;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What no descriptor is, or not yet, is given up where it comes to too much: six megabytes of numbers in a file that came among the rules
 * ended the service once.
 */
final class MostNodesTest {
    private static final String TOO_LARGE =
            "what the file holds until here needs more at once than this heap has room for; move the file elsewhere if it holds no"
                    + " rules, write less, or give Weir a larger heap by WEIR_HEAP";

    private static final String DOMAIN = "domain: shop\n";

    /** With them there is room for 153,600 bytes of nodes. */
    private static final long HUNDRED = 100;

    /** As many words as a descriptor can have if there are as many of them as there may be, in files of as many bytes. */
    private static final String RICH =
            "{key: user, value: v%1$d, shadow_mode: no, detailed_metric: no, on_store_failure: allow,"
                    + " rate_limit: {unit: day, requests_per_unit: %1$d, algorithm: gcra, burst: 5, name: n%1$d}}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1,",
                "a%d,",
                "[],",
                "{},",
                "{%1$d,%1$d: },",
                "{? [a%d]},",
                "[%1$d.5, %1$d.25],",
                "&a%d 1,",
                "&a 1,*a,*a,*a,",
                "'a%d',",
            })
    void whatever_there_are_ten_thousand_of_is_too_much(String piece) {
        String pieces = "[" + each(10_000, piece) + "]\n";

        refusedFrom(2, DOMAIN + "stray: " + pieces);
        refusedFrom(1, pieces);
        refusedFrom(1, "{\"type\": \"Polygon\", \"coordinates\": " + pieces + "}");
        refusedFrom(3, DOMAIN + "descriptors:\n- {key: a, metadata: {list: " + pieces + "}}\n");
        refusedFrom(3, DOMAIN + "---\n" + pieces);
    }

    @Test
    void the_place_is_that_of_the_first_piece_without_room() {
        assertThat(refusal(DOMAIN + "stray:\n" + each(10_000, "- 1\n")).toString())
                .isEqualTo("rules0.yaml:3193:3: " + TOO_LARGE);
    }

    @Test
    void letters_are_weighed_too() {
        String letters = DOMAIN + "stray: [" + "a".repeat(100_000) + ", b]\n";

        assertThat(refusal(letters).toString()).isEqualTo("rules0.yaml:2:100011: " + TOO_LARGE);
    }

    @Test
    void as_many_descriptors_as_there_is_room_for_are_taken_however_they_stand() throws RulesException {
        String flat = "descriptors:\n" + lines(999, i -> "- " + RICH.formatted(i + 1) + "\n");
        String nested = "- key: country\n  descriptors:\n" + lines(998, i -> "  - " + RICH.formatted(i + 1) + "\n");

        assertThat(read(1_000, DOMAIN + flat).rules()).hasSize(999);
        assertThat(read(1_000, flat + DOMAIN).rules()).hasSize(999);
        assertThat(read(1_000, DOMAIN + "descriptors:\n" + nested).rules()).hasSize(998);
        assertThat(read(1_000, "descriptors:\n" + nested + DOMAIN).rules()).hasSize(998);
    }

    @Test
    void a_descriptor_that_was_taken_weighs_nothing_any_more_unless_an_anchor_holds_it() throws RulesException {
        String noted = "{key: user, value: v%1$d, metadata: {note: %1$d" + "x".repeat(2_000) + "}}\n";

        assertThat(read(HUNDRED, DOMAIN + "descriptors:\n" + each(70, "- " + noted))
                        .domainNames())
                .containsExactly("shop");
        refusedFrom(26, DOMAIN + "descriptors:\n" + each(70, "- &anchor%1$d " + noted));
        refusedFrom(36, "descriptors:\n" + each(70, "- " + noted) + DOMAIN);
    }

    @Test
    void what_files_before_hold_leaves_less_room() throws RulesException {
        String most = DOMAIN + "descriptors:\n" + each(90, "- {key: user, value: v%d}\n");
        String metadata =
                "domain: other\ndescriptors:\n- key: a\n  metadata: {list: [[" + each(5, "1, 2, 3, 4, 5, ") + "]]}\n";
        String stray = "domain: other\nstray: [" + each(500, "1, ") + "]\n";

        assertThat(read(HUNDRED, most, metadata).domainNames()).containsExactly("shop", "other");
        assertThat(refusal(stray).toString()).contains("unknown key `stray`");
        assertThat(refusal(most, stray).toString()).startsWith("rules1.yaml:2:").endsWith(TOO_LARGE);
    }

    @Test
    void descriptors_before_in_the_same_file_leave_less_room() {
        String last = "- {key: a, metadata: {list: [[" + each(500, "1, ") + "]]}}\n";

        assertThat(refusal(DOMAIN + "descriptors:\n" + last).toString()).contains("3:30: here the files come to more");
        refusedFrom(93, DOMAIN + "descriptors:\n" + each(90, "- {key: user, value: v%d}\n") + last);
    }

    @Test
    void the_other_files_are_read_all_the_same() {
        String stray = "[" + each(10_000, "1,") + "]\n";

        var refusal = catchThrowableOfType(
                RulesException.class, () -> read(HUNDRED, stray, DOMAIN + "descriptors: [{kex: a}]\n", stray));

        assertThat(refusal.mistakes())
                .extracting(Object::toString)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("rules0.yaml:1:").endsWith(TOO_LARGE),
                        second ->
                                assertThat(second).startsWith("rules1.yaml:2:").contains("`kex`"),
                        third -> assertThat(third).startsWith("rules2.yaml:1:").endsWith(TOO_LARGE));
    }

    private static void refusedFrom(int line, String text) {
        assertThat(refusal(text).toString())
                .startsWith("rules0.yaml:" + line + ":")
                .endsWith(TOO_LARGE);
    }

    private static Mistake refusal(String... texts) {
        return catchThrowableOfType(RulesException.class, () -> read(HUNDRED, texts))
                .mistakes()
                .getFirst();
    }

    private static String each(int count, String piece) {
        return lines(count, piece::formatted);
    }

    private static String lines(int count, IntFunction<String> line) {
        return IntStream.range(0, count).mapToObj(line).collect(Collectors.joining());
    }

    private static RuleSet read(long most, String... texts) throws RulesException {
        List<SourceFile> files = new ArrayList<>();
        for (String text : texts) {
            files.add(SourceFile.of("rules" + files.size() + ".yaml", text.getBytes(UTF_8)));
        }
        return YamlRules.read(files, new YamlRules.Options(false, Charge.ALWAYS, most, YamlRules.Options.AT_ONCE));
    }
}
