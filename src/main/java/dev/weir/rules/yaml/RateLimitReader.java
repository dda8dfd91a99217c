package dev.weir.rules.yaml;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.RateLimit;
import dev.weir.rules.yaml.Word.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

/** Reads {@code rate_limit}. */
final class RateLimitReader {
    private static final List<String> UNITS = Arrays.stream(Unit.values())
            .sorted((one, other) -> Long.compare(one.seconds(), other.seconds()))
            .map(unit -> unit.name().toLowerCase(Locale.ROOT))
            .toList();

    private final Report report;
    private final Maps maps;
    private final Values values;
    private final Once<Optional<RateLimit>> once;

    RateLimitReader(Maps maps, Report report) {
        this.report = report;
        this.maps = maps;
        this.values = new Values(report);
        this.once = new Once<>(report);
    }

    /** Returns the limit, or null if it is wrong; the mistakes are reported. */
    @Nullable
    RateLimit read(MappingNode map) {
        return once.read(map, Optional.empty(), () -> Optional.ofNullable(limit(map)))
                .orElse(null);
    }

    private @Nullable RateLimit limit(MappingNode map) {
        var fields = new Fields(Place.RATE_LIMIT, map, maps, report);
        Node nameNode = fields.value(Word.NAME);
        String name = nameNode == null ? "" : values.text(Word.NAME, nameNode);
        var replaces = replaces(fields, name);
        Node unlimited = fields.value(Word.UNLIMITED);
        boolean isUnlimited = unlimited != null && values.isOn(Word.UNLIMITED, unlimited);
        String unit = unitText(fields);
        Long requests = requests(fields);
        if (isUnlimited) {
            if (unit == null || !unit.isEmpty()) {
                report.mistake(fields.key(Word.UNIT), "an unlimited rule has no window; remove `unit`, or `unlimited`");
            }
            return name == null ? null : RateLimit.unlimited(replaces);
        }
        var quota = quota(fields, unit, requests);
        return name == null || quota == null
                ? null
                : new RateLimit(List.of(new NamedLimit(Limit.fixedWindow(quota), name)), replaces);
    }

    /** The unit as written, empty if there is none, null if it is no text. */
    private @Nullable String unitText(Fields fields) {
        Node node = fields.value(Word.UNIT);
        return node == null ? "" : values.text(Word.UNIT, node);
    }

    private @Nullable Long requests(Fields fields) {
        Node node = fields.value(Word.REQUESTS_PER_UNIT);
        return node == null || Values.isNothing(node) ? null : values.number(Word.REQUESTS_PER_UNIT, node);
    }

    private @Nullable Quota quota(Fields fields, @Nullable String unitText, @Nullable Long requests) {
        Node requestsNode = fields.value(Word.REQUESTS_PER_UNIT);
        boolean hasNoRequests = requestsNode == null || Values.isNothing(requestsNode);
        if ("".equals(unitText) && hasNoRequests) {
            fields.missing(
                    List.of(Word.UNIT, Word.REQUESTS_PER_UNIT, Word.UNLIMITED),
                    "a `rate_limit` says either `unit` and `requests_per_unit`, or `unlimited: true`; write one of them");
            return null;
        }
        if (hasNoRequests) {
            fields.missing(
                    Word.REQUESTS_PER_UNIT,
                    "`requests_per_unit` is missing; write the number of hits in one unit, 0 to refuse everything");
        }
        Unit unit = unitText == null ? null : unit(fields, unitText);
        return unit == null || requests == null ? null : Quota.per(unit, requests);
    }

    private @Nullable Unit unit(Fields fields, String text) {
        if (text.isEmpty()) {
            fields.missing(Word.UNIT, "`unit` is missing; write " + String.join(", ", UNITS));
            return null;
        }
        Unit unit = Unit.ofName(text);
        Node node = fields.value(Word.UNIT);
        if (unit == null && node != null) {
            String near = Nearest.to(text, UNITS);
            String advice = near == null ? "write " + String.join(", ", UNITS) : "did you mean `" + near + "`?";
            report.mistake(node, "there is no unit `%s`; %s".formatted(text, advice));
        }
        return unit;
    }

    private List<String> replaces(Fields fields, @Nullable String ownName) {
        Node node = fields.value(Word.REPLACES);
        var list = node == null ? null : values.list(Word.REPLACES, node);
        List<String> names = new ArrayList<>();
        for (var map : list == null ? List.<MappingNode>of() : values.maps(Word.REPLACES, list)) {
            var entry = new Fields(Place.REPLACES, map, maps, report);
            Node nameNode = entry.value(Word.REPLACED);
            String name = nameNode == null ? "" : values.text(Word.REPLACED, nameNode);
            if (name == null) {
                continue;
            }
            if (name.isEmpty()) {
                entry.missing(
                        Word.REPLACED, "an entry of `replaces` needs the `name` of a rule; write `- name: <name>`");
            } else if (name.equals(ownName)) {
                report.mistake(
                        entry.key(Word.REPLACED), "the rule `%s` replaces itself; remove this entry".formatted(name));
            } else {
                names.add(name);
            }
        }
        return names;
    }
}
