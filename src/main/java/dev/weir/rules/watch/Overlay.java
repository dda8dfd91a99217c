package dev.weir.rules.watch;

import dev.weir.rules.SourceFile;
import java.util.List;

/** Rules from elsewhere than the disk, which stand in place of what files say of their domains. */
@FunctionalInterface
public interface Overlay {
    /** There are none. */
    Overlay NONE = () -> Laid.NOTHING;

    /** Looks, and returns what there is; what there was when nothing can be seen. May block for a moment. */
    Laid look();

    /** Hears that what was seen is in force now. */
    default void inForce(Laid what) {}

    /**
     * What lies over the files.
     *
     * @param stamp changes with what there is
     * @param origin where it comes from, as in {@code 2 domains of the store}; empty if there is nothing
     * @param sources that stand in place of others
     */
    record Laid(String stamp, String origin, List<SourceFile> sources) {
        public static final Laid NOTHING = new Laid("", "", List.of());

        public Laid {
            sources = List.copyOf(sources);
        }
    }
}
