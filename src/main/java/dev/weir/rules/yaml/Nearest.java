package dev.weir.rules.yaml;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the word that somebody probably meant. */
final class Nearest {
    private Nearest() {}

    /** Returns the candidate that needs the fewest edits, or null if every one needs more than a third of its letters. */
    static @Nullable String to(String written, Collection<String> candidates) {
        if (written.length() > 64) {
            return null; // nobody's slip of the pen, and the distance costs length by length
        }
        String best = null;
        int fewest = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            int edits = edits(written.toLowerCase(Locale.ROOT).replace('-', '_'), candidate);
            if (edits < fewest && edits <= Math.max(1, candidate.length() / 3)) {
                best = candidate;
                fewest = edits;
            }
        }
        return best;
    }

    /** Counts letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
    private static int edits(String from, String to) {
        int[][] cost = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int replaced = cost[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                cost[i][j] = Math.min(replaced, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[from.length()][to.length()];
    }
}
