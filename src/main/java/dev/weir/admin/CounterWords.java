package dev.weir.admin;

import dev.weir.decide.key.KeyReader;
import dev.weir.limit.Algorithm;
import dev.weir.limit.Limit;
import dev.weir.words.Unseen;

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
            if (point == ';' || point == '\\' || Unseen.is(point)) {
                plain.append(Unseen.number(point));
            } else {
                plain.appendCodePoint(point);
            }
        });
        return plain.toString();
    }
}
