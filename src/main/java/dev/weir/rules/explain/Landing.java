package dev.weir.rules.explain;

import dev.weir.request.Entry;
import dev.weir.rules.Rule.Level;

/** How an entry lands on a node that fits it, in order of precedence. */
enum Landing {
    EXACT("an exact value"),
    PATTERN("a pattern"),
    BARE("a bare key");

    private final String words;

    Landing(String words) {
        this.words = words;
    }

    /** Returns how {@code entry} lands; a value that is a pattern's very text lands on it as on any text. */
    static Landing of(Level level, Entry entry) {
        if (level.isBare()) {
            return BARE;
        }
        return level.value().equals(entry.value()) ? EXACT : PATTERN;
    }

    /** Returns why a node on which the entry lands like this goes before {@code other}. */
    String before(Landing other) {
        return this == other ? "the first pattern in the file wins" : words + " goes before " + other.words;
    }
}
