package dev.weir.request;

import java.util.Objects;

/**
 * One key and value of a descriptor.
 *
 * @param key never empty on the wire of a well-behaved caller; an empty one matches no rule
 * @param value what the caller saw: anything, empty included
 */
public record Entry(String key, String value) {

    public Entry {
        Objects.requireNonNull(key, "key of an entry");
        Objects.requireNonNull(value, "value of an entry");
    }
}
