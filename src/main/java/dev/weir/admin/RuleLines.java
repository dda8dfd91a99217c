package dev.weir.admin;

import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /rlconfig}: a line for each rule (each of its limits, if it has several), as the Go service writes it. */
final class RuleLines {
    private RuleLines() {}

    static String text(List<Rule> rules) {
        var page = new StringBuilder();
        for (Rule rule : rules) {
            if (rule.isUnlimited()) {
                append(page, rule, null, 0);
            }
            for (NamedLimit named : rule.limits()) {
                Quota quota = named.limit().quota();
                append(page, rule, quota.unit(), quota.hits());
            }
        }
        return page.toString();
    }

    private static void append(StringBuilder page, Rule rule, @Nullable Unit unit, long hits) {
        page.append(rule.path())
                .append(": unit=")
                .append(unit == null ? "UNKNOWN" : unit.name())
                .append(" requests_per_unit=")
                .append(hits)
                .append(", shadow_mode: ")
                .append(rule.flags().shadowMode())
                .append(", quota_mode: ")
                .append(rule.flags().quotaMode())
                .append('\n');
    }
}
