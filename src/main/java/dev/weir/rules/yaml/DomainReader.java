package dev.weir.rules.yaml;

import dev.weir.limit.FailurePolicy;
import dev.weir.rules.Domain;
import dev.weir.rules.DomainPlaces;
import dev.weir.rules.FormerLevel;
import dev.weir.rules.NameWeight;
import dev.weir.rules.RuleNode;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException.Mistakes;
import dev.weir.rules.Siblings;
import dev.weir.rules.yaml.Node.Field;
import dev.weir.rules.yaml.Node.Kind;
import dev.weir.rules.yaml.Node.Mapping;
import dev.weir.rules.yaml.Node.Scalar;
import dev.weir.rules.yaml.Once.Sized;
import dev.weir.rules.yaml.Word.Place;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads one file: a domain and its descriptors. */
final class DomainReader {
    private static final String REPEATED_TOO_OFTEN =
            "here aliases and merge keys repeat more than 50,000 descriptors, or 200,000 words or pieces of metadata; write"
                    + " fewer of them, or less behind their anchors";

    private static final String TOO_MUCH =
            "here the files come to more descriptors, metadata, replaced and long names than this heap has room for; give Weir a larger one"
                    + " by WEIR_HEAP, or write fewer";

    private final Report outside;
    private final DescriptorRoom room;
    private final DomainPlaces known;
    private final @Nullable RuleSet former;
    private final DescriptorReader descriptors;
    private final Maps maps;

    // Mistakes of what was read; of a file that breaks off they may be due to that alone, and are not told.
    private final Report report;

    // What was taken while the file was parsed; null if nothing was.
    private DescriptorReader.@Nullable Listing taken;

    /**
     * Prepares the reading of one file.
     *
     * @param outside where mistakes go
     * @param known domains of the files before; this one's is added
     * @param former the rules in force, or null
     * @param room what files before have left; what this one holds is taken from it
     */
    DomainReader(
            Report outside,
            DomainPlaces known,
            YamlRules.Options options,
            @Nullable RuleSet former,
            DescriptorRoom room) {
        this.outside = outside;
        this.room = room;
        this.report = new Report(outside.file(), new Mistakes(), outside.remarks());
        this.known = known;
        this.former = former;
        this.maps = Maps.ofWords(report);
        this.descriptors = new DescriptorReader(maps, options.fixedWindowCharge(), room, report);
    }

    /** Returns the domain, or null if there is none to be read; the mistakes are reported. */
    @Nullable
    Domain read(byte[] content) {
        room.begin();
        String text = Text.decode(content, outside);
        try {
            Node root =
                    text == null ? null : Document.compose(text, this::taker, room::nodeBytes, room.pauses(), outside);
            if (root == null) {
                return null;
            }
            var domain = read(root);
            outside.mistakes().addAll(report.mistakes());
            return domain;
        } catch (Maps.RepeatedTooOftenException e) {
            outside.mistake(e.place(), REPEATED_TOO_OFTEN);
            return null;
        } catch (DescriptorRoom.TooMuchException e) {
            outside.mistake(e.place(), TOO_MUCH);
            return null;
        }
    }

    /** Returns the names of limits in the file, as far as it was read. */
    RateLimitReader.Names names() {
        return descriptors.names();
    }

    private static boolean has(Mapping map, String key) {
        return map.fields().stream()
                .anyMatch(field ->
                        field.key() instanceof Scalar scalar && scalar.text().equals(key));
    }

    private @Nullable Domain read(Node root) {
        if (!(root instanceof Mapping map)) {
            report.mistake(
                    root,
                    "a rule file is a map, but this is " + Values.describe(root)
                            + "; write `domain: <name>` and `descriptors:`");
            return null;
        }
        if (has(map, "apiVersion") && has(map, "kind")) {
            report.mistake(
                    root,
                    "this is an object of Kubernetes, and a rule file is what stands in one: give the text below its `data`"
                            + " alone, or mount it");
            return null;
        }
        var fields = new Fields(Place.FILE, map, maps, report);
        String name = name(fields);
        boolean isAtomic = isAtomic(fields);
        FailurePolicy onStoreFailure = onStoreFailure(name, fields);
        var nodes = taken == null ? descriptors(name, fields) : taken.read();
        Node place = fields.key(Word.DESCRIPTORS);
        if (!room.take(nodes, name == null ? 0 : NameWeight.bytes(name), place)) {
            report.mistake(place, REPEATED_TOO_OFTEN);
            return null; // not compiled, and not counted against other files either
        }
        return name == null ? null : new Domain(name, nodes.value(), isAtomic, onStoreFailure);
    }

    /**
     * Takes the descriptors where they stand behind the domain's name, as they should; else they wait until all is read.
     *
     * @see Composer.Takers
     */
    private @Nullable Consumer<Node> taker(Node key, List<Field> before) {
        Field domain = first(Word.DOMAIN, before);
        boolean isFirst = isWord(Word.DESCRIPTORS, key) && first(Word.DESCRIPTORS, before) == null;
        if (!isFirst || domain == null || !(domain.value() instanceof Scalar name)) {
            return null;
        }
        if (name.kind() != Kind.TEXT || name.text().isEmpty()) {
            return null;
        }
        descriptors.in(name.text());
        taken = descriptors.begin(siblings(name.text(), domain.key()), RuleSet.former(former, name.text()));
        return taken::add;
    }

    private static @Nullable Field first(Word word, List<Field> fields) {
        for (var field : fields) {
            if (isWord(word, field.key())) {
                return field;
            }
        }
        return null;
    }

    private static boolean isWord(Word word, Node key) {
        return key instanceof Scalar scalar
                && scalar.kind() == Kind.TEXT
                && scalar.text().equals(word.text());
    }

    private Sized<List<RuleNode>> descriptors(@Nullable String name, Fields fields) {
        descriptors.in(name == null ? "" : name);
        var siblings = name == null ? new Siblings() : siblings(name, fields.key(Word.DOMAIN));
        var before = name == null ? FormerLevel.NONE : RuleSet.former(former, name);
        return descriptors.read(Word.DESCRIPTORS, fields.value(Word.DESCRIPTORS), siblings, before);
    }

    private @Nullable String name(Fields fields) {
        Node node = fields.value(Word.DOMAIN);
        String name = node == null ? "" : new Values(report).text(Word.DOMAIN, node);
        if (name != null && name.isEmpty()) {
            fields.missing(Word.DOMAIN, "the file names no domain; write `domain: <name>`");
            return null;
        }
        return name;
    }

    private boolean isAtomic(Fields fields) {
        Node node = fields.given(Word.ATOMIC);
        String place =
                node == null ? null : new Values(report).choice(Word.ATOMIC, node, List.of("descriptor", "domain"));
        return "domain".equals(place);
    }

    private @Nullable FailurePolicy onStoreFailure(@Nullable String name, Fields fields) {
        FailurePolicy policy = new Values(report).failurePolicy(Word.ON_STORE_FAILURE_OF_ALL, fields);
        if (name != null && policy != null) {
            Node place = fields.key(Word.ON_STORE_FAILURE_OF_ALL);
            String clash = known.onStoreFailure(name, policy, report.place(place));
            if (clash != null) {
                report.mistake(place, clash);
            }
        }
        return policy;
    }

    /** Returns the first level of the domain so far; where files are not merged, there must be none yet. */
    private Siblings siblings(String name, Node place) {
        String clash = known.name(name, report.place(place));
        if (clash != null) {
            report.mistake(place, clash);
            return new Siblings();
        }
        return known.firstLevel(name);
    }
}
