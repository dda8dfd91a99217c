package dev.weir.rules.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Algorithm.FixedWindow;
import dev.weir.limit.Algorithm.Gcra;
import dev.weir.limit.Algorithm.LeakyBucket;
import dev.weir.limit.Algorithm.SlidingLog;
import dev.weir.limit.Algorithm.SlidingWindow;
import dev.weir.limit.Algorithm.TokenBucket;
import dev.weir.limit.Charge;
import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.rules.Domain;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.RateLimit;
import dev.weir.rules.Rule;
import dev.weir.rules.RuleNode;
import dev.weir.rules.RuleNode.Flags;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits and rules as they are told to people. */
final class RuleWordsTest {
    private static final Quota TWENTY_A_SECOND = Quota.per(Unit.SECOND, 20);
    private static final Limit LOG = new Limit(TWENTY_A_SECOND, new SlidingLog(), Charge.ON_ADMIT, 1_800);

    @Test
    void a_limit_says_how_much_how_what_follows_and_what_counts() {
        assertThat(LimitWords.of(LOG))
                .isEqualTo("20 a second, sliding log, locked 30 min after a refusal; counts only what is admitted");
        assertThat(LimitWords.of(Limit.fixedWindow(TWENTY_A_SECOND)))
                .isEqualTo("20 a second, fixed window; refused hits count too");
        assertThat(LimitWords.of(new Limit(TWENTY_A_SECOND, new FixedWindow(), Charge.DRAIN, 0)))
                .isEqualTo("20 a second, fixed window; takes what is left");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        1          | 1         | 1 a second
        5          | 3600      | 5 an hour
        0          | 60        | 0 a minute (nothing passes)
        1000       | 300       | 1,000 in 5 minutes
        4294967295 | 90        | 4,294,967,295 in 90 seconds
        7          | 172800    | 7 in 2 days
        7          | 1209600   | 7 in 2 weeks
        7          | 2592000   | 7 a month
        7          | 5184000   | 7 in 60 days
        7          | 31536000  | 7 a year
        7          | 63072000  | 7 in 730 days
        """)
    void a_quota_names_its_unit_or_counts_the_longest_that_fits(long hits, long seconds, String words) {
        assertThat(LimitWords.quota(new Quota(hits, seconds))).isEqualTo(words);
    }

    @Test
    void each_algorithm_is_told_with_what_it_was_given() {
        assertThat(algorithm(new FixedWindow())).isEqualTo("fixed window");
        assertThat(algorithm(new SlidingWindow(1))).isEqualTo("sliding window");
        assertThat(algorithm(new SlidingWindow(6))).isEqualTo("sliding window in 6 parts of 10 s");
        assertThat(algorithm(new SlidingWindow(120))).isEqualTo("sliding window in 120 parts of 500 ms");
        assertThat(algorithm(new SlidingLog())).isEqualTo("sliding log");
        assertThat(algorithm(new TokenBucket(40))).isEqualTo("token bucket, burst 40");
        assertThat(algorithm(new LeakyBucket(4_000))).isEqualTo("leaky bucket, burst 4,000");
        assertThat(algorithm(new Gcra(3))).isEqualTo("GCRA, burst 3");
    }

    @Test
    void several_limits_have_a_line_each_with_their_names() {
        var rule = rule(
                new RateLimit(
                        List.of(
                                new NamedLimit(LOG, ""),
                                new NamedLimit(Limit.fixedWindow(Quota.per(Unit.DAY, 5)), "daily")),
                        List.of("other", "more")),
                Flags.NONE);

        assertThat(RuleWords.limits(rule))
                .containsExactly(LimitWords.of(LOG), "daily: 5 a day, fixed window; refused hits count too");
        assertThat(RuleWords.switches(rule, null)).containsExactly("replaces in the same request: other, more");
    }

    @Test
    void a_shadow_rule_refuses_nothing_and_so_locks_nothing() {
        var rule = rule(RateLimit.of(LOG), new Flags(true, false, false, false, false, null));

        assertThat(RuleWords.switches(rule, null)).containsExactly("shadow: refuses nothing");
        assertThat(RuleWords.limits(rule)).containsExactly("20 a second, sliding log; counts only what is admitted");
    }

    @Test
    void a_rule_that_says_what_is_answered_when_the_store_fails_says_so() {
        var rule = rule(RateLimit.of(LOG), new Flags(false, false, false, false, false, FailurePolicy.DENY));

        assertThat(RuleWords.switches(rule, FailurePolicy.ALLOW)).containsExactly("when the store fails: deny");
    }

    @Test
    void what_the_domain_says_of_a_failing_store_is_told_of_rules_with_limits_that_do_not() {
        var limited = rule(RateLimit.of(LOG), Flags.NONE);
        var unlimited = rule(RateLimit.unlimited(List.of()), Flags.NONE);

        assertThat(RuleWords.switches(limited, FailurePolicy.ALLOW))
                .containsExactly("when the store fails: allow, as its domain says");
        assertThat(RuleWords.switches(unlimited, FailurePolicy.ALLOW)).isEmpty();
    }

    @Test
    void an_unlimited_rule_says_so() {
        var rule = rule(RateLimit.unlimited(List.of()), Flags.NONE);

        assertThat(RuleWords.limits(rule)).containsExactly("unlimited: everything passes uncounted");
        assertThat(RuleWords.switches(rule, null)).isEmpty();
    }

    private static String algorithm(Algorithm algorithm) {
        return LimitWords.algorithm(Limit.of(Quota.per(Unit.MINUTE, 20), algorithm));
    }

    private static Rule rule(RateLimit rateLimit, Flags flags) {
        var node = new RuleNode("user", "", rateLimit, flags, Map.of(), List.of());
        return Trees.of(Domain.of("shop", List.of(node))).rules().getFirst();
    }
}
