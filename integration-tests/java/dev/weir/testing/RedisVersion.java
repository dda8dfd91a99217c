package dev.weir.testing;

import java.nio.file.Path;

/** A Redis that can be started here. Its text names the case of a parameterized test. */
public sealed interface RedisVersion {

    /** Returns the number of the version: of an executable in full, of an image as far as its tag tells. */
    String number();

    /** Returns whether this version is {@code major} or newer. */
    default boolean isAtLeast(int major) {
        int end = number().indexOf('.');
        return Integer.parseInt(end < 0 ? number() : number().substring(0, end)) >= major;
    }

    /** A program of this machine. */
    record Executable(String number, Path path, String origin) implements RedisVersion {
        @Override
        public String toString() {
            return "Redis %s (%s)".formatted(number, origin);
        }
    }

    /** An image for the Docker engine at hand. */
    record Image(String number, String name) implements RedisVersion {
        @Override
        public String toString() {
            return "Redis %s (Docker)".formatted(number);
        }
    }
}
