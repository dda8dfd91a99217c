package dev.weir.cli;

import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Status;
import dev.weir.request.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A verdict for people: the whole first, then a line for each descriptor. */
final class VerdictText {
    private VerdictText() {}

    static String of(List<Descriptor> descriptors, Verdict verdict) {
        var text = new StringBuilder(word(verdict.isOver())).append('\n');
        for (int i = 0; i < descriptors.size(); i++) {
            text.append("  ").append(entries(descriptors.get(i))).append(": ");
            text.append(i < verdict.statuses().size() ? line(verdict.statuses().get(i)) : "no answer")
                    .append('\n');
        }
        return text.toString();
    }

    private static String entries(Descriptor descriptor) {
        return descriptor.entries().stream()
                .map(entry -> entry.key() + "=" + entry.value())
                .collect(Collectors.joining(","));
    }

    private static String line(Status status) {
        Quota quota = status.quota();
        if (quota == null) {
            return word(status.isOver()) + (status.remaining() == 0 ? ", no rule" : ", unlimited");
        }
        return word(status.isOver()) + ", limit " + quota.hits() + window(quota)
                + (status.name().isEmpty() ? "" : " (" + status.name() + ")")
                + ", " + status.remaining() + " left, resets in " + status.resetSeconds() + " s";
    }

    private static String window(Quota quota) {
        Unit unit = quota.unit();
        return unit == null
                ? " in " + quota.windowSeconds() + " s"
                : " per " + unit.name().toLowerCase(Locale.ROOT);
    }

    private static String word(boolean isOver) {
        return isOver ? "OVER LIMIT" : "OK";
    }
}
