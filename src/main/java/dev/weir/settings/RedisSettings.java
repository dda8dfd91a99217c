package dev.weir.settings;

import dev.weir.settings.table.Environment;
import dev.weir.settings.table.SettingsException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How to reach Redis, and how counters are laid out in it.
 *
 * @param layout what is found there
 * @param addresses where it listens: one, or of a cluster some of its nodes
 * @param credentials what to say to {@code AUTH}; {@link Credentials#NONE} says nothing
 * @param database what to say to {@code SELECT}; 0 says nothing
 * @param connectTimeout how long a connection may take to be made
 * @param keyPrefix what every counter's key begins with; holds neither <code>{</code> nor <code>}</code>
 * @param hashTags into how many hash tags counters are spread, a power of two
 * @param inFlight how many batches may be under way to one node, 1 to 8
 */
public record RedisSettings(
        Layout layout,
        List<Address> addresses,
        Credentials credentials,
        int database,
        Duration connectTimeout,
        String keyPrefix,
        int hashTags,
        int inFlight) {

    public RedisSettings {
        addresses = List.copyOf(addresses);
    }

    /** How Redis is laid out. */
    public enum Layout {
        /** One address that takes every key: a node, or a proxy in front of some. */
        SINGLE,
        /** A Redis Cluster. */
        CLUSTER
    }

    /** Where Redis listens. */
    public sealed interface Address {
        /**
         * A host of the network.
         *
         * @param host a name or an address, IPv6 without brackets
         * @param port 1 to 65535
         */
        record Tcp(String host, int port) implements Address {
            @Override
            public String toString() {
                return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
            }
        }

        /**
         * A Unix socket of this machine.
         *
         * @param path the socket's file
         */
        record Socket(String path) implements Address {
            @Override
            public String toString() {
                return path;
            }
        }
    }

    /**
     * A user and a password; its text shows neither.
     *
     * @param user empty for Redis's default user
     * @param password empty if there is none
     */
    public record Credentials(String user, String password) {
        /** Nothing to say to {@code AUTH}. */
        public static final Credentials NONE = new Credentials("", "");

        /** Returns whether there is nothing to say to {@code AUTH}. */
        public boolean isNone() {
            return password.isEmpty() && user.isEmpty();
        }

        @Override
        public String toString() {
            return isNone() ? "none" : "***";
        }
    }

    /**
     * What a counter's key depends on besides the counter.
     *
     * @param prefix as {@link RedisSettings#keyPrefix}
     * @param hashTags as {@link RedisSettings#hashTags}
     */
    public record Keys(String prefix, int hashTags) {}

    /**
     * Reads {@code CACHE_KEY_PREFIX} and {@code REDIS_HASH_TAGS} alone, for who wants to know a key and no Redis.
     *
     * @throws SettingsException if one of them is wrong
     */
    public static Keys keys(Map<String, String> variables) throws SettingsException {
        var environment = new Environment(variables);
        var keys = new Keys(environment.read(RedisRows.CACHE_KEY_PREFIX), environment.read(RedisRows.REDIS_HASH_TAGS));
        environment.throwMistakes();
        return keys;
    }

    /** Returns where Redis is, in words that fit after "at" and hold no secret. */
    public String place() {
        return addresses.stream().map(Address::toString).collect(Collectors.joining(", "))
                + (layout == Layout.CLUSTER ? " (a cluster)" : "");
    }

    static RedisSettings of(Environment environment) {
        var url = environment.read(RedisRows.REDIS_URL);
        return new RedisSettings(
                environment.read(RedisRows.REDIS_TYPE),
                url.addresses(),
                credentials(environment.read(RedisRows.REDIS_AUTH), url.credentials()),
                url.database(),
                environment.read(RedisRows.REDIS_TIMEOUT),
                environment.read(RedisRows.CACHE_KEY_PREFIX),
                environment.read(RedisRows.REDIS_HASH_TAGS),
                environment.read(RedisRows.REDIS_IN_FLIGHT));
    }

    /** What REDIS_AUTH says wins, part by part, over what the address says. */
    private static Credentials credentials(String auth, Credentials ofUrl) {
        int colon = auth.indexOf(':');
        String user = colon < 0 ? "" : auth.substring(0, colon);
        String password = auth.substring(colon + 1);
        return new Credentials(user.isEmpty() ? ofUrl.user() : user, password.isEmpty() ? ofUrl.password() : password);
    }
}
