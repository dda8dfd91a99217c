package dev.weir.metrics;

import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.rules.Rule;
import dev.weir.rules.Rule.Level;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names series as the Go service does: the domain and a segment for each level, {@code key} or {@code key_value}, joined by
 * dots.
 */
final class SeriesName {
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");

    private SeriesName() {}

    /** Returns the name that a rule has by itself: its levels as they were written. */
    static String of(Rule rule) {
        return clean(rule.path());
    }

    /** Returns whether values of requests show in the name, so that the rule has one for each of them. */
    static boolean hasValues(Rule rule) {
        boolean isDetailed = rule.flags().detailedMetric();
        return rule.levels().stream()
                .anyMatch(level ->
                        (isDetailed || level.flags().valueToMetric()) && level.takesMany() && !level.isShared());
    }

    /** Returns the name for the values of one request. */
    static String of(Rule rule, String domain, Descriptor descriptor) {
        boolean isDetailed = rule.flags().detailedMetric();
        boolean keepsEmpty = isDetailed && !isShared(rule, descriptor);
        var name = new StringBuilder(domain);
        List<Entry> entries = descriptor.entries();
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            Level level = rule.levels().get(i);
            String pattern = rule.sharedPattern(i, entry.value());
            name.append('.');
            if (pattern != null) {
                name.append(entry.key()).append('_').append(pattern);
            } else if (isDetailed || level.flags().valueToMetric()) {
                append(name, entry, keepsEmpty);
            } else {
                name.append(level);
            }
        }
        return clean(name.toString());
    }

    /** Returns the name for a limit that the caller sent along. */
    static String ofOverride(String domain, Descriptor descriptor) {
        var name = new StringBuilder(domain).append('.');
        int start = name.length();
        for (Entry entry : descriptor.entries()) {
            if (name.length() > start) {
                name.append('.');
            }
            append(name, entry, false);
        }
        return clean(name.toString());
    }

    private static boolean isShared(Rule rule, Descriptor descriptor) {
        for (int i = 0; i < descriptor.entries().size(); i++) {
            if (rule.sharedPattern(i, descriptor.entries().get(i).value()) != null) {
                return true;
            }
        }
        return false;
    }

    private static void append(StringBuilder name, Entry entry, boolean keepsEmpty) {
        name.append(entry.key());
        if (keepsEmpty || !entry.value().isEmpty()) {
            name.append('_').append(entry.value());
        }
    }

    /**
     * Takes out what statsd would read as structure, and the dots of addresses, as the Go service does; and characters that
     * control something, with which a caller could write lines of his own.
     */
    static String clean(String name) {
        String plain = withoutStructure(name);
        if (!hasDottedDigits(plain)) {
            return plain;
        }
        return IPV4.matcher(plain)
                .replaceAll(address -> Matcher.quoteReplacement(address.group().replace('.', '_')));
    }

    private static String withoutStructure(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (isStructure(name.charAt(i))) {
                char[] plain = name.toCharArray();
                for (int j = i; j < plain.length; j++) {
                    plain[j] = isStructure(plain[j]) ? '_' : plain[j];
                }
                return new String(plain);
            }
        }
        return name;
    }

    private static boolean isStructure(char c) {
        return c == ':' || c == '|' || Character.isISOControl(c);
    }

    private static boolean hasDottedDigits(String name) {
        for (int dot = name.indexOf('.', 1); dot >= 0 && dot + 1 < name.length(); dot = name.indexOf('.', dot + 1)) {
            if (isDigit(name.charAt(dot - 1)) && isDigit(name.charAt(dot + 1))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
