package dev.weir.admin;

import dev.weir.decide.key.KeyReader;
import dev.weir.limit.Algorithm;
import dev.weir.limit.Limit;
import java.util.Locale;

/** Names a counter in one line. */
final class CounterWords {
    private CounterWords() {}

    /** Returns domain, entries and limit, with semicolons between them. */
    static String of(KeyReader.Parts parts, Limit limit) {
        var quota = limit.quota();
        var words = new StringBuilder(plain(parts.domain()));
        parts.entries().forEach(entry -> words.append("; ").append(plain(entry)));
        words.append("; ")
                .append(quota.hits())
                .append(" in ")
                .append(quota.windowSeconds())
                .append(" s");
        if (!(limit.algorithm() instanceof Algorithm.FixedWindow)) {
            words.append("; ").append(RuleLines.word(limit.algorithm()));
        }
        return words.toString();
    }

    /** What callers send could else begin a line or a part of its own, turn the line around, or speak to the terminal. */
    static String plain(String text) {
        var plain = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            if (point == ';' || point == '\\' || isUnseen(point)) {
                plain.append(String.format(Locale.ROOT, "\\u{%x}", point));
            } else {
                plain.appendCodePoint(point);
            }
        });
        return plain.toString();
    }

    private static boolean isUnseen(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> true;
            default -> false;
        };
    }
}
