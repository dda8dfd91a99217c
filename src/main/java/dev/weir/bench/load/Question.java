package dev.weir.bench.load;

import java.util.List;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/**
 * What every request of a load asks, but for the number of its key.
 *
 * @param domain to ask
 * @param descriptors of each request, at least one
 * @param hits to ask for, 1 to 4,294,967,295
 */
public record Question(String domain, List<Descriptor> descriptors, long hits) {
    private static final long MAX_HITS = 0xFFFF_FFFFL;

    /** Checks that it can be asked. */
    public Question {
        descriptors = List.copyOf(descriptors);
        if (descriptors.isEmpty()) {
            throw new IllegalArgumentException("a question needs a descriptor");
        }
        if (hits < 1 || hits > MAX_HITS) {
            throw new IllegalArgumentException("hits are 1 to " + MAX_HITS + ", not " + hits);
        }
    }

    /** Returns whether a value holds the number of the key, so that there can be several keys. */
    public boolean hasNumber() {
        return mostKeys() > 1;
    }

    /** Returns how many keys can be told apart at most: who sees only the last digits of a number sees few. */
    public int mostKeys() {
        return descriptors.stream()
                .flatMap(descriptor -> descriptor.entries().stream())
                .mapToInt(Entry::mostKeys)
                .max()
                .orElseThrow();
    }

    /**
     * A list of entries, in the order of the rules.
     *
     * @param entries at least one
     */
    public record Descriptor(List<Entry> entries) {
        /** Copies the entries. */
        public Descriptor {
            entries = List.copyOf(entries);
            if (entries.isEmpty()) {
                throw new IllegalArgumentException("a descriptor needs an entry");
            }
        }
    }

    /**
     * A key and the template of its value: {@code %d} stands for the number of the key, {@code %03d} for the last three of its
     * digits (or so many others, 1 to 9), {@code %%} for a percent sign.
     *
     * @param key sent as it is
     * @param template of the value
     */
    public record Entry(String key, String template) {
        private static final Pattern PLACEHOLDER = Pattern.compile("%(?:d|0([1-9])d|%)");
        private static final String SIGN = "%";

        /** Checks the template. */
        public Entry {
            if (PLACEHOLDER.matcher(template).replaceAll("").contains(SIGN)) {
                throw new IllegalArgumentException(
                        "'" + key + "=" + template + "' holds a percent sign that means nothing:"
                                + " give %d for the number of the key, %03d for its last three digits, %% for a percent sign");
            }
        }

        private int mostKeys() {
            return PLACEHOLDER
                    .matcher(template)
                    .results()
                    .filter(place -> !place.group().equals("%%"))
                    .mapToInt(place -> place.group(1) == null
                            ? Integer.MAX_VALUE
                            : Math.powExact(10, Integer.parseInt(place.group(1))))
                    .max()
                    .orElse(1);
        }

        /**
         * Returns the value.
         *
         * @param digits gives the number of the key in so many digits; in as many as it has for 0
         */
        public String value(IntFunction<String> digits) {
            return PLACEHOLDER.matcher(template).replaceAll(place -> {
                String width = place.group(1);
                return place.group().equals("%%") ? SIGN : digits.apply(width == null ? 0 : Integer.parseInt(width));
            });
        }
    }
}
