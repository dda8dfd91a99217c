package dev.weir.rules.yaml;

import dev.weir.limit.Charge;
import dev.weir.rules.Checks;
import dev.weir.rules.FormerLevel;
import dev.weir.rules.NameWeight;
import dev.weir.rules.RateLimit;
import dev.weir.rules.RuleNode;
import dev.weir.rules.Siblings;
import dev.weir.rules.yaml.Node.Mapping;
import dev.weir.rules.yaml.Node.Sequence;
import dev.weir.rules.yaml.Once.Sized;
import dev.weir.rules.yaml.Word.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code descriptors}, level by level. */
final class DescriptorReader {
    private static final Sized<List<RuleNode>> NONE = new Sized<>(List.of(), 0);

    private final Report report;
    private final Maps maps;
    private final DescriptorRoom room;
    private final Values values;
    private final RateLimitReader rateLimits;
    private final MetadataReader metadata;
    private final Once<Sized<List<RuleNode>>> once;

    // Bytes of the names that lead to what is being read.
    private long names;

    /**
     * Prepares the reading of one file's descriptors.
     *
     * @param fixedWindowCharge the charge of fixed windows that state none
     */
    DescriptorReader(Maps maps, Charge fixedWindowCharge, DescriptorRoom room, Report report) {
        this.report = report;
        this.maps = maps;
        this.room = room;
        this.values = new Values(report);
        this.rateLimits = new RateLimitReader(maps, fixedWindowCharge, room, report);
        this.metadata = new MetadataReader(report, room);
        this.once = new Once<>(report);
    }

    /** Returns the names of limits, as far as descriptors were read. */
    RateLimitReader.Names names() {
        return rateLimits.names();
    }

    /**
     * Returns the nodes of a list.
     *
     * @param siblings those that stand before them on the same level
     * @param former the same level of the rules in force
     */
    Sized<List<RuleNode>> read(Word word, @Nullable Node node, Siblings siblings, FormerLevel former) {
        var list = node == null ? null : values.list(word, node);
        return list == null ? NONE : once.read(list, NONE, () -> nodes(word, list, siblings, former));
    }

    private Sized<List<RuleNode>> nodes(Word word, Sequence list, Siblings siblings, FormerLevel former) {
        var listing = new Listing(word, siblings, former);
        list.elements().forEach(listing::add);
        return listing.read();
    }

    /** Notes the name above all descriptors. */
    void in(String domain) {
        names = NameWeight.bytes(domain);
    }

    /** Begins the file's own list, once, for elements that come one by one; as for {@link #read}. */
    Listing begin(Siblings siblings, FormerLevel former) {
        once.enter(new Sequence(1, 1));
        return new Listing(Word.DESCRIPTORS, siblings, former);
    }

    /** A list in the making, element by element. */
    final class Listing {
        private final Word word;
        private final Siblings siblings;
        private final FormerLevel former;
        private final List<Placed> placed = new ArrayList<>();
        private long size;

        private Listing(Word word, Siblings siblings, FormerLevel former) {
            this.word = word;
            this.siblings = siblings;
            this.former = former;
        }

        void add(Node element) {
            var map = values.element(word, element);
            if (map != null) {
                add(map);
            }
        }

        private void add(Mapping map) {
            var read = descriptor(map, former);
            RuleNode node = read.value();
            if (node != null) {
                placed.add(new Placed(node, map.line(), map.column()));
                size = Sized.sum(size, read.size());
            }
        }

        /** Returns all nodes, and only now makes them siblings: of a file that breaks off, none is. */
        Sized<List<RuleNode>> read() {
            for (var each : placed) {
                String clash = siblings.add(each.node, report.place(each.line, each.column));
                String hidden = clash == null ? siblings.hidden(each.node) : null;
                if (clash != null) {
                    report.mistake(each.line, each.column, clash);
                } else if (hidden != null) {
                    report.remark(each.line, each.column, hidden);
                }
            }
            return new Sized<>(placed.stream().map(Placed::node).toList(), size);
        }
    }

    /** A node and where it stands. */
    private record Placed(RuleNode node, int line, int column) {}

