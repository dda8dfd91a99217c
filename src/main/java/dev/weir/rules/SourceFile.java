package dev.weir.rules;

/**
 * One file (or resource) of rules as it was found.
 *
 * @param name how mistakes in it are called: its path as the operator knows it
 * @param content its bytes; handed over, not copied
 * @param isInPlace whether it stands in place of what all others say of its domain
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier between two rooms, never compared
public record SourceFile(String name, byte[] content, boolean isInPlace) {

    /** Returns one among others. */
    public static SourceFile of(String name, byte[] content) {
        return new SourceFile(name, content, false);
    }
}
