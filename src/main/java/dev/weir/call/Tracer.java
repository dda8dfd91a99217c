package dev.weir.call;

import org.jspecify.annotations.Nullable;

/** Says which calls are followed. Called from the threads of connections: must neither block nor throw. */
@FunctionalInterface
public interface Tracer {
    /**
     * Looks at a call that begins.
     *
     * @param path of the method
     * @param headers what came with the call; to be read now and not later
     */
    Trace begin(String path, Headers headers);

    /** What came with a call, by names in lower case, as HTTP/2 has them. */
    @FunctionalInterface
    interface Headers {
        /** Returns the header's value, or null if there is none. */
        @Nullable
        String get(String name);
    }
}
