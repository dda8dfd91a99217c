package dev.weir.rules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The patterns of one key at one level: finds the first in file order that fits a value.
 *
 * <p>Trying them one by one would make ten thousand patterns cost ten thousand steps. So they are grouped by the literal
 * before their first {@code *}, in a hash table. A value is asked prefix by prefix, only in the lengths that occur; the
 * hash of a prefix follows from that of the shorter one, so that no prefix is ever cut out. Patterns with an equal start,
 * {@code *.org} and {@code *.net} for instance, are tried one by one.
 */
final class Patterns {
    private static final Patterns NONE = new Patterns(new int[0], new Group[1]);

    private final int[] lengths;
    private final @Nullable Group[] table;

    private Patterns(int[] lengths, @Nullable Group[] table) {
        this.lengths = lengths;
        this.table = table;
    }

    static Patterns of(List<Node> patterns) {
        if (patterns.isEmpty()) {
            return NONE;
        }
        Map<String, List<Pattern>> byStart = new LinkedHashMap<>();
        for (int i = 0; i < patterns.size(); i++) {
            Node node = patterns.get(i);
            var pattern = new Pattern(i, node.origin().level().value(), node);
            byStart.computeIfAbsent(pattern.start(), _ -> new ArrayList<>()).add(pattern);
        }
        int[] lengths = byStart.keySet().stream()
                .mapToInt(String::length)
                .sorted()
                .distinct()
                .toArray();
        // At most half full, so that a search soon meets an empty place.
        var table = new Group[Integer.highestOneBit(byStart.size()) * 4];
        byStart.forEach((start, group) -> {
            int place = place(start.hashCode(), table.length);
            while (table[place] != null) {
                place = place + 1 & table.length - 1;
            }
            table[place] = new Group(start, group.toArray(Pattern[]::new));
        });
        return new Patterns(lengths, table);
    }

    /** Returns the node of the first pattern that fits, or null if none does. */
    @Nullable
    Node first(String value) {
        Pattern best = null;
        int hash = 0;
        int hashed = 0;
        for (int length : lengths) {
            if (length > value.length()) {
                break;
            }
            for (; hashed < length; hashed++) {
                hash = 31 * hash + value.charAt(hashed); // as String.hashCode, one character further
            }
            Group group = startingWith(value, length, hash);
            if (group != null) {
                best = earlier(best, group, value);
            }
        }
        return best == null ? null : best.node();
    }

    private @Nullable Group startingWith(String value, int length, int hash) {
        for (int place = place(hash, table.length); ; place = place + 1 & table.length - 1) {
            Group group = table[place];
            if (group == null || (group.start.length() == length && value.startsWith(group.start))) {
                return group;
            }
        }
    }

    private static @Nullable Pattern earlier(@Nullable Pattern best, Group group, String value) {
        for (Pattern pattern : group.patterns) {
            if (best != null && best.order() < pattern.order()) {
                return best;
            }
            if (pattern.fitsAfterStart(value)) {
                return pattern;
            }
        }
        return best;
    }

    private static int place(int hash, int size) {
        return (hash ^ hash >>> 16) & size - 1;
    }

    /** The patterns with one start, in file order. */
    private static final class Group {
        private final String start;
        private final Pattern[] patterns;

        private Group(String start, Pattern[] patterns) {
            this.start = start;
            this.patterns = patterns;
        }
    }
}
