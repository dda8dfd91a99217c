package dev.weir.admin;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.Rule;
import dev.weir.words.Unseen;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;

/**
 * {@code /rlconfig}: a line for each rule (each of its limits, if it has several), as the Go service writes it. What that
 * service does not know follows behind, in the words of rule files, and only where it is not the usual. Characters of names that
 * nobody sees stand by their number, so that each line is one.
 */
final class RuleLines {
    private static final long MICROS_PER_MILLI = 1_000;
    private static final long MICROS_PER_SECOND = 1_000_000;

    private final Charge fixedWindowCharge;

    /**
     * Prepares the writing of lines.
     *
     * @param fixedWindowCharge the charge of fixed windows that goes without saying
     */
    RuleLines(Charge fixedWindowCharge) {
        this.fixedWindowCharge = fixedWindowCharge;
    }

    void write(List<Rule> rules, Writer to) throws IOException {
        var page = new StringBuilder(); // of one rule at a time
        for (Rule rule : rules) {
            page.setLength(0);
            String path = Unseen.shown(rule.path());
            if (rule.isUnlimited()) {
                head(page, path, rule, "UNKNOWN", 0).append('\n');
            }
            for (NamedLimit named : rule.limits()) {
                Quota quota = named.limit().quota();
                Unit unit = unit(quota);
                head(page, path, rule, unit.name(), quota.hits());
                if (quota.windowSeconds() != unit.seconds()) {
                    word(page, "unit_multiplier", Long.toString(quota.windowSeconds() / unit.seconds()));
                }
                more(page, named.limit());
                if (rule.flags().onStoreFailure() != null) {
                    word(page, "on_store_failure", rule.flags().onStoreFailure().word());
                }
                if (rule.limits().size() > 1 && !named.name().isEmpty()) {
                    word(page, "name", Unseen.shown(named.name()));
                }
                page.append('\n');
            }
            to.append(page);
        }
    }

    private static StringBuilder head(StringBuilder page, String path, Rule rule, String unit, long hits) {
        return page.append(path)
                .append(": unit=")
                .append(unit)
                .append(" requests_per_unit=")
                .append(hits)
                .append(", shadow_mode: ")
                .append(rule.flags().shadowMode())
                .append(", quota_mode: ")
                .append(rule.flags().quotaMode());
    }

    /** The longest unit of which the window is made. */
    private static Unit unit(Quota quota) {
        Unit longest = Unit.SECOND;
        for (Unit unit : Unit.values()) {
            if (quota.windowSeconds() % unit.seconds() == 0 && unit.seconds() > longest.seconds()) {
                longest = unit;
            }
        }
        return longest;
    }

    private void more(StringBuilder page, Limit limit) {
        switch (limit.algorithm()) {
            case Algorithm.FixedWindow _ -> {}
            case Algorithm.SlidingWindow(int parts) -> {
                algorithm(page, limit);
                if (parts > 1) {
                    word(page, "precision", duration(limit.quota().windowMicros() / parts));
                }
            }
            case Algorithm.SlidingLog _ -> algorithm(page, limit);
            case Algorithm.TokenBucket(long burst) -> even(page, limit, burst);
            case Algorithm.LeakyBucket(long burst) -> even(page, limit, burst);
            case Algorithm.Gcra(long burst) -> even(page, limit, burst);
        }
        if (limit.charge() != usualCharge(limit.algorithm())) {
            word(page, "charge", limit.charge().name().toLowerCase(Locale.ROOT));
        }
        if (limit.blockSeconds() > 0) {
            word(page, "block_for", limit.blockSeconds() + "s");
        }
    }

    private Charge usualCharge(Algorithm algorithm) {
        return algorithm instanceof Algorithm.FixedWindow ? fixedWindowCharge : algorithm.defaultCharge();
    }

    private static void even(StringBuilder page, Limit limit, long burst) {
        algorithm(page, limit);
        word(page, "burst", Long.toString(burst));
    }

    private static void algorithm(StringBuilder page, Limit limit) {
        word(page, "algorithm", word(limit.algorithm()));
    }

    /** Returns the word of rule files. */
    static String word(Algorithm algorithm) {
        return switch (algorithm) {
            case Algorithm.FixedWindow _ -> "fixed_window";
            case Algorithm.SlidingWindow _ -> "sliding_window";
            case Algorithm.SlidingLog _ -> "sliding_log";
            case Algorithm.TokenBucket _ -> "token_bucket";
            case Algorithm.LeakyBucket _ -> "leaky_bucket";
            case Algorithm.Gcra _ -> "gcra";
        };
    }

    private static void word(StringBuilder page, String word, String value) {
        page.append(", ").append(word).append(": ").append(value);
    }

    private static String duration(long micros) {
        if (micros % MICROS_PER_SECOND == 0) {
            return micros / MICROS_PER_SECOND + "s";
        }
        return micros % MICROS_PER_MILLI == 0 ? micros / MICROS_PER_MILLI + "ms" : micros + "us";
    }
}
