package dev.weir.rules;

import java.util.ArrayList;
import java.util.List;

/** A value with at least one {@code *}, each of which stands for any number of any characters, none included. */
final class Pattern {
    private final int order;
    private final Node node;
    private final String start;
    private final String end;
    private final String[] middle;
    private final int literals;

    /**
     * Takes a pattern apart.
     *
     * @param order its place among its siblings
     */
    Pattern(int order, String text, Node node) {
        this.order = order;
        this.node = node;
        int first = text.indexOf('*');
        int last = text.lastIndexOf('*');
        this.start = text.substring(0, first);
        this.end = text.substring(last + 1);
        this.middle = between(text, first, last).toArray(String[]::new);
        this.literals = (int) text.chars().filter(c -> c != '*').count();
    }

    private static List<String> between(String text, int first, int last) {
        List<String> parts = new ArrayList<>();
        for (int star = first; star < last; ) {
            int next = text.indexOf('*', star + 1);
            if (next > star + 1) {
                parts.add(text.substring(star + 1, next));
            }
            star = next;
        }
        return parts;
    }

    /** Returns whether {@code text} fits a pattern that stands alone. */
    static boolean fits(String pattern, String text) {
        var alone = new Pattern(0, pattern, Node.of(null, null, List.of()));
        return text.startsWith(alone.start) && alone.fitsAfterStart(text);
    }

    int order() {
        return order;
    }

    Node node() {
        return node;
    }

    /** The literal before the first {@code *}. */
    String start() {
        return start;
    }

    /** Returns whether {@code text}, which is known to begin with {@link #start()}, fits. */
    boolean fitsAfterStart(String text) {
        int limit = text.length() - end.length();
        if (literals > text.length() || !text.startsWith(end, limit)) {
            return false;
        }
        int from = start.length();
        for (String part : middle) {
            // The leftmost place is as good as any: it leaves the most for the parts that follow.
            int found = text.indexOf(part, from, limit);
            if (found < 0) {
                return false;
            }
            from = found + part.length();
        }
        return true;
    }
}
