package dev.weir.rules.yaml;

import dev.weir.rules.yaml.Node.Field;
import dev.weir.rules.yaml.Node.Mapping;
import dev.weir.rules.yaml.Node.Scalar;
import dev.weir.rules.yaml.Node.Sequence;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.composer.ComposerException;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.parser.Parser;

/**
 * Makes nodes of what the parser finds, document by document. Elements of a long list may be taken one by one as they come:
 * nodes of ten thousand rules that live until the last is read would be copied again and again by the garbage collector.
 *
 * <p>All else lives until the end, and a node takes twenty times as much of the heap as the letters of which it is made: six megabytes
 * of {@code [1,1,1]} came to 150, and ended the process. So what lives is weighed while it is made, in bytes.
 */
final class Composer {
    /** Lists and maps inside of each other; the parser's stack must hold them. */
    static final int MAX_NESTING = 256;

    private static final int MOST_TEXTS = 1_000;

    /** A place in a list that grows and is copied at its end; or half of a field, with its place. */
    private static final int BYTES_OF_A_PLACE = 16;

    private static final int BYTES_OF_A_SCALAR = BYTES_OF_A_PLACE + 32;
    private static final int BYTES_OF_A_COLLECTION = BYTES_OF_A_PLACE + 56;

    /** Beside its letters. */
    private static final int BYTES_OF_A_TEXT = 48;

    /** In a map with more of them than the grammar has words, so that reading it takes as much again. */
    private static final int BYTES_OF_A_LATE_FIELD = 144;

    /** Its name, and what remembers the node by it or as one that was read. */
    private static final int BYTES_OF_AN_ANCHOR = 160;

    private final Parser parser;
    private final LongSupplier mostBytes;
    private final Pauses pauses;
    private final Map<String, Node> anchors = new HashMap<>();

    // Keys and values of ten thousand rules are mostly the same few words, and these come soon.
    private final Map<String, String> texts = new HashMap<>();

    private Takers takers = Takers.NOBODY;

    // Bytes of the nodes that live, and how many of these are of nodes that live on when they are taken, as an alias
    // may lead there.
    private long bytes;
    private long anchoredBytes;

    /**
     * Begins to make nodes.
     *
     * @param mostBytes what those that are not taken may come to, asked before each
     * @param pauses of all files together
     */
    Composer(Parser parser, LongSupplier mostBytes, Pauses pauses) {
        this.parser = parser;
        this.mostBytes = mostBytes;
        this.pauses = pauses;
    }

    /** Returns whether there is another document. */
    boolean hasNext() {
        if (parser.checkEvent(Event.ID.StreamStart)) {
            var _ = parser.getEvent();
        }
        return !parser.checkEvent(Event.ID.StreamEnd);
    }

    /**
     * Returns the root of the next document.
     *
     * @param asked who takes elements of the lists in the root's map; what is taken is not in the root
     * @throws TooDeepException if more than {@link #MAX_NESTING} lists and maps stand inside of each other
     * @throws TooLargeException if its nodes come to too many bytes
     * @throws YAMLException if the document is not YAML
     */
    Node next(Takers asked) {
        takers = asked;
        var _ = parser.getEvent(); // its start
        Node root = node(1);
        var _ = parser.getEvent(); // its end
        anchors.clear();
        return root;
    }

    private Node node(int depth) {
        if (depth > MAX_NESTING && !parser.checkEvent(Event.ID.Alias)) {
            throw new TooDeepException();
        }
        if (bytes > mostBytes.getAsLong()) {
            throw new TooLargeException();
        }
        pauses.count();
        long before = bytes;
        long anchoredBefore = anchoredBytes;
        var event = (NodeEvent) parser.getEvent();
        if (event instanceof AliasEvent alias) {
            bytes += BYTES_OF_A_PLACE;
            return known(alias);
        }
        Node node = switch (event) {
            case ScalarEvent scalar -> scalar(scalar);
            case SequenceStartEvent start -> sequence(start, depth);
            case MappingStartEvent start -> mapping(start, depth);
            default -> throw new IllegalStateException("a document has no " + event);
        };
        if (event.getAnchor() != null) {
            share(node);
            bytes += BYTES_OF_AN_ANCHOR;
            anchoredBytes = anchoredBefore + bytes - before;
        }
        return node;
    }

    private Node known(AliasEvent alias) {
        Node node = anchors.get(alias.getAnchor());
        if (node == null) {
            throw new UnknownAliasException(alias);
        }
        return node;
    }

    private Node scalar(ScalarEvent event) {
        Mark mark = event.getStartMark();
        String text = known(event.getValue());
        boolean isPlain = event.getImplicit().canOmitTagInPlainScalar();
        var kind = Scalars.kind(event.getTag(), isPlain, text);
        var scalar = new Scalar(mark.getLine() + 1, mark.getColumn() + 1, kind, text);
        bytes += BYTES_OF_A_SCALAR;
        anchor(event, scalar);
        return scalar;
    }

