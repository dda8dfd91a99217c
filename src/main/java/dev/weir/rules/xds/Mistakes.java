package dev.weir.rules.xds;

import dev.weir.rules.Mistake;
import java.util.ArrayList;
import java.util.List;

/**
 * The mistakes in all resources of a response, up to a thousand: what generates resources may make the same one in each of a
 * million descriptors.
 */
final class Mistakes {
    private static final int MOST = 1_000;

    private final List<Mistake> first = new ArrayList<>();
    private int more;

    void add(Mistake mistake) {
        if (first.size() < MOST) {
            first.add(mistake);
        } else {
            more++;
        }
    }

    boolean isEmpty() {
        return first.isEmpty();
    }

    /** Returns them, and how many there are beyond. */
    List<Mistake> all() {
        List<Mistake> all = new ArrayList<>(first);
        if (more > 0) {
            all.add(new Mistake("response", 0, 0, more + " more mistakes are not told"));
        }
        return all;
    }
}
