package dev.weir.rules.yaml;

import dev.weir.limit.Charge;
import dev.weir.rules.Domain;
import dev.weir.rules.DomainPlaces;
import dev.weir.rules.Siblings;
import dev.weir.rules.yaml.Node.Mapping;
import dev.weir.rules.yaml.Word.Place;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one file: a domain and its descriptors. */
final class DomainReader {
    /** Descriptors and pieces of metadata that aliases may add to those written out: a few lines can ask for billions. */
    private static final long MOST_BY_ALIASES = 200_000;

    private final Report report;
    private final DomainPlaces known;
    private final Charge fixedWindowCharge;

    /**
     * Prepares the reading of one file.
     *
     * @param known domains of the files before; this one's is added
     * @param fixedWindowCharge the charge of fixed windows that state none
     */
    DomainReader(Report report, DomainPlaces known, Charge fixedWindowCharge) {
        this.report = report;
        this.known = known;
        this.fixedWindowCharge = fixedWindowCharge;
    }

    /** Returns the domain, or null if there is none to be read; the mistakes are reported. */
    @Nullable
    Domain read(byte[] content) {
        String text = Text.decode(content, report);
        Node root = text == null ? null : Document.compose(text, report);
        if (root == null) {
            return null;
        }
        if (!(root instanceof Mapping map)) {
            report.mistake(
                    root,
                    "a rule file is a map, but this is " + Values.describe(root)
                            + "; write `domain: <name>` and `descriptors:`");
            return null;
        }
        var maps = Maps.ofWords(report);
        var fields = new Fields(Place.FILE, map, maps, report);
        String name = name(fields);
        boolean isAtomic = isAtomic(fields);
        var siblings = name == null ? new Siblings() : siblings(name, fields);
        var reader = new DescriptorReader(maps, fixedWindowCharge, report);
        var nodes = reader.read(Word.DESCRIPTORS, fields.value(Word.DESCRIPTORS), siblings);
        if (nodes.size() - reader.nodesRead() > MOST_BY_ALIASES) {
            report.mistake(
                    fields.key(Word.DESCRIPTORS),
                    "the aliases below come to more than %,d descriptors; write fewer aliases inside of each other"
                            .formatted(MOST_BY_ALIASES));
            return null; // not compiled, and not counted against other files either
        }
        return name == null ? null : new Domain(name, nodes.value(), isAtomic);
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

    /** Returns the first level of the domain so far; where files are not merged, there must be none yet. */
    private Siblings siblings(String name, Fields fields) {
        Node place = fields.key(Word.DOMAIN);
        String clash = known.name(name, report.place(place));
        if (clash != null) {
            report.mistake(place, clash);
            return new Siblings();
        }
        return known.firstLevel(name);
    }
}
