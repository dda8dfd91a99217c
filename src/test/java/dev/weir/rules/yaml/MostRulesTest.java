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
import org.junit.jupiter.api.Test;

/** Files that hold more than the heap has room for are given up where they do: 100,000 rules were loaded once, and the next ones fatal. */
final class MostRulesTest {
    private static final String TOO_MUCH =
            ": here the files come to more descriptors and metadata than this heap has room for; give Weir a larger one by"
                    + " WEIR_HEAP, or write fewer";

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
        refused(2, "rules0.yaml:2:1", map);
    }

    @Test
    void what_aliases_repeat_is_counted_where_it_comes_to() throws RulesException {
        String twice =
                "domain: one\ndescriptors:\n- {key: a, descriptors: &d [{key: x}, {key: y}]}\n- {key: b, descriptors: *d}\n";
        assertThat(read(6, twice).domainNames()).containsExactly("one");
        refused(5, "rules0.yaml:2:1", twice);
    }

    private static void refused(long most, String place, String... texts) {
        assertThat(catchThrowableOfType(RulesException.class, () -> read(most, texts)))
                .hasMessage(place + TOO_MUCH);
    }

    private static RuleSet read(long most, String... texts) throws RulesException {
        List<SourceFile> files = new ArrayList<>();
        for (String text : texts) {
            files.add(new SourceFile("rules" + files.size() + ".yaml", text.getBytes(UTF_8)));
        }
        return YamlRules.read(files, new YamlRules.Options(false, Charge.ALWAYS, most, YamlRules.Options.AT_ONCE));
    }
}
