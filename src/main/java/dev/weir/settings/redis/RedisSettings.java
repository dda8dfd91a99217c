package dev.weir.settings.redis;

import dev.weir.settings.table.Environment;
import dev.weir.settings.table.SettingsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How to reach Redis, and how counters are laid out in it.
 *
 * @param layout what is found there
 * @param master the name by which sentinels know it; empty where there are none
 * @param addresses where it listens: one, of a cluster some of its nodes, or some of its sentinels
 * @param credentials what to say to {@code AUTH}; {@link Credentials#NONE} says nothing
 * @param authFile where what to say to {@code AUTH} stands anew while we run; null if it stays
 * @param sentinelCredentials what to say to a sentinel's {@code AUTH} if it asks
 * @param database what to say to {@code SELECT}; 0 says nothing
 * @param tls how connections are encrypted, or null if they are not
 * @param connectTimeout how long a connection may take to be made
 * @param keyPrefix what every counter's key begins with; holds neither <code>{</code> nor <code>}</code>
 * @param hashTags into how many hash tags counters are spread, a power of two
 * @param inFlight how many batches each thread may have under way to one node, 1 to 8
 */
public record RedisSettings(
        Layout layout,
        String master,
        List<Address> addresses,
        Credentials credentials,
        @Nullable AuthFile authFile,
        Credentials sentinelCredentials,
        int database,
        @Nullable Tls tls,
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
        /** A master and its replicas, watched by sentinels. */
        SENTINEL,
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

        /** Reads {@code password} or {@code user:password}. */
        static Credentials of(String text) {
            int colon = text.indexOf(':');
            return new Credentials(colon < 0 ? "" : text.substring(0, colon), text.substring(colon + 1));
        }

        /** Returns these, and of the others what these do not say. */
        Credentials orOf(Credentials others) {
            return new Credentials(
                    user.isEmpty() ? others.user : user, password.isEmpty() ? others.password : password);
        }

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
     * How connections are encrypted. The files were there, and in order, when the settings were read.
     *
     * @param authorities certificates to trust beside those that Java knows, or null for no others
     * @param certificate our own, or null if we have none
     * @param key its key, or null if we have none
     * @param isCheckingName whether Redis's certificate must be for the host that we asked for
     */
    public record Tls(
            @Nullable Path authorities,
            @Nullable Path certificate,
            @Nullable Path key,
            boolean isCheckingName) {}

    /**
     * What a counter's key depends on besides the counter.
     *
     * @param prefix as {@link RedisSettings#keyPrefix}
     * @param hashTags as {@link RedisSettings#hashTags}
     * @param isPerSecondApart whether limits per second have a Redis of their own
     */
    public record Keys(String prefix, int hashTags, boolean isPerSecondApart) {}

    /**
     * Reads {@code CACHE_KEY_PREFIX}, {@code REDIS_HASH_TAGS} and {@code REDIS_PERSECOND} alone, for who wants to know a key and no Redis.
     *
     * @throws SettingsException if one of them is wrong
     */
    public static Keys keys(Map<String, String> variables) throws SettingsException {
        var environment = new Environment(variables);
        var keys = new Keys(
                environment.read(RedisRows.CACHE_KEY_PREFIX),
                environment.read(RedisRows.REDIS_HASH_TAGS),
                environment.read(RedisRows.REDIS_PERSECOND));
        environment.throwMistakes();
        return keys;
    }

    /** Returns where Redis is, in words that fit after "at" and hold no secret. */
    public String place() {
        String listed = addresses.stream().map(Address::toString).collect(Collectors.joining(", "));
        return switch (layout) {
            case SINGLE -> listed;
            case SENTINEL -> master + " of the sentinels " + listed;
            case CLUSTER -> listed + " (a cluster)";
        };
    }

    /** Reads how to reach the first Redis. */
    public static RedisSettings of(Environment environment) {
        return of(environment, RedisRows.FIRST);
    }

    /** Reads how to reach the Redis of limits per second; null if there is none. */
    public static @Nullable RedisSettings ofPerSecond(Environment environment) {
        return environment.read(RedisRows.REDIS_PERSECOND) ? of(environment, RedisRows.PER_SECOND) : null;
    }

    private static RedisSettings of(Environment environment, RedisServerRows server) {
        RedisUrl url = environment.read(server.url);
        Credentials credentials = server.credentials(environment);
        return new RedisSettings(
                environment.read(server.type),
                url.master(),
                url.addresses(),
                credentials,
                server.authFile(environment, credentials),
                server.sentinelCredentials(environment),
                url.database(),
                server.isEncrypted(environment) ? RedisRows.TLS.read(environment) : null,
                environment.read(server.timeout),
                environment.read(RedisRows.CACHE_KEY_PREFIX),
                environment.read(RedisRows.REDIS_HASH_TAGS),
                environment.read(RedisRows.REDIS_IN_FLIGHT));
    }
}
