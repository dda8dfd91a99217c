package dev.weir.store.redis;

import dev.weir.words.Secrets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * How to reach Redis and how to use it.
 *
 * @param topology where it is
 * @param login what lets us in
 * @param newestLogin what lets each connection in that is made from now on, of one Redis or a cluster; null for what let us in first.
 *     Does not block
 * @param database number of the database; a cluster has 0 only
 * @param tls how connections are encrypted that begin with {@code rediss://}, or null for what Java trusts
 * @param connectTimeout for one attempt to make one connection
 * @param timeout after which a call has failed and the next one may go. Callers are not bound by it but by a layer's
 *     deadline: a call that is under way keeps its turn even when nobody waits for it any more, for what was written to a
 *     silent Redis stays in memory, and few calls under way keep that small
 * @param keyPrefix before every key; holds no braces
 * @param hashTags number of hash tags that counters are spread over, a power of two
 * @param inFlight batches that each thread may have under way at once, 1 to 8; in a cluster, by the script to the counters of
 *     one hash tag, and as many the short way to each node
 */
public record RedisOptions(
        Topology topology,
        Login login,
        @Nullable Supplier<Login> newestLogin,
        int database,
        @Nullable Tls tls,
        Duration connectTimeout,
        Duration timeout,
        String keyPrefix,
        int hashTags,
        int inFlight) {

    /**
     * What Redis is told before it lets us in.
     *
     * @param username of the ACL user, or null
     * @param password or null; never printed
     */
    public record Login(@Nullable String username, @Nullable String password) {
        /** Nothing. */
        public static final Login NONE = new Login(null, null);

        @Override
        public String toString() {
            return password == null ? "none" : "***";
        }
    }

    /**
     * How connections are encrypted. What the factories give is asked for anew for each, so that it may change.
     *
     * @param authorities whose signature under Redis's certificate is believed
     * @param identity who we are to Redis, or null if it does not ask
     * @param isCheckingName whether the certificate must be for the host that we asked for
     */
    public record Tls(
            TrustManagerFactory authorities, @Nullable KeyManagerFactory identity, boolean isCheckingName) {}

    /** Returns what Redis and sentinels are told now that they must not repeat to others. */
    Secrets secrets() {
        Login newest = newestLogin == null ? login : newestLogin.get();
        var told = Stream.of(login.username(), login.password(), newest.username(), newest.password());
        var toSentinels = topology instanceof Topology.Sentinel sentinel
                ? Stream.of(sentinel.username(), sentinel.password())
                : Stream.<@Nullable String>empty();
        return Secrets.among(
                Stream.concat(told, toSentinels).filter(Objects::nonNull).toList());
    }

    /** How Redis is laid out; its text is what an operator knows it by. */
    public sealed interface Topology {
        /**
         * One address that takes every key: a node, or a proxy in front of some.
         *
         * @param address {@code redis://host:port}, {@code rediss://host:port}, or {@code redis+uds://path} of a Unix socket
         */
        record Single(String address) implements Topology {
            @Override
            public String toString() {
                return address;
            }
        }

        /**
         * A Redis Cluster.
         *
         * @param addresses {@code redis://host:port}, or all {@code rediss://host:port}, of some of its nodes; the others are
         *     learned from the first that answers
         */
        record Cluster(List<String> addresses) implements Topology {
            public Cluster {
                addresses = List.copyOf(addresses);
            }

            @Override
            public String toString() {
                return String.join(", ", addresses);
            }
        }

        /**
         * A master and its replicas, watched by sentinels, who say which of them is the master.
         *
         * @param master the name under which they watch it
         * @param addresses {@code redis://host:port}, or all {@code rediss://host:port}, of some sentinels; the others are
         *     learned from the first that answers
         * @param username of the sentinels' ACL user, or null
         * @param password of the sentinels, or null; never printed
         */
        record Sentinel(
                String master,
                List<String> addresses,
                @Nullable String username,
                @Nullable String password) implements Topology {
            public Sentinel {
                addresses = List.copyOf(addresses);
            }

            @Override
            public String toString() {
                return master + " of the sentinels " + String.join(", ", addresses);
            }
        }
    }

    @Override
    public String toString() {
        return topology + "/" + database;
    }
}
