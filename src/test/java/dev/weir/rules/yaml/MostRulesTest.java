package dev.weir.rules.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.limit.Charge;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Files that hold more than the heap has room for are given up where they do: 100,000 rules were loaded once, and the next ones fatal. */
final class MostRulesTest {
    private static final String TOO_MUCH =
            ": here the files come to more descriptors, metadata, replaced and long names than this heap has room for; give Weir a larger one"
                    + " by WEIR_HEAP, or write fewer";

    private static final String THREE =
            "descriptors:\n- {key: a}\n- {key: b, descriptors: [{key: c, rate_limit: {unit: day, requests_per_unit: 1}}]}\n";

    @Test
    void descriptors_of_all_files_and_levels_are_counted_together() throws RulesException {
        String one = "domain: one\n" + THREE;
        String two = "domain: two\n" + THREE;
        assertThat(read(6, one, two).domainNames()).containsExactly("one", "two");
        refused(5, "rules1.yaml:4:26", one, two);
        refused(2, "rules0.yaml:4:26", one, two);
    }

    @Test
    void a_list_before_its_domain_is_counted_too() throws RulesException {
        assertThat(read(3, THREE + "domain: one\n").rules()).hasSize(1);
        refused(2, "rules0.yaml:3:26", THREE + "domain: one\n");
    }

    @Test
    void four_pieces_of_metadata_count_as_a_descriptor() throws RulesException {
        String map = "domain: one\ndescriptors:\n- {key: a, metadata: {a: 1, b: [x, y], c: 2, d: 3, e: 4, f: 5}}\n";
        assertThat(read(3, map).domainNames()).containsExactly("one");
        refused(2, "rules0.yaml:3:22", map);
    }

    @Test
    void metadata_is_counted_before_it_is_read() {
        String list = "domain: one\ndescriptors:\n- {key: a, metadata: {many: [1, 2, 3, 4, 5, 6], odd: .nan}}\n";
        refused(2, "rules0.yaml:3:29", list);
    }

    @Test
    void replaced_names_count_as_pieces_of_metadata_from_the_seventeenth_of_a_limit_on() throws RulesException {
        String plain =
                IntStream.range(0, 18).mapToObj("- {key: k%d}\n"::formatted).collect(Collectors.joining());
        String limit =
                "domain: one\ndescriptors:\n- {key: a, rate_limit: {unit: day, requests_per_unit: 1, replaces: [%s]}}\n"
                        + plain;
        String sixteen = limit.formatted(replaced(16));
        String twentyFour = limit.formatted(replaced(24));
        assertThat(read(19, sixteen).rules()).hasSize(1);
        assertThat(read(21, twentyFour).rules()).hasSize(1);
        refused(20, "rules0.yaml:21:3", twentyFour);
        refused(41, "rules1.yaml:21:3", twentyFour, twentyFour.replace("one", "two"));
        refused(46, "rules0.yaml:3:68", limit.formatted(replaced(200)));
    }

    private static String replaced(int count) {
        return IntStream.range(0, count).mapToObj("{name: n%d}"::formatted).collect(Collectors.joining(", "));
    }

    @Test
    void what_aliases_repeat_is_counted_where_it_comes_to() throws RulesException {
        String twice =
                "domain: one\ndescriptors:\n- {key: a, descriptors: &d [{key: x}, {key: y}]}\n- {key: b, descriptors: *d}\n";
        assertThat(read(6, twice).domainNames()).containsExactly("one");
        refused(5, "rules0.yaml:2:1", twice);
    }

    @Test
    void names_count_again_with_each_descriptor_that_they_lead_to() throws RulesException {
        String above = "domain: one\ndescriptors:\n- key: " + "k".repeat(500) + "\n  value: " + "v".repeat(500)
                + "\n  descriptors:\n  - {key: a}\n  - {key: b}\n";
        assertThat(read(12, above).domainNames()).as("3 * (1 + 1000/256)").containsExactly("one");
        refused(11, "rules0.yaml:7:5", above);
        refused(6, "rules0.yaml:6:5", above);
    }

    @Test
    void names_count_where_aliases_and_merge_keys_bring_them_too() throws RulesException {
        String longName = "v".repeat(1_100);
        String value = "descriptors:\n- {key: a, value: &v " + longName + "}\n- {key: b, value: *v}\ndomain: one\n";
        assertThat(read(10, value).domainNames()).as("2 * (1 + 1100/256)").containsExactly("one");
        refused(9, "rules0.yaml:3:3", value);
        String merged = "domain: one\ndescriptors:\n- &m {key: a, value: " + longName + "}\n- {<<: *m, key: b}\n";
        assertThat(read(10, merged).domainNames()).containsExactly("one");
        refused(9, "rules0.yaml:4:3", merged);
        String list = "domain: one\ndescriptors:\n- {key: a, descriptors: &d [{key: x, value: " + longName
                + "}]}\n- {key: b, descriptors: *d}\n";
        assertThat(read(12, list).domainNames()).as("4 + 2 * 1100/256").containsExactly("one");
        refused(11, "rules0.yaml:2:1", list);
        refused(5, "rules0.yaml:3:29", list);
    }

    @Test
    void the_name_of_a_domain_counts_with_all_its_descriptors() throws RulesException {
        String domain = "domain: " + "d".repeat(600) + "\n";
        assertThat(read(9, domain + THREE).rules()).hasSize(1);
        refused(8, "rules0.yaml:4:26", domain + THREE);
        refused(8, "rules0.yaml:3:26", THREE + domain);
    }

    @Test
    void each_of_several_limits_with_a_name_repeats_what_leads_to_it() throws RulesException {
        String limits = "domain: one\ndescriptors:\n- key: a\n  value: " + "v".repeat(300)
                + "\n  rate_limits:\n  - {unit: day, requests_per_unit: 9, name: daily}\n  - {unit: hour, requests_per_unit: 1}\n";
        assertThat(read(3, limits).rules()).hasSize(1);
        refused(2, "rules0.yaml:2:1", limits);
    }

    @Test
    void letters_count_as_the_bytes_that_they_take() throws RulesException {
        String wide = "domain: one\ndescriptors:\n- {key: " + "\u00e9".repeat(128) + "}\n- {key: " + "\u4e16".repeat(85)
                + "x}\n";
        assertThat(read(4, wide).domainNames()).containsExactly("one");
        refused(3, "rules0.yaml:4:3", wide);
    }

    @Test
    void short_names_weigh_nothing() throws RulesException {
        String text = "domain: shop\ndescriptors:\n- key: country\n  descriptors:\n"
                + IntStream.range(0, 35_999)
                        .mapToObj(i -> "  - {key: user, value: a-user-with-an-ordinary-name-" + i
                                + ", rate_limit: {unit: day, requests_per_unit: 1}}\n")
                        .collect(Collectors.joining());
        assertThat(read(36_000, text).rules()).hasSize(35_999);
    }

    private static void refused(long most, String place, String... texts) {
        assertThat(catchThrowableOfType(RulesException.class, () -> read(most, texts)))
                .hasMessage(place + TOO_MUCH);
    }

    private static RuleSet read(long most, String... texts) throws RulesException {
        List<SourceFile> files = new ArrayList<>();
        for (String text : texts) {
            files.add(SourceFile.of("rules" + files.size() + ".yaml", text.getBytes(UTF_8)));
        }
        return YamlRules.read(files, new YamlRules.Options(false, Charge.ALWAYS, most, YamlRules.Options.AT_ONCE));
    }
}
