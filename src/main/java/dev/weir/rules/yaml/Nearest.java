package dev.weir.rules.yaml;

import dev.weir.rules.Edits;
import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the word that somebody probably meant. */
final class Nearest {
    private Nearest() {}

    /** Returns the candidate that needs the fewest edits, or null if every one needs more than a third of its letters. */
    static @Nullable String to(String written, Collection<String> candidates) {
        if (written.length() > Edits.LONGEST) {
            return null; // nobody's slip of the pen, and the distance costs length by length
        }
        String best = null;
        int fewest = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            int edits = Edits.between(written.toLowerCase(Locale.ROOT).replace('-', '_'), candidate);
            if (edits < fewest && edits <= Math.max(1, candidate.length() / 3)) {
                best = candidate;
                fewest = edits;
            }
        }
        return best;
    }
}
