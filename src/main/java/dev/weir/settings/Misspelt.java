package dev.weir.settings;

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

    /** Returns whether a character is missing, is too much or is another one, two have changed places, or all is the same. */
    private static boolean isOneSlip(String name, String meant) {
        int same = 0;
        while (same < Math.min(name.length(), meant.length()) && name.charAt(same) == meant.charAt(same)) {
            same++;
        }
        String rest = name.substring(same);
        String wanted = meant.substring(same);
        return endsAlike(rest, 0, wanted, 1)
                || endsAlike(rest, 1, wanted, 0)
                || endsAlike(rest, 1, wanted, 1)
                || (isSwapped(rest, wanted) && endsAlike(rest, 2, wanted, 2));
    }

    private static boolean isSwapped(String rest, String wanted) {
        return rest.length() >= 2
                && wanted.length() >= 2
                && rest.charAt(0) == wanted.charAt(1)
                && rest.charAt(1) == wanted.charAt(0);
    }

    private static boolean endsAlike(String rest, int from, String wanted, int wantedFrom) {
        return rest.substring(Math.min(from, rest.length()))
                .equals(wanted.substring(Math.min(wantedFrom, wanted.length())));
    }
}
