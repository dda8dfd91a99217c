package dev.weir.rules.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Charge;
import dev.weir.rules.Rule;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rules that are read while others are in force: what did not change is the very same object afterwards. */
final class FollowingRulesTest {
    private static final String FIRST = """
            domain: shop
            descriptors:
              - {key: path, value: /a, rate_limit: &five {unit: second, requests_per_unit: 5}}
              - key: tenant
                rate_limit: {unit: hour, requests_per_unit: 100}
                descriptors:
                  - {key: user, value: bob, rate_limit: *five}
                  - {key: user, rate_limit: *five, metadata: {plan: free}}
              - {key: path, value: /z, rate_limit: *five}
            """;

    @Test
    void a_file_that_is_read_again_changes_nothing() throws RulesException {
        var former = read(null, FIRST);

        assertThat(kept(former, read(former, FIRST))).containsExactly(0, 1, 2, 3, 4);
        assertThat(kept(former, read(former, "# as before\n" + FIRST))).containsExactly(0, 1, 2, 3, 4);
        assertThat(kept(former, read(null, FIRST))).isEmpty();
    }

    @Test
    void only_what_changed_and_the_rules_above_it_are_new() throws RulesException {
        var former = read(null, FIRST);

        assertThat(kept(
                        former,
                        read(
                                former,
                                FIRST.replace(
                                        "value: /a, rate_limit: &five",
                                        "value: /a, shadow_mode: true, rate_limit: &five"))))
                .containsExactly(1, 2, 3, 4);
        assertThat(kept(former, read(former, FIRST.replace("plan: free", "plan: paid"))))
                .as("the tenant's own rule is made anew with what is below it")
                .containsExactly(0, 2, 4);
        assertThat(kept(former, read(former, FIRST.replace("requests_per_unit: 5", "requests_per_unit: 6"))))
                .as("an anchor changes all of its aliases")
                .isEmpty();
    }

    @Test
    void rules_below_a_node_that_changed_its_own_flags_are_new() throws RulesException {
        var former = read(null, FIRST);
        var after = read(former, FIRST.replace("- key: tenant", "- key: tenant\n    value_to_metric: true"));

        assertThat(kept(former, after)).containsExactly(0, 4);
        assertThat(after.rules().get(2).levels().getFirst().flags().valueToMetric())
                .isTrue();
    }

    @Test
    void rules_behind_one_that_is_new_have_other_numbers_and_are_new() throws RulesException {
        var former = read(null, FIRST);
        var after = read(former, FIRST + "  - {key: path, value: /zz, rate_limit: *five}\n");

        assertThat(kept(former, after)).containsExactly(0, 1, 2, 3, 4);
        String one = "  - {key: new, rate_limit: {unit: second, requests_per_unit: 1}}\n";
        assertThat(kept(
                        former,
                        read(
                                former,
                                FIRST.replace(
                                        "descriptors:\n  - {key: path", "descriptors:\n" + one + "  - {key: path"))))
                .isEmpty();
    }

    @Test
    void a_domain_of_several_files_and_one_named_at_the_end_follow_as_well() throws RulesException {
        String[] files = {
            FIRST, "descriptors:\n  - {key: a, rate_limit: {unit: second, requests_per_unit: 1}}\ndomain: shop\n"
        };
        var former = read(null, files);

        assertThat(former.rules()).hasSize(6);
        assertThat(kept(former, read(former, files))).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void where_the_domain_is_named_makes_no_difference() throws RulesException {
        String last = FIRST.replace("domain: shop\n", "") + "domain: shop\n";

        assertThat(told(read(null, last))).isEqualTo(told(read(null, FIRST)));
    }

    private static List<List<Object>> told(RuleSet rules) {
        return rules.rules().stream()
                .map(rule -> List.<Object>of(rule.path(), rule.levels(), rule.limits(), rule.metadata()))
                .toList();
    }

    /** The numbers of the rules that are the same in both. */
    private static List<Integer> kept(RuleSet former, RuleSet after) {
        List<Rule> before = former.rules();
        return IntStream.range(0, Math.min(before.size(), after.rules().size()))
                .filter(i -> Objects.equals(before.get(i), after.rules().get(i)))
                .boxed()
                .toList();
    }

    private static RuleSet read(@Nullable RuleSet former, String... texts) throws RulesException {
        var files = Arrays.stream(texts)
                .map(text -> SourceFile.of("file " + text.length(), text.getBytes(UTF_8)))
                .toList();
        return YamlRules.read(
                files, new YamlRules.Options(true, Charge.ALWAYS, 100, YamlRules.Options.AT_ONCE), former);
    }
}
