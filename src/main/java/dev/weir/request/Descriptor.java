package dev.weir.request;

import dev.weir.limit.Quota;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An ordered list of entries that names what is limited, and what the caller says of it.
 *
 * @param entries in the caller's order, which matters
 * @param override the limit that the caller wants in place of the configured one, or null
 * @param hits what this descriptor asks for: 0 only looks; {@link #UNSET_HITS} leaves it to the request
 * @param isRefund whether the hits are given back ({@code is_negative_hits}, Envoy 1.38 and later)
 */
public record Descriptor(List<Entry> entries, @Nullable Quota override, long hits, boolean isRefund) {
    /** The descriptor says nothing of hits: the request's number counts. */
    public static final long UNSET_HITS = -1;

    public Descriptor {
        entries = List.copyOf(entries);
    }

    /** Returns a descriptor that leaves limit and hits to the rules and the request. */
    public static Descriptor of(Entry... entries) {
        return new Descriptor(List.of(entries), null, UNSET_HITS, false);
    }

    /** Returns the same descriptor, which is held against this limit in place of the configured one. */
    public Descriptor withLimit(Quota limit) {
        return new Descriptor(entries, limit, hits, isRefund);
    }

    /**
     * Returns the same descriptor, which asks for so many hits.
     *
     * @param number 0 only looks
     * @throws InvalidRequestException if it is negative
     */
    public Descriptor withHits(long number) {
        if (number < 0) {
            throw new InvalidRequestException(
                    "hits may not be negative, these are " + number + "; a refund gives hits back");
        }
        return new Descriptor(entries, override, number, isRefund);
    }

    /** Returns the same descriptor, whose hits are given back. */
    public Descriptor asRefund() {
        return new Descriptor(entries, override, hits, true);
    }
}
