package dev.weir.http;

import java.util.Map;

/**
 * What a port shows.
 *
 * @param byPath each page by its path
 * @param other answers all other requests
 */
public record Pages(Map<String, Page> byPath, Page other) {
    public Pages {
        byPath = Map.copyOf(byPath);
    }

    Page of(String path) {
        return byPath.getOrDefault(path, other);
    }

    /** Returns how many bytes of a body the page wants that wants most. */
    int mostBytes() {
        return byPath.values().stream().mapToInt(Page::mostBytes).max().orElse(0);
    }
}
