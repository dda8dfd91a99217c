package dev.weir.words;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the word that somebody probably meant. */
public final class Nearest {
    private Nearest() {}

    /** Returns the candidate that needs the fewest edits, or null if every one needs more than a third of its letters. */
    public static @Nullable String to(String written, Collection<String> candidates) {
        if (written.length() > Edits.LONGEST) {
            return null; // nobody's slip of the pen, and the distance costs length by length
        }
        String word = normal(written);
        String best = null;
        int fewest = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            int most = Math.max(1, candidate.length() / 3);
            if (Math.abs(word.length() - candidate.length()) > most) {
                continue; // so many letters at least would have to come or go, and to count them all takes long
            }
            int edits = Edits.between(word, normal(candidate));
            if (edits < fewest && edits <= most) {
                best = candidate;
                fewest = edits;
            }
        }
        return best;
    }

    /** Of both texts: YAML's words are small letters with underscores, but the names that users give are whatever they like. */
    private static String normal(String text) {
        return text.toLowerCase(Locale.ROOT).replace('-', '_');
    }
}
