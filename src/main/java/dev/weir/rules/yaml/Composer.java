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
 */
final class Composer {
    /** Lists and maps inside of each other; the parser's stack must hold them. */
    static final int MAX_NESTING = 256;

    private static final int MOST_TEXTS = 1_000;

    private final Parser parser;
    private final Pauses pauses;
    private final Map<String, Node> anchors = new HashMap<>();

    // Keys and values of ten thousand rules are mostly the same few words, and these come soon.
    private final Map<String, String> texts = new HashMap<>();

    private Takers takers = Takers.NOBODY;

    /**
     * Begins to make nodes.
     *
     * @param pauses of all files together
     */
    Composer(Parser parser, Pauses pauses) {
        this.parser = parser;
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
        pauses.count();
        var event = (NodeEvent) parser.getEvent();
        return switch (event) {
            case AliasEvent alias -> known(alias);
            case ScalarEvent scalar -> scalar(scalar);
            case SequenceStartEvent start -> sequence(start, depth);
            case MappingStartEvent start -> mapping(start, depth);
            default -> throw new IllegalStateException("a document has no " + event);
        };
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
        anchor(event, scalar);
        share(event, scalar);
        return scalar;
    }

    private String known(String text) {
        return texts.size() < MOST_TEXTS ? texts.computeIfAbsent(text, same -> same) : texts.getOrDefault(text, text);
    }

    private Node sequence(SequenceStartEvent start, int depth) {
        Mark mark = start.getStartMark();
        var sequence = new Sequence(mark.getLine() + 1, mark.getColumn() + 1);
        anchor(start, sequence);
        List<Node> elements = new ArrayList<>();
        elements(depth, elements::add);
        sequence.fill(elements);
        share(start, sequence);
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
        anchor(start, mapping);
        boolean isRoot = depth == 1 && start.getAnchor() == null;
        List<Field> fields = new ArrayList<>();
        while (!parser.checkEvent(Event.ID.MappingEnd)) {
            Node key = node(depth + 1);
            var taker = isRoot && isListNext() ? takers.taker(key, fields) : null;
            fields.add(new Field(key, taker == null ? node(depth + 1) : taken(taker)));
        }
        var _ = parser.getEvent();
        mapping.fill(fields);
        share(start, mapping);
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
        elements(2, taker);
        return left;
    }

    private void anchor(NodeEvent event, Node node) {
        if (event.getAnchor() != null) {
            anchors.put(event.getAnchor(), node);
        }
    }

    /** Marks what an anchor names, and all that stands in it. */
    private static void share(NodeEvent event, Node anchored) {
        if (event.getAnchor() == null) {
            return;
        }
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

    /** The parser's own exception for this may only be made by its own composer. */
    private static final class UnknownAliasException extends ComposerException {
        private static final long serialVersionUID = 1;

        private UnknownAliasException(AliasEvent alias) {
            super(null, null, "found undefined alias " + alias.getAnchor(), alias.getStartMark());
        }
    }
}
