package dev.weir.cli;

import dev.weir.grpc.Answer;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.words.Unseen;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An answer for people: the whole first, then a line for each descriptor. */
final class AnswerText {
    private AnswerText() {}

    static String of(List<Descriptor> descriptors, Answer answer) {
        var text = new StringBuilder(word(answer.isOver())).append('\n');
        for (int i = 0; i < descriptors.size(); i++) {
            String said = i < answer.statuses().size() ? line(answer.statuses().get(i)) : "no answer";
            text.append("  ")
                    .append(Unseen.shown(entries(descriptors.get(i)) + ": " + said))
                    .append('\n');
        }
        return text.toString();
    }

    private static String entries(Descriptor descriptor) {
        return descriptor.entries().stream()
                .map(entry -> entry.key() + "=" + entry.value())
                .collect(Collectors.joining(","));
    }

    private static String line(Answer.Status status) {
        var limit = status.limit();
        if (limit == null) {
            return word(status.isOver())
                    + (status.remaining() == 0 ? ", no limit applied (no rule, or replaced)" : ", unlimited");
        }
        return word(status.isOver()) + ", limit " + limit.hits() + " per " + window(limit.unit())
                + (limit.name().isEmpty() ? "" : " (" + limit.name() + ")")
                + ", " + status.remaining() + " left, resets in " + status.resetSeconds() + " s";
    }

    private static String window(@Nullable Unit unit) {
        return unit == null ? "window of several units" : unit.name().toLowerCase(Locale.ROOT);
    }

    private static String word(boolean isOver) {
        return isOver ? "OVER LIMIT" : "OK";
    }
}
