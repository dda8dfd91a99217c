package dev.weir.limit;

/**
 * A quota and the way in which hits against it are counted.
 *
 * @param quota hits per window
 * @param algorithm how they are counted
 */
public record Limit(Quota quota, Algorithm algorithm) {

    /** Returns the limit that counts {@code quota} in fixed windows. */
    public static Limit fixedWindow(Quota quota) {
        return new Limit(quota, new Algorithm.FixedWindow());
    }
}
