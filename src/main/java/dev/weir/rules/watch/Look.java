package dev.weir.rules.watch;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link RulesWatch} has seen.
 *
 * @param failure why there are no files, or empty
 * @param stamp of what lies over the files
 */
record Look(Walk.Listing listing, String failure, String stamp) {

    /** Returns whether nothing but what lies over the files has changed, which comes whole. */
    boolean seesFilesOf(@Nullable Look other) {
        return other != null && listing.equals(other.listing) && failure.equals(other.failure);
    }
}
