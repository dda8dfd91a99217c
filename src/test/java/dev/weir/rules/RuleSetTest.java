package dev.weir.rules;

import static dev.weir.rules.Rules.descriptor;
import static dev.weir.rules.Rules.landing;
import static dev.weir.rules.Rules.node;
import static dev.weir.rules.Rules.rule;
import static dev.weir.rules.Rules.shared;
import static dev.weir.rules.Rules.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.limit.FailurePolicy;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which rule a descriptor lands on, level by level. */
final class RuleSetTest {

    @Test
    void a_level_asks_the_exact_value_then_the_patterns_then_the_bare_key() {
        var tree = tree(rule("path", ""), rule("path", "/api/*"), rule("path", "/api/cart"));

        assertThat(landing(tree, "path", "/api/cart")).isEqualTo("shop.path_/api/cart");
        assertThat(landing(tree, "path", "/api/user")).isEqualTo("shop.path_/api/*");
        assertThat(landing(tree, "path", "/")).isEqualTo("shop.path");
        assertThat(landing(tree, "user", "/")).isEqualTo("none");
    }

    @Test
    void the_first_pattern_in_file_order_wins_however_vague_it_is() {
        var tree = tree(rule("path", "/a*"), rule("path", "/api/*"), rule("path", "*"), rule("path", "/b*"));

        assertThat(landing(tree, "path", "/api/cart")).isEqualTo("shop.path_/a*");
        assertThat(landing(tree, "path", "/b")).isEqualTo("shop.path_*");
    }

    @Test
    void a_star_stands_for_any_characters_and_for_none() {
        var tree = tree(rule("v", "a*b*c"), rule("v", "ab**"), rule("v", "*.0.*"), rule("v", "x*x"));

        assertThat(landing(tree, "v", "abc")).isEqualTo("shop.v_a*b*c");
        assertThat(landing(tree, "v", "a-b-b-c")).isEqualTo("shop.v_a*b*c");
        assertThat(landing(tree, "v", "ab")).isEqualTo("shop.v_ab**");
        assertThat(landing(tree, "v", "10.0.7")).isEqualTo("shop.v_*.0.*");
        assertThat(landing(tree, "v", ".0.")).isEqualTo("shop.v_*.0.*");
        assertThat(landing(tree, "v", "xx")).isEqualTo("shop.v_x*x");
        assertThat(landing(tree, "v", "x")).as("one x cannot be both ends").isEqualTo("none");
        assertThat(landing(tree, "v", "acb"))
                .as("the middle must stand between the ends")
                .isEqualTo("none");
    }

    @Test
    void between_stars_no_character_stands_for_two() {
        var tree = tree(rule("v", "*ab*ba*"));

        assertThat(landing(tree, "v", "abba")).isEqualTo("shop.v_*ab*ba*");
        assertThat(landing(tree, "v", "xabxbax")).isEqualTo("shop.v_*ab*ba*");
        assertThat(landing(tree, "v", "abax")).as("one b cannot be in both").isEqualTo("none");
    }

    @Test
    void an_empty_value_fits_a_lone_star_before_it_falls_to_the_bare_key() {
        assertThat(landing(tree(rule("user", "")), "user", "")).isEqualTo("shop.user");
        assertThat(landing(tree(rule("user", ""), rule("user", "*")), "user", ""))
                .isEqualTo("shop.user_*");
        assertThat(landing(tree(rule("user", ""), rule("user", "a*")), "user", ""))
                .isEqualTo("shop.user");
    }

    @Test
    void a_value_that_is_a_patterns_very_text_matches_that_pattern_before_others() {
        var tree = tree(rule("path", "*"), rule("path", "/api/*"));

        assertThat(landing(tree, "path", "/api/*")).isEqualTo("shop.path_/api/*");
    }

    @Test
    void only_the_last_entry_lands() {
        var tree = tree(rule("a", "", rule("b", "", rule("c", ""))), node("x", "", rule("y", "")));

        assertThat(landing(tree, "a", "1"))
                .as("a node with others below it has a rule too")
                .isEqualTo("shop.a");
        assertThat(landing(tree, "a", "1", "b", "2")).isEqualTo("shop.a.b");
        assertThat(landing(tree, "a", "1", "c", "2")).isEqualTo("none");
        assertThat(landing(tree, "a", "1", "b", "2", "c", "3", "d", "4")).isEqualTo("none");
        assertThat(landing(tree, "x", "1")).isEqualTo("none");
        assertThat(landing(tree)).isEqualTo("none");
    }

    @Test
    void there_is_no_way_back_once_a_level_has_chosen() {
        var tree = tree(node("a", "1", rule("b", "1")), node("a", "*", rule("b", "2")), rule("a", "", rule("b", "3")));

        assertThat(landing(tree, "a", "1", "b", "1")).isEqualTo("shop.a_1.b_1");
        assertThat(landing(tree, "a", "1", "b", "2")).isEqualTo("none");
        assertThat(landing(tree, "a", "7", "b", "3")).isEqualTo("none");
    }