    private String known(String text) {
        String same = texts.size() < MOST_TEXTS ? texts.putIfAbsent(text, text) : texts.get(text);
        if (same != null) {
            return same;
        }
        bytes += BYTES_OF_A_TEXT + (long) Character.BYTES * text.length();
        return text;
    }

    private Node sequence(SequenceStartEvent start, int depth) {
        Mark mark = start.getStartMark();
        var sequence = new Sequence(mark.getLine() + 1, mark.getColumn() + 1);
        bytes += BYTES_OF_A_COLLECTION;
        anchor(start, sequence);
        List<Node> elements = new ArrayList<>();
        elements(depth, elements::add);
        sequence.fill(elements);
        return sequence;
    }

    private void elements(int depth, Consumer<Node> taker) {
        while (!parser.checkEvent(Event.ID.SequenceEnd)) {
            taker.accept(node(depth + 1));
        }
        var _ = parser.getEvent();
    }

    private Node mapping(MappingStartEvent start, int depth) {
        Mark mark = start.getStartMark();
        var mapping = new Mapping(mark.getLine() + 1, mark.getColumn() + 1);
        bytes += BYTES_OF_A_COLLECTION;
        anchor(start, mapping);
        boolean isRoot = depth == 1 && start.getAnchor() == null;
        List<Field> fields = new ArrayList<>();
        while (!parser.checkEvent(Event.ID.MappingEnd)) {
            Node key = node(depth + 1);
            var taker = isRoot && isListNext() ? takers.taker(key, fields) : null;
            fields.add(new Field(key, taker == null ? node(depth + 1) : taken(taker)));
            bytes += fields.size() > Maps.WORDS_OF_A_MAP ? BYTES_OF_A_LATE_FIELD : 0;
        }
        var _ = parser.getEvent();
        mapping.fill(fields);
        return mapping;
    }

    /** Returns whether a list is next that no alias can lead to. */
    private boolean isListNext() {
        return parser.peekEvent() instanceof SequenceStartEvent start && start.getAnchor() == null;
    }

    /** Hands a list in the root's map on, and returns what is left of it. */
    private Node taken(Consumer<Node> taker) {
        Mark mark = parser.getEvent().getStartMark();
        var left = new Sequence(mark.getLine() + 1, mark.getColumn() + 1);
        if (!parser.checkEvent(Event.ID.SequenceEnd)) {
            left.handOn();
        }
        long lasting = bytes - anchoredBytes;
        elements(2, element -> {
            taker.accept(element);
            bytes = lasting + anchoredBytes;
        });
        return left;
    }

    private void anchor(NodeEvent event, Node node) {
        if (event.getAnchor() != null) {
            anchors.put(event.getAnchor(), node);
        }
    }

    /** Marks what an anchor names, and all that stands in it. */
    private static void share(Node anchored) {
        // It may be marked already, by an alias in it, when it was not filled yet; so it is not asked.
        anchored.share();
        var waiting = new ArrayDeque<>(anchored.parts());
        while (!waiting.isEmpty()) {
            Node node = waiting.pop();
            if (!node.isShared()) {
                node.share();
                waiting.addAll(node.parts());
            }
        }
    }

    /** Who wants the elements of which list. */
    @FunctionalInterface
    interface Takers {
        /** All elements stay in their lists. */
        Takers NOBODY = (_, _) -> null;

        /**
         * Returns who takes the elements of a list of the root's map one by one, as soon as each is read, or null if they stay.
         *
         * @param key what leads to the list
         * @param before what stands before it in the map
         */
        @Nullable
        Consumer<Node> taker(Node key, List<Field> before);
    }

    /** Runs a pause each time so many nodes were made, in one file or in many. */
    static final class Pauses {
        private static final int NODES_BETWEEN = 1_000;

        private final Runnable pause;
        private int nodes;

        Pauses(Runnable pause) {
            this.pause = pause;
        }

        private void count() {
            if (++nodes == NODES_BETWEEN) {
                nodes = 0;
                pause.run();
            }
        }
    }

    /** Too many lists and maps inside of each other. */
    static final class TooDeepException extends YAMLException {
        private static final long serialVersionUID = 1;

        private TooDeepException() {
            super("nested too deep");
        }
    }

    /** Nodes that come to more bytes than they may. */
    static final class TooLargeException extends YAMLException {
        private static final long serialVersionUID = 1;

        private TooLargeException() {
            super("too large");
        }
    }

    /** The parser's own exception for this may only be made by its own composer. */
    private static final class UnknownAliasException extends ComposerException {
        private static final long serialVersionUID = 1;

        private UnknownAliasException(AliasEvent alias) {
            super(null, null, "found undefined alias " + alias.getAnchor(), alias.getStartMark());
        }
    }
}