    /** Reads one descriptor; null if it lacks what makes it one. */
    private Sized<@Nullable RuleNode> descriptor(Mapping map, FormerLevel former) {
        room.descriptor(map);
        var fields = new Fields(Place.DESCRIPTOR, map, maps, report);
        String key = key(fields);
        String value = text(Word.VALUE, fields);
        long above = names;
        names += bytes(key) + bytes(value);
        room.names(NameWeight.of(names), map);
        var flags = flags(fields, value);
        var extras = metadata(fields);
        var limit = rateLimits.read(fields);
        var below = key == null || value == null ? FormerLevel.NONE : former.below(key, value);
        var children = read(Word.CHILDREN, fields.value(Word.CHILDREN), new Siblings(), below);
        names = above;
        remark(fields, value, limit);
        long size = Sized.sum(DescriptorRoom.WEIGHT, Sized.sum(extras.size(), children.size()));
        if (key == null || value == null) {
            return new Sized<>(null, size);
        }
        var node = new RuleNode(key, value, limit, flags, extras.value(), children.value());
        return new Sized<>(former.same(node), size);
    }

    private static long bytes(@Nullable String name) {
        return name == null ? 0 : NameWeight.bytes(name);
    }

    private void remark(Fields fields, @Nullable String value, @Nullable RateLimit limit) {
        String doubt = value == null ? null : Checks.hardlyMeant(value);
        if (doubt != null) {
            report.remark(fields.key(Word.VALUE), doubt);
        }
        boolean isKeyAlone = fields.value(Word.KEY) != null
                && fields.value(Word.VALUE) == null
                && fields.value(Word.RATE_LIMIT) == null
                && fields.value(Word.RATE_LIMITS) == null
                && fields.value(Word.METADATA) == null
                && fields.value(Word.CHILDREN) == null;
        if (isKeyAlone) {
            report.remark(
                    fields.key(Word.KEY),
                    "a descriptor with nothing but a `key` limits nothing; write a `rate_limit`, or remove it");
        }
        if (fields.given(Word.ON_STORE_FAILURE) != null && (limit == null || limit.isUnlimited())) {
            report.remark(
                    fields.key(Word.ON_STORE_FAILURE),
                    "there is no limit here for which the store could fail, and the levels below have a policy of their own;"
                            + " write it beside a `rate_limit`, or at the top of the file");
        }
    }

    private @Nullable String key(Fields fields) {
        String key = text(Word.KEY, fields);
        if (key == null) {
            return null;
        }
        String wrong = Checks.key(key);
        if (wrong == null) {
            return key;
        }
        if (key.isEmpty()) {
            fields.missing(Word.KEY, wrong);
        } else {
            report.mistake(fields.key(Word.KEY), wrong);
        }
        return null;
    }

    /** The text, empty if the word is not there, null if something else stands there. */
    private @Nullable String text(Word word, Fields fields) {
        Node node = fields.value(word);
        return node == null ? "" : values.text(word, node);
    }

    private RuleNode.Flags flags(Fields fields, @Nullable String value) {
        boolean isShared = isOn(Word.SHARE_THRESHOLD, fields);
        if (isShared && value != null && value.indexOf('*') < 0) {
            report.mistake(
                    fields.key(Word.SHARE_THRESHOLD),
                    "`share_threshold` shares the counter of a pattern, and this `value` is none; write a `*` into the"
                            + " value, or remove the word");
        }
        return new RuleNode.Flags(
                isOn(Word.SHADOW_MODE, fields),
                isOn(Word.QUOTA_MODE, fields),
                isOn(Word.DETAILED_METRIC, fields),
                isOn(Word.VALUE_TO_METRIC, fields),
                isShared,
                values.failurePolicy(Word.ON_STORE_FAILURE, fields));
    }

    private boolean isOn(Word word, Fields fields) {
        Node node = fields.value(word);
        return node != null && values.isOn(word, node);
    }

    private Sized<Map<String, Object>> metadata(Fields fields) {
        Node node = fields.value(Word.METADATA);
        var map = node == null ? null : values.map(Word.METADATA, node);
        return map == null ? new Sized<>(Map.of(), 0) : metadata.read(map);
    }
}
