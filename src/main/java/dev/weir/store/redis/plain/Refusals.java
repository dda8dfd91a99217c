package dev.weir.store.redis.plain;

import java.util.Set;

/**
 * Which errors say that a command was not executed: those of Redis. What stands between may say others when it has passed the
 * command on and lost the answer, as nutcracker's {@code ERR Connection timed out} and {@code upstream failure} of Envoy's
 * {@code redis_proxy}.
 */
final class Refusals {
    /** The word that Redis begins all those with for which it has no other; others begin many with it. */
    private static final String ANY = "ERR ";

    private static final Set<String> CODES = Set.of(
            "ASK",
            "BUSY",
            "CLUSTERDOWN",
            "CROSSSLOT",
            "DENIED",
            "LOADING",
            "MASTERDOWN",
            "MISCONF",
            "MOVED",
            "NOAUTH",
            "NOPERM",
            "NOREPLICAS",
            "OOM",
            "READONLY",
            "TRYAGAIN",
            "WRONGTYPE");

    private static final Set<String> ANY_CODES =
            Set.of("value is not an integer", "increment or decrement would overflow", "unknown command");

    private Refusals() {}

    /** Returns whether the error of an INCRBY says that nothing was added. */
    static boolean isOfRedis(String error) {
        if (error.startsWith(ANY)) {
            return ANY_CODES.stream().anyMatch(words -> error.startsWith(words, ANY.length()));
        }
        int end = error.indexOf(' ');
        return CODES.contains(end < 0 ? error : error.substring(0, end));
    }
}