    @Test
    void an_exact_leaf_without_a_rule_lets_its_value_pass() {
        var tree = tree(rule("user", ""), node("user", "root"));

        assertThat(landing(tree, "user", "root")).isEqualTo("none");
        assertThat(landing(tree, "user", "bob")).isEqualTo("shop.user");
    }

    @Test
    void keys_and_values_are_never_mistaken_for_each_other() {
        var tree = tree(rule("a_b", "c"), rule("a", "b_d"));

        assertThat(landing(tree, "a", "b_c")).isEqualTo("none");
        assertThat(landing(tree, "a_b", "d")).isEqualTo("none");
        assertThat(landing(tree, "a_b", "c")).isEqualTo("shop.a_b_c");
        assertThat(landing(tree, "A_B", "c")).as("case counts").isEqualTo("none");
    }

    @Test
    void domains_of_one_name_are_appended_in_order() {
        var first = Domain.of("shop", List.of(rule("path", "/a*")));
        var other = Domain.of("bank", List.of());
        var second = Domain.of("shop", List.of(rule("path", "/ab*"), rule("user", "")));
        var rules = RuleSet.of(List.of(first, other, second));

        assertThat(rules.domainNames()).containsExactly("shop", "bank");
        assertThat(rules.rules())
                .extracting(Rule::path)
                .containsExactly("shop.path_/a*", "shop.path_/ab*", "shop.user");
        assertThat(rules.domain("shop"))
                .satisfies(tree -> assertThat(landing(tree, "path", "/abc")).isEqualTo("shop.path_/a*"));
        assertThat(rules.domain("bank")).isNotNull();
        assertThat(rules.domain("mint")).isNull();
    }

    @Test
    void a_domain_is_atomic_if_one_of_its_parts_says_so() {
        var first = Domain.of("shop", List.of(rule("path", "")));
        var second = new Domain("shop", List.of(rule("user", "")), true, null);
        var rules = RuleSet.of(List.of(first, second, Domain.of("bank", List.of())));

        assertThat(rules.domain("shop")).isNotNull().returns(true, Tree::isAtomic);
        assertThat(rules.domain("bank")).isNotNull().returns(false, Tree::isAtomic);
    }

    @Test
    void equal_siblings_are_a_programming_error() {
        assertThatThrownBy(() -> tree(rule("path", "/a"), rule("path", "/a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("two siblings with key 'path' and value '/a'");
    }

    @Test
    void a_shared_pattern_replaces_the_value_at_its_own_level_only() {
        var tree = tree(shared(node("path", "/api/*", rule("user", "*"))));
        var rule = tree.match(descriptor("path", "/api/x", "user", "bob"));

        assertThat(rule).isNotNull();
        assertThat(rule.sharedPattern(0, "/api/x")).isEqualTo("/api/*");
        assertThat(rule.sharedPattern(0, "/api/*"))
                .as("an exact match shares nothing")
                .isNull();
        assertThat(rule.sharedPattern(1, "bob")).isNull();
        assertThat(rule.levels()).extracting(Rule.Level::key).containsExactly("path", "user");
    }

    @Test
    void ten_thousand_patterns_answer_as_ten_do() {
        var nodes = IntStream.range(0, 10_000)
                .mapToObj(i -> rule("path", "/" + i + "/*"))
                .toArray(RuleNode[]::new);
        var tree = tree(nodes);

        for (int i = 0; i < 10_000; i++) {
            assertThat(landing(tree, "path", "/" + i + "/x")).isEqualTo("shop.path_/" + i + "/*");
        }
    }

    @Test
    void what_is_answered_when_the_store_fails_follows_the_newest_rules_though_nothing_else_has_changed() {
        var plain = rule("user", "");
        var flags = new RuleNode.Flags(false, false, false, false, false, FailurePolicy.DENY);
        var denying = new RuleNode("user", "", plain.rateLimit(), flags, plain.metadata(), plain.children());
        var first = RuleSet.of(List.of(Domain.of("shop", List.of(plain))));
        var second = RuleSet.of(List.of(Domain.of("shop", List.of(denying))), first);
        var third = RuleSet.of(List.of(new Domain("shop", List.of(plain), false, FailurePolicy.ALLOW)), second);
        assertThat(first.failurePolicies()).isEmpty();
        assertThat(second.rules().getFirst().flags().onStoreFailure()).isEqualTo(FailurePolicy.DENY);
        assertThat(second.failurePolicies()).containsExactly(FailurePolicy.DENY);
        assertThat(third.rules().getFirst().flags().onStoreFailure()).isNull();
        assertThat(third.failurePolicies()).containsExactly(FailurePolicy.ALLOW);
    }
}
