package dev.weir.settings;

import dev.weir.settings.table.Environment;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.Rows;
import dev.weir.settings.table.Setting;
import dev.weir.settings.table.Setting.Group;
import java.util.List;

/**
 * How large a request may be.
 *
 * @param maxDescriptors descriptors of a request
 * @param maxEntries entries of a descriptor
 * @param maxMessageBytes bytes of a request
 * @param maxHits hits of a descriptor
 */
public record RequestBounds(int maxDescriptors, int maxEntries, int maxMessageBytes, int maxHits) {
    private static final Rows ROWS = new Rows(Group.BOUNDS);

    /** With eight limits each they still fit into the two bytes that tell the script how many checks a plan has. */
    private static final int MOST_DESCRIPTORS = 8_000;

    private static final Setting<Integer> MAX_DESCRIPTORS =
            ROWS.add("MAX_DESCRIPTORS", "64", Kind.number(1, MOST_DESCRIPTORS), "Descriptors of a request.");
    private static final Setting<Integer> MAX_ENTRIES =
            ROWS.add("MAX_ENTRIES", "32", Kind.number(1, 10_000), "Entries of a descriptor.");
    private static final Setting<Integer> MAX_MESSAGE_BYTES =
            ROWS.add("MAX_MESSAGE_BYTES", "1048576", Kind.number(1, 64 << 20), "Bytes of a request.");
    private static final Setting<Integer> MAX_HITS =
            ROWS.add("MAX_HITS", "1000000000", Kind.number(1, 1_000_000_000), "Hits of a descriptor.");

    static List<Setting<?>> rows() {
        return ROWS.all();
    }

    static RequestBounds of(Environment environment) {
        return new RequestBounds(
                environment.read(MAX_DESCRIPTORS),
                environment.read(MAX_ENTRIES),
                environment.read(MAX_MESSAGE_BYTES),
                environment.read(MAX_HITS));
    }
}
