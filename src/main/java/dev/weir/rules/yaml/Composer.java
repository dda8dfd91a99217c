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

/** Makes nodes of what the parser finds, document by document. */
final class Composer {
    /** Lists and maps inside of each other; the parser's stack must hold them. */
    static final int MAX_NESTING = 256;

    private final Parser parser;
    private final Map<String, Node> anchors = new HashMap<>();
    private final List<Node> aliased = new ArrayList<>();

    // Keys and values of ten thousand rules are mostly the same few words.
    private final Map<String, String> texts = new HashMap<>();

    Composer(Parser parser) {
        this.parser = parser;
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
     * @throws TooDeepException if more than {@link #MAX_NESTING} lists and maps stand inside of each other
     * @throws YAMLException if the document is not YAML
     */
    Node next() {
        var _ = parser.getEvent(); // its start
        Node root = node(1);
        var _ = parser.getEvent(); // its end
        share();
        anchors.clear();
        aliased.clear();
        return root;
    }

    private Node node(int depth) {
        if (depth > MAX_NESTING && !parser.checkEvent(Event.ID.Alias)) {
            throw new TooDeepException();
        }
        var event = (NodeEvent) parser.getEvent();
        return switch (event) {
            case AliasEvent alias -> known(alias);
            case ScalarEvent scalar -> anchored(scalar, scalar(scalar));
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
        aliased.add(node);
        return node;
    }

    private Node scalar(ScalarEvent event) {
        Mark mark = event.getStartMark();
        String text = texts.computeIfAbsent(event.getValue(), same -> same);
        boolean isPlain = event.getImplicit().canOmitTagInPlainScalar();
        return new Scalar(mark.getLine() + 1, mark.getColumn() + 1, Scalars.kind(event.getTag(), isPlain, text), text);
    }

    private Node sequence(SequenceStartEvent start, int depth) {
        Mark mark = start.getStartMark();
        var sequence = new Sequence(mark.getLine() + 1, mark.getColumn() + 1);
        var _ = anchored(start, sequence);
        List<Node> elements = new ArrayList<>();
        while (!parser.checkEvent(Event.ID.SequenceEnd)) {
            elements.add(node(depth + 1));
        }
        var _ = parser.getEvent();
        sequence.fill(elements);
        return sequence;
    }

    private Node mapping(MappingStartEvent start, int depth) {
        Mark mark = start.getStartMark();
        var mapping = new Mapping(mark.getLine() + 1, mark.getColumn() + 1);
        var _ = anchored(start, mapping);
        List<Field> fields = new ArrayList<>();
        while (!parser.checkEvent(Event.ID.MappingEnd)) {
            fields.add(new Field(node(depth + 1), node(depth + 1)));
        }
        var _ = parser.getEvent();
        mapping.fill(fields);
        return mapping;
    }

    private Node anchored(NodeEvent event, Node node) {
        if (event.getAnchor() != null) {
            anchors.put(event.getAnchor(), node);
        }
        return node;
    }

    /** Marks what aliases lead to, and all that stands in it. */
    private void share() {
        var waiting = new ArrayDeque<>(aliased);
        while (!waiting.isEmpty()) {
            Node node = waiting.pop();
            if (!node.isShared()) {
                node.share();
                waiting.addAll(node.parts());
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
