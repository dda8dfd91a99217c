package dev.weir.rules.explain;

import dev.weir.request.Entry;
import dev.weir.rules.Rule.Level;
import dev.weir.words.Edits;
import java.util.Locale;

/** Tells a slip of the pen from another word. */
final class Spelling {
    private static final int LETTERS_PER_EDIT = 3;

    /** Longer ones are not compared with each pattern of thousands of rules. */
    private static final int MOST_FOLDED = 1_024;

    private Spelling() {}

    /** Returns whether the entry would fit if one of its key and its value were spelt otherwise; the other one fits. */
    static boolean isNear(Level level, Entry entry) {
        if (!level.key().equals(entry.key())) {
            return level.fits(entry.value()) && isNear(level.key(), entry.key());
        }
        return level.isPattern() ? fitsInAnyCase(level, entry) : isNear(level.value(), entry.value());
    }

    private static boolean fitsInAnyCase(Level level, Entry entry) {
        if (entry.value().length() > MOST_FOLDED) {
            return false;
        }
        var folded = new Level(level.key(), folded(level.value()), level.flags());
        return folded.fits(folded(entry.value()));
    }

    private static boolean isNear(String written, String asked) {
        if (written.equalsIgnoreCase(asked)) {
            return true;
        }
        int shorter = Math.min(written.length(), asked.length());
        int longer = Math.max(written.length(), asked.length());
        return longer <= Edits.LONGEST
                && shorter >= LETTERS_PER_EDIT
                && Edits.between(folded(written), folded(asked)) <= shorter / LETTERS_PER_EDIT;
    }

    private static String folded(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
