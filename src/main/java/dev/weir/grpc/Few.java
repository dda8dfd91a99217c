package dev.weir.grpc;

import java.util.ArrayList;
import java.util.List;

/** Lists that grow while a message is read. Most have one or two items, and then need no array. */
final class Few {
    private Few() {}

    /** Returns the list with an item more; the old one must not be used any longer. */
    static <T> List<T> with(List<T> list, T item) {
        return switch (list.size()) {
            case 0 -> List.of(item);
            case 1 -> List.of(list.getFirst(), item);
            case 2 -> many(list, item);
            default -> {
                list.add(item);
                yield list;
            }
        };
    }

    private static <T> List<T> many(List<T> two, T item) {
        List<T> longer = new ArrayList<>(two);
        longer.add(item);
        return longer;
    }
}
