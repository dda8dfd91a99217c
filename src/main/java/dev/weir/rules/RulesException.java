package dev.weir.rules;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Rules that cannot be put in force, with the mistakes found in them. */
public final class RulesException extends Exception {
    private final transient List<Mistake> mistakes;

    /** Creates the exception from at least one mistake. */
    public RulesException(List<Mistake> mistakes) {
        this.mistakes = List.copyOf(mistakes);
    }

    /** Returns all mistakes, each in a line; most of the time nobody asks. */
    @Override
    public String getMessage() {
        return mistakes.stream().map(Mistake::toString).collect(Collectors.joining("\n"));
    }

    /** Returns the mistakes, by file, line and column. */
    public List<Mistake> mistakes() {
        return mistakes;
    }

    /**
     * Mistakes in the making of one exception, up to a thousand: what generates rules may make the same one in each of a
     * million descriptors. A mistake that comes twice, as from what several aliases lead to, is told once.
     */
    public static final class Mistakes {
        private static final int MOST = 1_000;

        private final Set<Mistake> first = new LinkedHashSet<>();
        private long more;

        /** Notes a mistake. */
        public void add(Mistake mistake) {
            if (first.size() < MOST) {
                first.add(mistake);
            } else if (!first.contains(mistake)) {
                more++;
            }
        }

        /** Notes all mistakes of others. */
        public void addAll(Mistakes others) {
            others.first.forEach(this::add);
            more += others.more;
        }

        /** Returns whether there is none. */
        public boolean isEmpty() {
            return first.isEmpty();
        }

        /**
         * Returns the first thousand as they came, and at last how many there are beyond.
         *
         * @param whole where those are
         */
        public List<Mistake> all(String whole) {
            List<Mistake> all = new ArrayList<>(first);
            if (more > 0) {
                all.add(new Mistake(whole, 0, 0, more + " more are not told"));
            }
            return all;
        }
    }
}
