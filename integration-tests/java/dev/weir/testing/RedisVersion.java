package dev.weir.testing;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** A Redis, or a Valkey, that can be started here. Its text names the case of a parameterized test. */
public sealed interface RedisVersion {

    /** Returns the number of the version: of an executable in full, of an image as far as its tag tells. */
    String number();

    /** Returns whether this version is {@code major} or newer. */
    default boolean isAtLeast(int major) {
        int end = number().indexOf('.');
        return Integer.parseInt(end < 0 ? number() : number().substring(0, end)) >= major;
    }

    /** A program of this machine. */
    record Executable(String product, String number, Path path, String origin) implements RedisVersion {
        private static final Pattern TOLD = Pattern.compile("(?<product>Redis|Valkey) server v=(?<number>[0-9.]+)");

        /** Returns the program that said {@code told} when it was asked for its version, or nothing if it is neither. */
        public static Optional<Executable> thatSays(String told, Path path, String origin) {
            var version = TOLD.matcher(told);
            return version.find()
                    ? Optional.of(new Executable(version.group("product"), version.group("number"), path, origin))
                    : Optional.empty();
        }

        /** Returns whether both are the same version of the same product. */
        boolean saysTheSame(Executable other) {
            return product.equals(other.product) && number.equals(other.number);
        }

        @Override
        public String toString() {
            return "%s %s (%s)".formatted(product, number, origin);
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
