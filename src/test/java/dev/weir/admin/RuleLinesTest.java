package dev.weir.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
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
import dev.weir.rules.RuleSet;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the Go service knows is written as it writes it; the rest follows in the words of rule files. */
final class RuleLinesTest {
    private static final Quota FIVE_A_MINUTE = Quota.per(Unit.MINUTE, 5);
    private static final String HEAD = "d.k: unit=MINUTE requests_per_unit=5, shadow_mode: false, quota_mode: false";

    @ParameterizedTest
    @EnumSource
    void what_the_go_service_knows_looks_as_there(Unit unit) {
        var limit = Limit.fixedWindow(Quota.per(unit, 5));

        assertThat(lines(Charge.ALWAYS, limit))
                .isEqualTo("d.k: unit=%s requests_per_unit=5, shadow_mode: false, quota_mode: false\n"
                        .formatted(unit.name()));
    }

    @Test
    void unlimited_rules_and_what_they_replace_or_share_look_as_there() {
        var flags = new RuleNode.Flags(false, false, false, false, true, null);
        var unlimited = RateLimit.unlimited(List.of("other"));
        var node = new RuleNode("k", "v*", unlimited, flags, Map.of(), List.of());
        var rules = RuleSet.of(List.of(Domain.of("d", List.of(node)))).rules();

        assertThat(text(Charge.ALWAYS, rules))
                .isEqualTo("d.k_v*: unit=UNKNOWN requests_per_unit=0, shadow_mode: false, quota_mode: false\n");
    }

    @Test
    void a_rule_of_its_own_for_a_failing_store_is_told_and_the_domains_is_not() {
        var flags = new RuleNode.Flags(false, false, false, false, false, FailurePolicy.LOCAL);
        var node = new RuleNode("k", "", RateLimit.of(Limit.fixedWindow(FIVE_A_MINUTE)), flags, Map.of(), List.of());
        var domain = new Domain("d", List.of(node), false, FailurePolicy.DENY);

        assertThat(text(Charge.ALWAYS, RuleSet.of(List.of(domain)).rules()))
                .isEqualTo(HEAD + ", on_store_failure: local\n");
    }

    @Test
    void the_usual_charge_goes_without_saying() {
        var onAdmit = new Limit(FIVE_A_MINUTE, new Algorithm.FixedWindow(), Charge.ON_ADMIT, 0);

        assertThat(lines(Charge.ON_ADMIT, onAdmit)).isEqualTo(HEAD + "\n");
        assertThat(lines(Charge.ALWAYS, onAdmit)).isEqualTo(HEAD + ", charge: on_admit\n");
        assertThat(lines(Charge.ON_ADMIT, Limit.fixedWindow(FIVE_A_MINUTE))).isEqualTo(HEAD + ", charge: always\n");
    }

    @Test
    void windows_are_written_in_their_longest_unit() {
        assertThat(lines(Charge.ALWAYS, Limit.fixedWindow(new Quota(5, 300))))
                .isEqualTo(HEAD + ", unit_multiplier: 5\n");
        assertThat(lines(Charge.ALWAYS, Limit.fixedWindow(new Quota(5, 14 * 86_400))))
                .contains("unit=WEEK ", ", unit_multiplier: 2\n");
        assertThat(lines(Charge.ALWAYS, Limit.fixedWindow(new Quota(5, 61)))).contains("unit=SECOND ", ": 61\n");
    }

    @Test
    void algorithms_are_written_with_what_they_have() {
        assertThat(lines(
                        Charge.ALWAYS,
                        Limit.of(FIVE_A_MINUTE, new Algorithm.SlidingWindow(1)),
                        Limit.of(FIVE_A_MINUTE, new Algorithm.SlidingWindow(6)),
                        Limit.of(FIVE_A_MINUTE, new Algorithm.SlidingWindow(8)),
                        Limit.of(FIVE_A_MINUTE, new Algorithm.SlidingWindow(64)),
                        Limit.of(FIVE_A_MINUTE, new Algorithm.SlidingLog()),
                        Limit.of(FIVE_A_MINUTE, new Algorithm.TokenBucket(20)),
                        Limit.of(FIVE_A_MINUTE, new Algorithm.LeakyBucket(5)),
                        new Limit(FIVE_A_MINUTE, new Algorithm.Gcra(1), Charge.DRAIN, 1_800)))
                .isEqualTo("""
                        HEAD, algorithm: sliding_window
                        HEAD, algorithm: sliding_window, precision: 10s
                        HEAD, algorithm: sliding_window, precision: 7500ms
                        HEAD, algorithm: sliding_window, precision: 937500us
                        HEAD, algorithm: sliding_log
                        HEAD, algorithm: token_bucket, burst: 20
                        HEAD, algorithm: leaky_bucket, burst: 5
                        HEAD, algorithm: gcra, burst: 1, charge: drain, block_for: 1800s
                        """.replace("HEAD", HEAD));
    }

    @Test
    void names_tell_the_limits_of_one_rule_apart() {
        var first = new NamedLimit(Limit.fixedWindow(FIVE_A_MINUTE), "first");
        var second = new NamedLimit(Limit.of(FIVE_A_MINUTE, new Algorithm.SlidingLog()), "second");

        assertThat(lines(Charge.ALWAYS, List.of(first))).isEqualTo(HEAD + "\n");
        assertThat(lines(Charge.ALWAYS, List.of(first, second)))
                .isEqualTo(HEAD + ", name: first\n" + HEAD + ", algorithm: sliding_log, name: second\n");
    }

    @Test
    void a_name_makes_no_line_of_its_own_and_does_not_speak_to_the_terminal() {
        var limits = List.of(
                new NamedLimit(Limit.fixedWindow(FIVE_A_MINUTE), "a\r\u001b[31m"),
                new NamedLimit(Limit.of(FIVE_A_MINUTE, new Algorithm.SlidingLog()), "ünï"));
        var node = new RuleNode(
                "k", "\u202ev", new RateLimit(limits, List.of()), RuleNode.Flags.NONE, Map.of(), List.of());
        var rules = RuleSet.of(List.of(Domain.of("d\ne", List.of(node)))).rules();

        assertThat(text(Charge.ALWAYS, rules))
                .isEqualTo("""
                        HEAD, name: a\\u{d}\\u{1b}[31m
                        HEAD, algorithm: sliding_log, name: ünï
                        """.replace("HEAD", HEAD.replace("d.k", "d\\u{a}e.k_\\u{202e}v")));
    }

    private static String lines(Charge fixedWindowCharge, Limit... limits) {
        return lines(
                fixedWindowCharge,
                Arrays.stream(limits).map(limit -> new NamedLimit(limit, "")).toList());
    }

    private static String lines(Charge fixedWindowCharge, List<NamedLimit> limits) {
        var rateLimit = new RateLimit(limits, List.of());
        var node = new RuleNode("k", "", rateLimit, RuleNode.Flags.NONE, Map.of(), List.of());
        var rules = RuleSet.of(List.of(Domain.of("d", List.of(node)))).rules();
        return text(fixedWindowCharge, rules);
    }

    private static String text(Charge fixedWindowCharge, List<Rule> rules) {
        var text = new StringWriter();
        try {
            new RuleLines(fixedWindowCharge).write(rules, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
