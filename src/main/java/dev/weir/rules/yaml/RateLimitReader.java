package dev.weir.rules.yaml;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.rules.Checks;
import dev.weir.rules.Mistake;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.RateLimit;
import dev.weir.rules.yaml.Node.Mapping;
import dev.weir.rules.yaml.Node.Scalar;
import dev.weir.rules.yaml.Node.Sequence;
import dev.weir.rules.yaml.Word.Place;
import dev.weir.words.Nearest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code rate_limit}, and {@code rate_limits}, the list of several. */
final class RateLimitReader {
    /** Each limit is a check of its own in every request that lands on it. */
    private static final int MOST_LIMITS = 8;

    /** Names that a limit may replace and that weigh no more than its descriptor does anyway. */
    private static final int REPLACED_UNCOUNTED = 16;

    private static final Set<String> EMPTY_LIMITS = Set.of("Null", "NULL");

    private final Report report;
    private final Maps maps;
    private final DescriptorRoom room;
    private final Values values;
    private final LimitReader limits;
    private final Once<Optional<RateLimit>> once;
    private final Once<Entry> entriesOnce;
    private final Names names = new Names();

    /**
     * Prepares the reading of one file's limits.
     *
     * @param fixedWindowCharge the charge of fixed windows that state none
     */
    RateLimitReader(Maps maps, Charge fixedWindowCharge, DescriptorRoom room, Report report) {
        this.report = report;
        this.maps = maps;
        this.room = room;
        this.values = new Values(report);
        this.limits = new LimitReader(fixedWindowCharge, report);
        this.once = new Once<>(report);
        this.entriesOnce = new Once<>(report);
    }

    /** Returns the names of limits, as far as they were read. */
    Names names() {
        return names;
    }

    /** Returns what a descriptor says about its rate, or null if it says nothing or something wrong. */
    @Nullable
    RateLimit read(Fields descriptor) {
        Node one = descriptor.given(Word.RATE_LIMIT);
        Node several = descriptor.given(Word.RATE_LIMITS);
        if (one != null && several != null) {
            report.mistake(
                    descriptor.key(Word.RATE_LIMITS),
                    "`rate_limits` stands in place of `rate_limit`, not beside it; write all limits into `rate_limits`");
        }
        refuseEmpty(descriptor.value(Word.RATE_LIMIT));
        for (Word word : List.of(Word.RATE_LIMIT, Word.RATE_LIMITS)) {
            if (one == null && several == null && descriptor.value(word) != null) {
                report.remark(
                        descriptor.key(word),
                        "`%s` has nothing behind it, so that it limits nothing; write a limit, or `unlimited: true` if that is meant"
                                .formatted(word.text()));
            }
        }
        var map = one == null ? null : values.map(Word.RATE_LIMIT, one);
        var list = several == null ? null : values.list(Word.RATE_LIMITS, several);
        var fromMap = map == null ? null : read(map, () -> rateLimit(map));
        var fromList = list == null ? null : read(list, () -> rateLimit(list));
        return fromMap == null ? fromList : fromMap;
    }

    /** To the Go service these two words are a limit without a unit, which it refuses, and the others of their kind are none. */
    private void refuseEmpty(@Nullable Node limit) {
        if (limit instanceof Scalar word && Values.isNothing(word) && EMPTY_LIMITS.contains(word.text())) {
            report.mistake(
                    word,
                    "`%s` is a limit that has no unit; write `unit: ...` and `requests_per_unit: ...`, or remove `rate_limit`"
                            .formatted(word.text()));
        }
    }

    private @Nullable RateLimit read(Node node, Reading reading) {
        var limit = once.read(node, Optional.empty(), () -> Optional.ofNullable(reading.read()))
                .orElse(null);
        if (limit != null) {
            maps.repeated(node, limit.replaces().size());
        }
        return limit;
    }

    private @Nullable RateLimit rateLimit(Mapping map) {
        var fields = new Fields(Place.RATE_LIMIT, map, maps, report);
        Node unlimited = fields.value(Word.UNLIMITED);
        if (unlimited == null || !values.isOn(Word.UNLIMITED, unlimited)) {
            var entry = entry(fields, Place.RATE_LIMIT);
            return entry.limit() == null ? null : new RateLimit(List.of(entry.limit()), entry.replaces());
        }
        String name = name(fields);
        var replaces = replaces(fields, name);
        limits.refuseBesideUnlimited(fields);
        return name == null ? null : RateLimit.unlimited(replaces);
    }

