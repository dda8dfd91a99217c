package dev.weir.admin;

import dev.weir.decide.key.KeyReader;
import dev.weir.limit.Algorithm;
import dev.weir.limit.Limit;
import dev.weir.request.Descriptor;
import dev.weir.words.Unseen;
import java.util.List;

/** Names a counter, or a descriptor that has none, in one line. */
final class CounterWords {
    private CounterWords() {}

    /** Returns domain, entries and limit, with semicolons between them. */
    static String of(KeyReader.Parts parts, Limit limit) {
        var quota = limit.quota();
        var words = words(parts.domain(), parts.entries());
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

    /** Returns domain and entries, as {@link KeyReader} has them. */
    static String of(String domain, Descriptor descriptor) {
        List<String> entries = descriptor.entries().stream()
                .map(entry -> entry.key() + "=" + entry.value())
                .toList();
        return words(domain, entries).toString();
    }

    private static StringBuilder words(String domain, List<String> entries) {
        var words = new StringBuilder(plain(domain));
        entries.forEach(entry -> words.append("; ").append(plain(entry)));
        return words;
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
