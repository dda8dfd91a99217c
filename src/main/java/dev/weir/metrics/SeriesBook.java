package dev.weir.metrics;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * All series by their names.
 *
 * <p>Series of configured rules are as many as the operator wrote. Those that callers make by their values are bounded: once
 * there are so many, or their names are so long, hits of new names go to {@code other}. Nothing is forgotten: a counter that goes away and comes back
 * would tell nonsense.
 */
final class SeriesBook {
    private static final String OTHER = "other";

    /** A name holds values of callers, and those may be as long as a message. */
    private static final int LONGEST_NAME = 1_024;

    /** What the names may have on average: each stands on every page as often as there are kinds of counts. */
    private static final int CHARACTERS_EACH = 64;

    private final Map<String, Series> byName = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> unknownDomains = new ConcurrentHashMap<>();
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicLong characters = new AtomicLong();
    private final LongAdder folded = new LongAdder();
    private final int maxMade;
    private final long maxCharacters;

    /**
     * Creates an empty book.
     *
     * @param maxMade how many series callers may make
     */
    SeriesBook(int maxMade) {
        this.maxMade = maxMade;
        this.maxCharacters = (long) CHARACTERS_EACH * maxMade;
    }

    /** Returns the series of a name that the rules gave. */
    Series configured(String name) {
        return byName.computeIfAbsent(name, Series::new);
    }

    /**
     * Returns the series of a name that a caller made, or that of all others of its domain.
     *
     * @param domain one that has rules
     */
    Series made(String domain, String name) {
        Series known = byName.get(name);
        if (known != null) {
            return known;
        }
        if (!mayMake(name)) {
            return configured(SeriesName.clean(domain) + "." + OTHER);
        }
        return byName.computeIfAbsent(name, Series::new);
    }

    /** Counts descriptors of a domain that has no rules. */
    void domainNotFound(String domain, int descriptors) {
        String name = SeriesName.clean(domain);
        LongAdder known = unknownDomains.get(name);
        if (known == null) {
            String kept = mayMake(name) ? name : OTHER;
            known = unknownDomains.computeIfAbsent(kept, _ -> new LongAdder());
        }
        known.add(descriptors);
    }

    /** Takes one of the places; two threads that make the same name at the same time take two. */
    private boolean mayMake(String name) {
        if (name.length() <= LONGEST_NAME
                && made.get() < maxMade
                && hasCharacters(name.length())
                && made.incrementAndGet() <= maxMade) {
            return true;
        }
        folded.increment();
        return false;
    }

    private boolean hasCharacters(int more) {
        if (characters.addAndGet(more) <= maxCharacters) {
            return true;
        }
        characters.addAndGet(-more);
        return false;
    }

    /** Returns how many series callers have made. */
    int made() {
        return Math.min(made.get(), maxMade);
    }

    /** Returns how often hits went to {@code other} because there were too many names, or too long ones. */
    long folded() {
        return folded.sum();
    }

    Collection<Series> all() {
        return byName.values();
    }

    Map<String, LongAdder> unknownDomains() {
        return unknownDomains;
    }
}
