package dev.weir.rules.yaml;

import dev.weir.rules.NamedLimit;
import dev.weir.rules.Rule;
import dev.weir.rules.RuleSet;
import java.util.List;
import java.util.stream.Collectors;

/** A rule set as text, a line for each rule: what good fixtures are compared by. */
final class Shown {
    private Shown() {}

    static String text(RuleSet rules) {
        return "domains: " + rules.domainNames() + "\n"
                + rules.rules().stream().map(Shown::line).collect(Collectors.joining());
    }

    private static String limit(NamedLimit named) {
        var quota = named.limit().quota();
        return quota.hits() + " per " + quota.unit() + (named.name().isEmpty() ? "" : ", name " + named.name());
    }

    private static String line(Rule rule) {
        String limits = rule.limits().stream().map(Shown::limit).collect(Collectors.joining(" and "));
        var flags = rule.flags();
        var line = new StringBuilder(rule.path()).append(": ").append(rule.isUnlimited() ? "unlimited" : limits);
        if (!rule.replaces().isEmpty()) {
            line.append(", replaces ").append(rule.replaces());
        }
        var switches = List.of(
                flags.shadowMode() ? ", shadow_mode" : "",
                flags.quotaMode() ? ", quota_mode" : "",
                flags.shareThreshold() ? ", share_threshold" : "",
                flags.detailedMetric() ? ", detailed_metric" : "",
                flags.valueToMetric() ? ", value_to_metric" : "");
        line.append(String.join("", switches));
        if (!rule.metadata().isEmpty()) {
            line.append(", metadata ").append(rule.metadata());
        }
        return line.append("\n").toString();
    }
}
