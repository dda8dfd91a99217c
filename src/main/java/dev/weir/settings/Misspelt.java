package dev.weir.settings;

import dev.weir.words.Edits;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** Variables that are one slip away from one of ours that is not set, and so change nothing though somebody set them. */
final class Misspelt {
    /** Shorter names are one slip away from those of others. */
    private static final int SHORTEST = 7;

    private Misspelt() {}

    /**
     * Returns a sentence for each, without its full stop and without its value.
     *
     * @param set the names that are set
     * @param known the names that are read, or known to be of no use
     */
    static List<String> remarks(Set<String> set, Collection<String> known) {
        return set.stream()
                .filter(name -> name.length() >= SHORTEST && !known.contains(name))
                .sorted()
                .flatMap(name -> meant(name, set, known)
                        .map(ours -> name + " is set, which is no variable of Weir: is `" + ours + "` meant?"))
                .toList();
    }

    private static Stream<String> meant(String name, Set<String> set, Collection<String> known) {
        String upper = name.toUpperCase(Locale.ROOT);
        return known.stream()
                .filter(ours -> !set.contains(ours) && isOneSlip(upper, ours))
                .sorted()
                .limit(1);
    }

    private static boolean isOneSlip(String name, String meant) {
        return Math.abs(name.length() - meant.length()) <= 1 && Edits.between(name, meant) <= 1;
    }
}
