package dev.weir.rules.yaml;

import dev.weir.rules.NameWeight;
import dev.weir.rules.RuleNode;
import dev.weir.rules.yaml.Once.Sized;
import java.util.List;

/**
 * What all files share: what they may hold together, as {@link Sized} counts, and the pauses while they are parsed. What is read of
 * a file is counted at once, and taken from what is left for the others when it is read to its end.
 */
final class DescriptorRoom {
    /** A descriptor is compiled in each place that an alias puts it, and weighs as much as so many merged pieces of metadata. */
    static final int WEIGHT = 4;

    /**
     * Pieces of metadata, or a quarter as many descriptors, that aliases and merge keys may add to those written out, in all
     * files: a few lines can ask for billions. The heap must hold twice as many while they are loaded anew.
     */
    static final long MOST_REPEATED = 200_000;

    /** Half of what the heap has for one. Those with many words take 1,140, and no file has room for as many with more. */
    private static final long NODE_BYTES_OF_A_DESCRIPTOR = 1_536;

    /** Of the nodes of all descriptors so many may be there at any time, for a file of few descriptors with many limits. */
    private static final int LEAST_SHARE = 8;

    private final Composer.Pauses pauses;
    private final long leastNodes;
    private long left;
    private long repeatedLeft = MOST_REPEATED;
    private boolean isExceeded;

    // Of the file that is being read, without what aliases and merge keys repeat: descriptors and pieces of metadata;
    // replaced names, each for such a piece; and what the names that lead to descriptors weigh, in descriptors.
    private long written;
    private long replaced;
    private long names;

    /**
     * Begins with all of it.
     *
     * @param mostDescriptors how many descriptors there may be
     * @param pause is run now and then while files are parsed
     */
    DescriptorRoom(long mostDescriptors, Runnable pause) {
        pauses = new Composer.Pauses(pause);
        leastNodes = mostDescriptors / LEAST_SHARE;
        left = WEIGHT * mostDescriptors;
    }

    /** Begins another file. */
    void begin() {
        written = 0;
        replaced = 0;
        names = 0;
    }

    Composer.Pauses pauses() {
        return pauses;
    }

    /** Returns how much aliases and merge keys may add yet. */
    long repeatedLeft() {
        return repeatedLeft;
    }

    /** Returns what nodes may take now: they are descriptors to be, so it shrinks with the room for those. */
    long nodeBytes() {
        return NODE_BYTES_OF_A_DESCRIPTOR * Math.max(leastNodes, (left - written - replaced) / WEIGHT);
    }

    /**
     * Counts a descriptor.
     *
     * @throws TooMuchException if there is no room for it, as all methods do that count
     */
    void descriptor(Node place) {
        written += WEIGHT;
        refuseTooMuch(place);
    }

    /** Counts what the names that lead to a descriptor weigh. */
    void names(long weight, Node place) {
        names += weight;
        refuseTooMuch(place);
    }

    /** Counts pieces of metadata, before they are read. */
    void metadata(int pieces, Node place) {
        written += pieces;
        refuseTooMuch(place);
    }

    /** Counts replaced names, before they are read. */
    void replaced(int count, Node place) {
        replaced += count;
        refuseTooMuch(place);
    }

    private void refuseTooMuch(Node place) {
        if (written + replaced + WEIGHT * names > left) {
            throw tooMuch(place);
        }
    }

    private TooMuchException tooMuch(Node place) {
        isExceeded = true;
        return new TooMuchException(place);
    }

    /**
     * Takes what a file came to that was read to its end.
     *
     * @param above bytes of the domain's name
     * @return whether it was taken; else aliases and merge keys repeat more than is left
     * @throws TooMuchException if there is no room for what it came to
     */
    boolean take(Sized<List<RuleNode>> descriptors, long above, Node place) {
        long repeated = Math.max(0, descriptors.size() - written);
        if (repeated > repeatedLeft) {
            return false;
        }
        repeatedLeft -= repeated;
        left -= written + replaced + repeated;
        // In all places, as bounded as the places are: no sum of what aliases lead to can say it.
        left -= WEIGHT * NameWeight.of(descriptors.value(), above, left / WEIGHT);
        if (left < 0) {
            throw tooMuch(place);
        }
        return true;
    }

    /** Returns whether more was met; then no file need be read any more. */
    boolean isExceeded() {
        return isExceeded;
    }

    /** More than there is room for. */
    static final class TooMuchException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient Node place;

        private TooMuchException(Node place) {
            super(null, null, false, false);
            this.place = place;
        }

        Node place() {
            return place;
        }
    }
}
