package dev.weir.http;

/**
 * What a caller says who wants more than everybody may.
 *
 * @param said the header of that name; empty without one, or with one that is longer than a page would read
 */
public record Authorization(String said) {
    /** A secret may stand in it. */
    @Override
    public String toString() {
        return said.isEmpty() ? "none" : "***";
    }
}
