package dev.weir.rules;

import static dev.weir.rules.Rules.rule;
import static dev.weir.rules.Rules.tree;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said to meet no request meets none: every short value is asked, of siblings that are made up. */
final class SiblingsTest {
    private static final List<String> VALUES = values();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void a_pattern_that_is_remarked_is_met_by_its_own_text_alone(long seed) {
        var random = new SplittableRandom(seed);
        int hidden = 0;
        for (int i = 0; i < 500; i++) {
            var names = new LinkedHashSet<String>();
            while (names.size() < 4) {
                names.add(text(random));
            }
            var nodes = names.stream().map(name -> rule("k", name)).toArray(RuleNode[]::new);
            var siblings = new Siblings();
            var tree = tree(nodes);
            for (var node : nodes) {
                assertThat(siblings.add(node, "place of " + node.value())).isNull();
                if (siblings.hidden(node) != null) {
                    hidden++;
                    assertThat(VALUES)
                            .as("seed %d, %s", seed, names)
                            .noneMatch(value -> Rules.landing(tree, "k", value).equals("shop.k_" + node.value()));
                }
            }
        }
        assertThat(hidden).isGreaterThan(100);
    }

    private static String text(SplittableRandom random) {
        var text = new StringBuilder();
        for (int length = random.nextInt(1, 4); length > 0; length--) {
            text.append("ab*".charAt(random.nextInt(3)));
        }
        return text.toString();
    }

    /** All texts of up to four letters. */
    private static List<String> values() {
        List<String> all = new ArrayList<>(List.of(""));
        for (int i = 0; i < 15; i++) {
            all.add(all.get(i) + "a");
            all.add(all.get(i) + "b");
        }
        return all;
    }
}
