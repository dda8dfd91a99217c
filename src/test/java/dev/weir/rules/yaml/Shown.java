package dev.weir.rules.yaml;

import dev.weir.limit.Algorithm;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.Rule;
import dev.weir.rules.RuleSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** A rule set as text, a line for each rule: what good fixtures are compared by. */
final class Shown {
    private Shown() {}

    static String text(RuleSet rules) {
        var domains =
                rules.domainNames().stream().map(name -> domain(rules, name)).toList();
        return "domains: " + domains + "\n"
                + rules.rules().stream().map(Shown::line).collect(Collectors.joining());
    }

    private static String domain(RuleSet rules, String name) {
        var tree = Objects.requireNonNull(rules.domain(name));
        var policy = tree.onStoreFailure();
        return name
                + (tree.isAtomic() ? " (atomic)" : "")
                + (policy == null ? "" : " (on_store_failure " + policy.word() + ")");
    }

    /** What is not said is what nobody needs to say. */
    private static String limit(NamedLimit named) {
        var limit = named.limit();
        var quota = limit.quota();
        var unit = quota.unit();
        return quota.hits() + " per " + (unit == null ? quota.windowSeconds() + " s" : unit)
                + (limit.algorithm().equals(new Algorithm.FixedWindow()) ? "" : ", " + limit.algorithm())
                + (limit.charge() == limit.algorithm().defaultCharge() ? "" : ", " + limit.charge())
                + (limit.blockSeconds() == 0 ? "" : ", locks " + limit.blockSeconds() + " s")
                + (named.name().isEmpty() ? "" : ", name " + named.name());
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
                flags.valueToMetric() ? ", value_to_metric" : "",
                flags.onStoreFailure() == null
                        ? ""
                        : ", on_store_failure " + flags.onStoreFailure().word());
        line.append(String.join("", switches));
        if (!rule.metadata().isEmpty()) {
            line.append(", metadata ").append(rule.metadata());
        }
        return line.append("\n").toString();
    }
}
