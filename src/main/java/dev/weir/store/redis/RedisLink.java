package dev.weir.store.redis;

import dev.weir.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.client.RedisMovedException;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one Redis: connections kept by Redisson, and calls of the script over them.
 *
 * <p>No call is ever sent twice, because a call whose reply was lost may well have counted: Redisson's resending is
 * switched off. The one exception is a Redis that does not know the script: then nothing ran, the script is loaded, and the
 * call goes out again.
 */
final class RedisLink implements AutoCloseable {
    // Below ten connections Redisson gives one back as soon as the command is written, so calls follow each other in
    // it.
    private static final int MAX_CONNECTIONS = 8;
    private static final Duration RECONNECT_EVERY = Duration.ofMillis(200);

    // A peer that is gone without a word is noticed by the second ping.
    private static final int PING_EVERY_MILLIS = 1_000;
    private static final String NO_SCRIPT = "NOSCRIPT";
    private static final String CROSS_SLOT = "CROSSSLOT";
    private static final String MOVED = "MOVED";

    private static final Logger LOG = LoggerFactory.getLogger(RedisLink.class);

    private final RedisOptions options;
    private final Script script;
    private volatile @Nullable RedissonClient client;
    private volatile boolean isClosed;

    RedisLink(RedisOptions options, Script script) {
        this.options = options;
        this.script = script;
    }

    /** Returns whether {@link #connect} has succeeded. */
    boolean isConnected() {
        return client != null;
    }

    /**
     * Connects, and leaves it to Redisson to stay connected. Blocks up to the connect timeout for each connection.
     *
     * @throws StoreException if Redis cannot be reached now
     */
    void connect() {
        RedissonClient connected;
        try {
            connected = Redisson.create(config());
        } catch (RuntimeException e) { // Redisson lets more out than its own exceptions
            throw new StoreException("Redis at " + options.address() + " cannot be reached: " + wordsOf(e));
        }
        client = connected;
        if (isClosed) {
            connected.shutdown();
        }
    }

    /** Returns whether Redis refused a call as a whole because its keys live in different slots. */
    static boolean isCrossSlot(Throwable failure) {
        return messageOf(failure).startsWith(CROSS_SLOT);
    }

    /**
     * Calls the script.
     *
     * @param slotKey a key of the slot that {@code keys} live in, for a cluster
     * @return its reply, or what {@link #told} makes a failure of
     */
    CompletableFuture<byte[]> call(String slotKey, List<Object> keys, byte[] arguments) {
        RedissonClient connected = client;
        if (connected == null) {
            return CompletableFuture.failedFuture(
                    new StoreException("Redis at " + options.address() + " was not reached yet"));
        }
        RScript scripts = connected.getScript(ByteArrayCodec.INSTANCE);
        return send(scripts, slotKey, keys, arguments)
                .exceptionallyCompose(failure -> isUnknownScript(failure)
                        ? loadAndSend(scripts, slotKey, keys, arguments)
                        : CompletableFuture.failedFuture(failure));
    }

    private static boolean isUnknownScript(Throwable failure) {
        return messageOf(failure).startsWith(NO_SCRIPT);
    }

    private CompletableFuture<byte[]> loadAndSend(
            RScript scripts, String slotKey, List<Object> keys, byte[] arguments) {
        return scripts.scriptLoadAsync(slotKey, script.text())
                .toCompletableFuture()
                .thenCompose(_ -> send(scripts, slotKey, keys, arguments));
    }

    private CompletableFuture<byte[]> send(RScript scripts, String slotKey, List<Object> keys, byte[] arguments) {
        return scripts.<byte[]>evalShaAsync(
                        slotKey, RScript.Mode.READ_WRITE, script.sha(), RScript.ReturnType.VALUE, keys, (Object)
                                arguments)
                .toCompletableFuture();
    }

    private Config config() {
        Config config = new Config();
        config.setCodec(ByteArrayCodec.INSTANCE);
        config.setThreads(1);
        config.setTcpKeepAlive(true);
        config.setTcpNoDelay(true);
        config.setNettyThreads(Math.max(2, Runtime.getRuntime().availableProcessors()));
        if (options.username() != null) {
            config.setUsername(options.username());
        }
        if (options.password() != null) {
            config.setPassword(options.password());
        }
        int connections = Math.min(MAX_CONNECTIONS, options.inFlight());
        config.useSingleServer()
                .setAddress(options.address())
                .setDatabase(options.database())
                .setConnectionPoolSize(connections)
                .setConnectionMinimumIdleSize(connections)
                .setSubscriptionConnectionPoolSize(1)
                .setSubscriptionConnectionMinimumIdleSize(0)
                .setConnectTimeout((int) options.connectTimeout().toMillis())
                .setTimeout((int) options.timeout().toMillis())
                .setPingConnectionInterval(PING_EVERY_MILLIS)
                .setRetryAttempts(0)
                .setReconnectionDelay(new ConstantDelay(RECONNECT_EVERY));
        return config;
    }

    /** Puts the failure of a call into words for the operator. */
    StoreException told(Throwable failure) {
        Throwable root = rootOf(failure);
        if (root instanceof StoreException known) {
            return known;
        }
        if (root instanceof RedisTimeoutException) {
            return new StoreException(
                    "Redis did not answer within " + options.timeout().toMillis() + " ms");
        }
        if (root instanceof RedisMovedException || messageOf(failure).startsWith(MOVED)) {
            return new StoreException("Redis at " + options.address()
                    + " is a node of a cluster and keeps only some of the slots:"
                    + " clusters of several nodes are not supported yet by this version");
        }
        if (!(root instanceof RedisException) && !(root instanceof IOException)) {
            LOG.error("a defect on the way to Redis", failure);
        }
        return new StoreException("Redis failed: " + wordsOf(failure));
    }

    /**
     * What Redis or the network said. Redisson's own words are left out: they hold the command with its keys, and so the
     * values of people.
     */
    private static String wordsOf(Throwable failure) {
        Throwable root = rootOf(failure);
        String message = messageOf(failure);
        int end = message.indexOf(". channel:");
        if (end >= 0) {
            return message.substring(0, end);
        }
        return root instanceof IOException ? message : root.getClass().getSimpleName();
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private static String messageOf(Throwable failure) {
        String message = rootOf(failure).getMessage();
        return message == null ? "" : message;
    }

    @Override
    public void close() {
        isClosed = true;
        RedissonClient connected = client;
        if (connected != null) {
            connected.shutdown();
        }
    }
}
