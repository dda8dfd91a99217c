package dev.weir.rules.watch;

import dev.weir.rules.RulesException;
import org.jspecify.annotations.Nullable;

/**
 * The listings of a directory that is watched, one for each look. While too much lies below it, most looks are told so from memory: to
 * find it out takes as long as to look at all the files that may lie there.
 */
final class Listings {
    private static final int LOOKS_FROM_MEMORY = 39;

    private final RuleFiles files;
    private final Disk disk;
    private @Nullable RulesException tooMuch;
    private int fromMemory;

    Listings(RuleFiles files, Disk disk) {
        this.files = files;
        this.disk = disk;
    }

    /** Lists the files as {@link RuleFiles#listing} does, and throws as it does. */
    Walk.Listing next() throws RulesException, DiskException {
        if (tooMuch != null && fromMemory > 0) {
            fromMemory--;
            throw tooMuch;
        }
        try {
            return files.listing(disk);
        } catch (RulesException e) {
            tooMuch = Walk.isTooMuch(e) ? e : null;
            fromMemory = LOOKS_FROM_MEMORY;
            throw e;
        }
    }
}
