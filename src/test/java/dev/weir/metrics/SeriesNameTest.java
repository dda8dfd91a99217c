package dev.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.rules.Domain;
import dev.weir.rules.RateLimit;
import dev.weir.rules.Rule;
import dev.weir.rules.RuleNode;
import dev.weir.rules.RuleNode.Flags;
import dev.weir.rules.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Under which name the hits of a rule count. */
final class SeriesNameTest {
    private static final Flags DETAILED = new Flags(false, false, true, false, false, null);
    private static final Flags VALUE = new Flags(false, false, false, true, false, null);
    private static final Flags SHARED = new Flags(false, false, false, false, true, null);
    private static final Flags DETAILED_SHARED = new Flags(false, false, true, false, true, null);

    @Test
    void a_rule_counts_under_its_levels_as_they_were_written() {
        Rule rule = rule(node("path", "/api", Flags.NONE), node("user", "", Flags.NONE));
        assertThat(SeriesName.hasValues(rule)).isFalse();
        assertThat(SeriesName.of(rule)).isEqualTo("shop.path_/api.user");
    }

    @Test
    void a_pattern_shows_as_itself() {
        assertThat(SeriesName.of(rule(node("path", "/a*", Flags.NONE)))).isEqualTo("shop.path_/a*");
    }

    @Test
    void colons_bars_and_the_dots_of_addresses_become_underscores() {
        assertThat(SeriesName.clean("shop.host_a:8080.pipe_|")).isEqualTo("shop.host_a_8080.pipe__");
        assertThat(SeriesName.clean("shop.remote_10.0.0.1.path_v1.2")).isEqualTo("shop.remote_10_0_0_1.path_v1.2");
        assertThat(SeriesName.clean("shop.1.2.3.4.5")).isEqualTo("shop.1_2_3_4.5");
        assertThat(SeriesName.clean("1.2.3.")).isEqualTo("1.2.3.");
        assertThat(SeriesName.clean("remote_1234.5.6.7890")).isEqualTo("remote_1234_5_6_7890");
    }

    @Test
    void characters_that_control_something_become_underscores() {
        assertThat(SeriesName.clean("shop.user_a\nb\rc\td\u0000e\u001bf\u007fg\u0085h"))
                .isEqualTo("shop.user_a_b_c_d_e_f_g_h");
        assertThat(SeriesName.clean("shop.user_a@b#c,d=e ü")).isEqualTo("shop.user_a@b#c,d=e ü");
    }

    @Test
    void a_detailed_rule_shows_every_value() {
        Rule rule = rule(node("path", "/a*", Flags.NONE), node("user", "", DETAILED));
        assertThat(SeriesName.hasValues(rule)).isTrue();
        assertThat(name(rule, "path", "/abc", "user", "7")).isEqualTo("shop.path_/abc.user_7");
    }

    @Test
    void a_detailed_rule_shows_that_a_value_is_empty() {
        Rule rule = rule(node("path", "", Flags.NONE), node("user", "", DETAILED));
        assertThat(name(rule, "path", "", "user", "")).isEqualTo("shop.path_.user_");
    }

    @Test
    void values_that_share_a_counter_share_a_name_even_in_detail() {
        Rule rule = rule(node("path", "/a*", SHARED), node("user", "", DETAILED));
        assertThat(name(rule, "path", "/abc", "user", "7")).isEqualTo("shop.path_/a*.user_7");
        assertThat(name(rule, "path", "/abc", "user", "")).isEqualTo("shop.path_/a*.user");
        assertThat(SeriesName.hasValues(rule(node("path", "/a*", DETAILED_SHARED))))
                .isFalse();
    }

    @Test
    void the_detail_of_levels_that_take_one_value_is_the_rule_itself() {
        assertThat(SeriesName.hasValues(rule(node("path", "/api", Flags.NONE), node("user", "7", DETAILED))))
                .isFalse();
    }

    @Test
    void a_value_shows_at_the_levels_that_ask_for_it() {
        Rule rule = rule(node("path", "/a*", VALUE), node("user", "", Flags.NONE), node("tier", "", VALUE));
        assertThat(SeriesName.hasValues(rule)).isTrue();
        assertThat(name(rule, "path", "/abc", "user", "7", "tier", "gold")).isEqualTo("shop.path_/abc.user.tier_gold");
        assertThat(name(rule, "path", "/a", "user", "7", "tier", "")).isEqualTo("shop.path_/a.user.tier");
    }

    @Test
    void a_limit_that_the_caller_sends_along_is_named_by_all_that_it_says() {
        assertThat(SeriesName.ofOverride("shop", descriptor("path", "/abc", "user", "", "ip", "10.0.0.1")))
                .isEqualTo("shop.path_/abc.user.ip_10_0_0_1");
    }

    private static String name(Rule rule, String... keysAndValues) {
        return SeriesName.of(rule, "shop", descriptor(keysAndValues));
    }

    private static Descriptor descriptor(String... keysAndValues) {
        var entries = new ArrayList<Entry>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            entries.add(new Entry(keysAndValues[i], keysAndValues[i + 1]));
        }
        return Descriptor.of(entries.toArray(Entry[]::new));
    }

    private static RuleNode node(String key, String value, Flags flags) {
        return new RuleNode(key, value, null, flags, Map.of(), List.of());
    }

    /** The rule at the end of these nodes. */
    private static Rule rule(RuleNode... way) {
        RuleNode below = null;
        for (int i = way.length - 1; i >= 0; i--) {
            RateLimit limit = below == null ? RateLimit.of(Limit.fixedWindow(Quota.per(Unit.MINUTE, 3))) : null;
            below = new RuleNode(
                    way[i].key(),
                    way[i].value(),
                    limit,
                    way[i].flags(),
                    Map.of(),
                    below == null ? List.of() : List.of(below));
        }
        return RuleSet.of(List.of(Domain.of("shop", List.of(Objects.requireNonNull(below)))))
                .rules()
                .getFirst();
    }
}
