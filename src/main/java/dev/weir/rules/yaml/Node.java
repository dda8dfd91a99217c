package dev.weir.rules.yaml;

import java.util.ArrayList;
import java.util.List;

/**
 * A piece of a rule file that knows where it stands.
 *
 * <p>The parser's own nodes weigh six times as much, with both ends marked and room for comments: ten thousand rules came
 * to 41 MB of them, which a service with a heap of a hundred cannot spare while it answers. So they are ours.
 */
abstract sealed class Node {
    private final int line;
    private final int column;
    private boolean isShared;

    private Node(int line, int column) {
        this.line = line;
        this.column = column;
    }

    /** Returns the line of its beginning, from 1. */
    final int line() {
        return line;
    }

    /** Returns the column of its beginning, from 1. */
    final int column() {
        return column;
    }

    /** Returns whether this, or what it stands in, has an anchor, so that it may be met more than once. */
    final boolean isShared() {
        return isShared;
    }

    final void share() {
        isShared = true;
    }

    /** Returns what stands directly in this. */
    abstract List<Node> parts();

    /** What a word of the file is. */
    enum Kind {
        NOTHING,
        TRUTH,
        INTEGER,
        FRACTION,
        TEXT,
        /** The key {@code <<}. */
        MERGE
    }

    /** A word, or a text in quotes. */
    static final class Scalar extends Node {
        private final Kind kind;
        private final String text;

        Scalar(int line, int column, Kind kind, String text) {
            super(line, column);
            this.kind = kind;
            this.text = text;
        }

        Kind kind() {
            return kind;
        }

        /** Returns the letters, without quotes. */
        String text() {
            return text;
        }

        @Override
        List<Node> parts() {
            return List.of();
        }
    }

    /** A list. */
    static final class Sequence extends Node {
        private List<Node> elements = List.of();
        private boolean isHandedOn;

        Sequence(int line, int column) {
            super(line, column);
        }

        List<Node> elements() {
            return elements;
        }

        /** Returns whether nothing is written in it. */
        boolean isEmpty() {
            return elements.isEmpty() && !isHandedOn;
        }

        /** Notes that somebody else got its elements while they were parsed. */
        void handOn() {
            isHandedOn = true;
        }

        /** Takes its elements: after it was made, as an alias among them may lead here. */
        void fill(List<Node> all) {
            elements = List.copyOf(all);
        }

        @Override
        List<Node> parts() {
            return elements;
        }
    }

    /** A map. */
    static final class Mapping extends Node {
        private List<Field> fields = List.of();

        Mapping(int line, int column) {
            super(line, column);
        }

        /** Returns what stands in it, in file order, a key given twice twice. */
        List<Field> fields() {
            return fields;
        }

        /** Takes its fields: after it was made, as an alias among them may lead here. */
        void fill(List<Field> all) {
            fields = List.copyOf(all);
        }

        @Override
        List<Node> parts() {
            List<Node> parts = new ArrayList<>();
            for (var field : fields) {
                parts.add(field.key());
                parts.add(field.value());
            }
            return parts;
        }
    }

    /**
     * A key and what it leads to.
     *
     * @param key for its place, and its text
     * @param value what it leads to
     */
    record Field(Node key, Node value) {}
}
