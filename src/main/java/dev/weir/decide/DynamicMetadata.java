package dev.weir.decide;

import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Request;
import dev.weir.request.Status;
import dev.weir.rules.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells the caller, as dynamic metadata, what it asked, and what the operator attached to the rules that let it pass.
 *
 * <p>The shape is the one of envoyproxy/ratelimit. Rules' metadata is merged for each answer anew, into maps of this
 * answer's own: in conflicts the first descriptor's value stays, maps are merged into each other, lists are not. Unlimited rules attach
 * nothing.
 */
final class DynamicMetadata {
    private static final long MICROS_PER_MILLI = 1_000;

    private DynamicMetadata() {}

    static Map<String, Object> of(Matched matched, List<Status> statuses, boolean isOver, long delayMicros) {
        Request request = matched.request();
        Map<String, Object> whole = new LinkedHashMap<>();
        whole.put("domain", request.domain());
        var descriptors = new ArrayList<Object>(request.descriptors().size());
        for (Descriptor descriptor : request.descriptors()) {
            descriptors.add(echo(descriptor));
        }
        whole.put("descriptors", descriptors);
        if (request.hitsAddend() != 0) {
            whole.put("hitsAddend", (double) request.hitsAddend());
        }
        Map<String, Object> attached = new LinkedHashMap<>();
        for (int i = 0; i < statuses.size(); i++) {
            Rule rule = matched.rule(i);
            Status status = statuses.get(i);
            // Without a limit it is unlimited, or nobody knows whether it passes.
            if (rule != null && status.quota() != null && !status.isOver()) {
                merge(attached, rule.metadata());
            }
        }
        if (!attached.isEmpty()) {
            whole.put("metadata", attached);
        }
        if (!isOver && delayMicros != Judge.NO_DELAY) {
            whole.put("weir", Map.of("delay_ms", (double) Math.ceilDiv(delayMicros, MICROS_PER_MILLI)));
        }
        return whole;
    }

    private static Map<String, Object> echo(Descriptor descriptor) {
        Map<String, Object> echo = new LinkedHashMap<>();
        var entries = new ArrayList<Object>(descriptor.entries().size());
        for (Entry entry : descriptor.entries()) {
            entries.add(entry.key() + "=" + entry.value());
        }
        echo.put("entries", entries);
        if (descriptor.override() != null) {
            echo.put("limit", text(descriptor.override()));
        }
        if (descriptor.hits() != Descriptor.UNSET_HITS) {
            echo.put("hitsAddend", (double) descriptor.hits());
        }
        return echo;
    }

    /** The override in protobuf's text format, fields with their default value left out. */
    private static String text(Quota override) {
        var fields = new ArrayList<String>(2);
        if (override.hits() != 0) {
            fields.add("requests_per_unit:" + override.hits());
        }
        Unit unit = override.unit();
        if (unit != null) { // the request's enum has no name for a week; text format then shows the number
            fields.add("unit:" + (unit == Unit.WEEK ? Integer.toString(unit.number()) : unit.name()));
        }
        return String.join(" ", fields);
    }

    private static void merge(Map<String, Object> into, Map<?, ?> more) {
        for (var entry : more.entrySet()) {
            String key = String.valueOf(entry.getKey());
            Object value = entry.getValue();
            Object known = into.get(key);
            if (known instanceof Map<?, ?> ours && value instanceof Map<?, ?> theirs) {
                Map<String, Object> both = new LinkedHashMap<>();
                merge(both, ours);
                merge(both, theirs);
                into.put(key, both);
            } else if (!into.containsKey(key)) {
                into.put(key, value);
            }
        }
    }
}
