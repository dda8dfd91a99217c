package dev.weir.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Charge;
import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Request;
import dev.weir.rules.Domain;
import dev.weir.rules.RateLimit;
import dev.weir.rules.Rule;
import dev.weir.rules.RuleNode;
import dev.weir.rules.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whose counters are asked for, and when. */
final class BooksTest {
    private static final Answering ANSWERING =
            new Answering(false, false, null, null, false, FailurePolicy.ERROR, Charge.ALWAYS);

    private final List<String> asked = new ArrayList<>();

    @Test
    void counters_of_rules_that_stayed_are_not_asked_for_again() {
        var first = RuleSet.of(List.of(Domain.of("shop", List.of(node("a", 1), node("b", 1), node("c", 1)))));
        var second = RuleSet.of(List.of(Domain.of("shop", List.of(node("a", 1), node("b", 2)))), first);
        var before = new Books(first, listener(), null);
        tell(before, first, "a", "b", "a", "b");
        assertThat(asked).containsExactly("shop.a", "shop.b");

        var after = new Books(second, listener(), before);
        tell(after, second, "a", "b", "a");
        assertThat(asked).as("b says something else").containsExactly("shop.a", "shop.b", "shop.b");
    }

    private static void tell(Books books, RuleSet rules, String... keys) {
        for (String key : keys) {
            var descriptor = Descriptor.of(new Entry(key, "1"));
            books.undecided(Matched.in(rules, new Request("shop", List.of(descriptor), 1), ANSWERING));
        }
    }

    private HitListener listener() {
        var deaf = new DeafListener().hits();
        return new HitListener() {
            @Override
            public Tally of(Rule rule) {
                asked.add(rule.path());
                return deaf.of(rule);
            }

            @Override
            public Tally ofOverrides() {
                return deaf.ofOverrides();
            }

            @Override
            public void domainNotFound(String domain, int descriptors) {}

            @Override
            public void ruleNotFound(int descriptors) {}

            @Override
            public void answeredBy(FailurePolicy policy) {}

            @Override
            public void passedInShadow() {}
        };
    }

    private static RuleNode node(String key, long hits) {
        var limit = RateLimit.of(Limit.fixedWindow(Quota.per(Unit.HOUR, hits)));
        return new RuleNode(key, "", limit, RuleNode.Flags.NONE, Map.of(), List.of());
    }
}
