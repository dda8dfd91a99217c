package dev.weir.request;

import java.util.List;
import java.util.Objects;

/**
 * One question of a caller: may what these descriptors name pass?
 *
 * @param domain the set of rules to ask
 * @param descriptors at least one in a valid question; every one is answered with a status of its own
 * @param hitsAddend hits of each descriptor that names none itself, as on the wire: 0 is unset and counts as 1
 */
public record Request(String domain, List<Descriptor> descriptors, long hitsAddend) {

    public Request {
        Objects.requireNonNull(domain, "domain of a request");
        descriptors = List.copyOf(descriptors);
    }

    /** Returns a question that leaves the hits to the descriptors: one of each that names none. */
    public static Request of(String domain, Descriptor... descriptors) {
        return new Request(domain, List.of(descriptors), 0);
    }

    /** Returns the hits of {@code descriptor}: its own number, 0 included, else the request's, where 0 means 1. */
    public long hitsOf(Descriptor descriptor) {
        if (descriptor.hits() != Descriptor.UNSET_HITS) {
            return descriptor.hits();
        }
        return hitsAddend == 0 ? 1 : hitsAddend;
    }
}
