package dev.weir.decide;

import dev.weir.request.Descriptor;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;

/**
 * How much one request may ask. The length of a key or value is bounded by nothing but the message: those are the end
 * user's, and refusing them would switch limiting off at callers that let errors pass.
 *
 * @param maxDescriptors descriptors of one request
 * @param maxEntries entries of one descriptor
 * @param maxHits hits of one descriptor
 */
public record Bounds(int maxDescriptors, int maxEntries, long maxHits) {

    /**
     * Checks the number of descriptors. Readers call it before each one: a short packed message may hold very many.
     *
     * @throws InvalidRequestException saying the bound
     */
    public void checkDescriptors(int descriptors) {
        if (descriptors > maxDescriptors) {
            throw new InvalidRequestException(
                    "a request may hold " + maxDescriptors + " descriptors (MAX_DESCRIPTORS), this one holds more");
        }
    }

    /**
     * Checks the number of entries of a descriptor, in the same way.
     *
     * @throws InvalidRequestException saying the bound
     */
    public void checkEntries(int entries) {
        if (entries > maxEntries) {
            throw new InvalidRequestException(
                    "a descriptor may hold " + maxEntries + " entries (MAX_ENTRIES), one of this request holds more");
        }
    }

    /**
     * Returns if the request can be decided.
     *
     * @throws InvalidRequestException saying what is wrong, and the bound
     */
    void check(Request request) {
        if (request.domain().isEmpty()) {
            throw new InvalidRequestException("rate limit domain must not be empty");
        }
        if (request.descriptors().isEmpty()) {
            throw new InvalidRequestException("rate limit descriptor list must not be empty");
        }
        checkDescriptors(request.descriptors().size());
        for (Descriptor descriptor : request.descriptors()) {
            checkEntries(descriptor.entries().size());
            long hits = request.hitsOf(descriptor);
            if (hits < 0) { // unsigned on the wire; a Java application may say anything
                throw new InvalidRequestException(
                        "hits may not be negative, one of this request is " + hits + "; a refund gives hits back");
            }
            if (hits > maxHits) {
                throw new InvalidRequestException("hits_addend may be at most " + maxHits
                        + " (MAX_HITS), one of this request is "
                        + (hits == Long.MAX_VALUE ? "beyond 2^63" : hits));
            }
        }
    }
}
