package dev.weir.rules.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.rules.Domain;
import dev.weir.rules.RuleSet;
import dev.weir.rules.Tree;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An explanation in lines; what they say is told by the tests of who shows them. */
final class ExplanationTextTest {
    private static final Tree NO_RULES = Objects.requireNonNull(
            RuleSet.of(List.of(Domain.of("shop", List.of()))).domain("shop"));

    @Test
    void of_rules_that_were_not_compared_nothing_is_said() {
        var explanation = new Explanation(List.of(), null, List.of(), 7);
        assertThat(ExplanationText.of(NO_RULES, explanation, (_, _) -> List.of()))
                .contains("near misses  none among the rules that were compared\n", "takes too long: 7 rules\n");
    }

    /** Callers choose the values: as wide as the widest, thirty lines would have thirty times as much. */
    @Test
    void one_long_value_does_not_widen_the_other_lines() {
        var entries = Stream.concat(
                Stream.of(new Entry("k", "v".repeat(100_000))), Collections.nCopies(30, new Entry("k", "v")).stream());
        var explanation = Explanation.of(NO_RULES, Descriptor.of(entries.toArray(Entry[]::new)));
        assertThat(ExplanationText.of(NO_RULES, explanation, (_, _) -> List.of())
                        .length())
                .isBetween(100_000, 105_000);
    }
}