    private @Nullable RateLimit rateLimit(Sequence list) {
        int size = list.elements().size();
        if (size == 0 || size > MOST_LIMITS) {
            report.mistake(
                    list,
                    size == 0
                            ? "`rate_limits` has no limit; write `- unit: ...`, or remove the word"
                            : "`rate_limits` has %d limits, and %d are the most; remove some"
                                    .formatted(size, MOST_LIMITS));
            return null;
        }
        List<NamedLimit> named = new ArrayList<>();
        Map<String, Node> replaces = new LinkedHashMap<>();
        Map<Counter, Node> counters = new HashMap<>();
        for (var map : values.maps(Word.RATE_LIMITS, list)) {
            var entry = entriesOnce.read(
                    map,
                    new Entry(null, List.of(), map),
                    () -> entry(new Fields(Place.RATE_LIMITS, map, maps, report), Place.RATE_LIMITS));
            if (entry.limit() != null) {
                refuseShared(counters.putIfAbsent(Counter.of(entry.limit().limit()), map), map);
                named.add(entry.limit());
            }
            maps.repeated(map, entry.replaces().size());
            entry.replaces().forEach(name -> replaces.putIfAbsent(name, entry.replacesPlace()));
        }
        for (var limit : named) {
            Node own = replaces.get(limit.name());
            if (own != null) {
                report.mistake(
                        own,
                        "the rule replaces its own limit `%s`; remove it from `replaces`"
                                .formatted(Mistake.quoted(limit.name())));
            }
        }
        return named.isEmpty() ? null : new RateLimit(named, List.copyOf(replaces.keySet()));
    }

    private void refuseShared(@Nullable Node first, Node second) {
        if (first != null) {
            report.mistake(
                    second,
                    ("this limit and the one at %s count alike in windows of the same length, and would share one counter;"
                                    + " remove one, or give it another `algorithm`")
                            .formatted(report.place(first)));
        }
    }

    private Entry entry(Fields fields, Place place) {
        String name = name(fields);
        var replaces = replaces(fields, name);
        var limit = limits.read(fields, place);
        return new Entry(
                name == null || limit == null ? null : new NamedLimit(limit, name),
                replaces,
                fields.key(Word.REPLACES));
    }

    private @Nullable String name(Fields fields) {
        Node node = fields.value(Word.NAME);
        String name = node == null ? "" : values.text(Word.NAME, node);
        if (name != null && !name.isEmpty()) {
            names.given.add(name);
        }
        return name;
    }

    private List<String> replaces(Fields fields, @Nullable String ownName) {
        Node node = fields.value(Word.REPLACES);
        var list = node == null ? null : values.list(Word.REPLACES, node);
        List<String> replaced = new ArrayList<>();
        if (list != null) {
            maps.repeated(list, list.elements().size());
            room.replaced(Math.max(0, list.elements().size() - REPLACED_UNCOUNTED), list);
        }
        for (var map : list == null ? List.<Mapping>of() : values.maps(Word.REPLACES, list)) {
            var entry = new Fields(Place.REPLACES, map, maps, report);
            Node nameNode = entry.value(Word.REPLACED);
            String name = nameNode == null ? "" : values.text(Word.REPLACED, nameNode);
            if (name == null) {
                continue;
            }
            String wrong = Checks.replaced(name, ownName);
            if (wrong == null) {
                replaced.add(name);
                names.replaced.putIfAbsent(name, Spot.of(report, entry.key(Word.REPLACED)));
            } else if (name.isEmpty()) {
                entry.missing(Word.REPLACED, wrong);
            } else {
                report.mistake(entry.key(Word.REPLACED), wrong);
            }
        }
        return replaced;
    }

    /** The names of the limits of a domain, and where each of those that its rules replace is written first. */
    static final class Names {
        /** Names to compare with those that are not there: ten thousand with ten thousand would take minutes. */
        private static final int MOST_COMPARED = 10_000;

        private final Set<String> given = new HashSet<>();
        private final Map<String, Spot> replaced = new LinkedHashMap<>();

        /** Adds what another file says of the same domain. */
        Names and(Names others) {
            given.addAll(others.given);
            others.replaced.forEach(replaced::putIfAbsent);
            return this;
        }

        /** Reports the names that are replaced and not there, once the whole domain was read. */
        void remark() {
            int left = MOST_COMPARED;
            for (var each : replaced.entrySet()) {
                if (given.contains(each.getKey())) {
                    continue;
                }
                left -= given.size();
                String near = left < 0 ? null : Nearest.to(each.getKey(), given);
                each.getValue()
                        .remark("no limit of this domain is called `%s`, so that nothing is replaced; %s"
                                .formatted(
                                        Mistake.quoted(each.getKey()),
                                        near == null
                                                ? "give one that `name`, or remove the entry"
                                                : "did you mean `" + Mistake.quoted(near) + "`?"));
            }
        }
    }

    /** Where something stands: there may be very many, so none holds its node. */
    private record Spot(Report report, int line, int column) {
        static Spot of(Report report, Node node) {
            return new Spot(report, node.line(), node.column());
        }

        private void remark(String message) {
            report.remark(line, column, message);
        }
    }

    private interface Reading {
        @Nullable
        RateLimit read();
    }

    /**
     * One limit as it stands in the file.
     *
     * @param limit null if it is wrong
     * @param replaces the names that it replaces
     * @param replacesPlace where they stand
     */
    private record Entry(@Nullable NamedLimit limit, List<String> replaces, Node replacesPlace) {}

    /** What tells the counters of one descriptor apart. */
    private record Counter(int algorithm, long windowSeconds, int parts) {
        private static Counter of(Limit limit) {
            int parts = limit.algorithm() instanceof Algorithm.SlidingWindow(int count) ? count : 1;
            return new Counter(limit.algorithm().number(), limit.quota().windowSeconds(), parts);
        }
    }
}
