package dev.weir.store.redis.failure;

import dev.weir.store.StoreException;
import dev.weir.words.Secrets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.redisson.RedissonShutdownException;
import org.redisson.client.RedisMovedException;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.client.RedisTimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the failures of calls to Redis into words. What nobody thought of is a defect of ours, and stands in the log. */
public final class CallFailures {
    private static final String MOVED = "MOVED";

    private static final Logger LOG = LoggerFactory.getLogger(CallFailures.class);

    private final String place;
    private final boolean isCluster;
    private final Duration timeout;
    private final Supplier<Secrets> secrets;

    /** Where those came from that were told: each call may meet the same one, and a stack of it in the log will do. */
    private final Set<String> toldDefects = ConcurrentHashMap.newKeySet();

    /**
     * Creates the words.
     *
     * @param place the addresses of Redis
     * @param isCluster whether they are nodes of a cluster
     * @param timeout after which a call has failed
     * @param secrets what Redis is told now that it must not repeat to others
     */
    public CallFailures(String place, boolean isCluster, Duration timeout, Supplier<Secrets> secrets) {
        this.place = place;
        this.isCluster = isCluster;
        this.timeout = timeout;
        this.secrets = secrets;
    }

    /** Returns the failure of a call in words for the operator, and whether Redis answered at all. */
    public StoreException told(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof StoreException known) {
                return known;
            }
        }
        String words = words(failure);
        if (FailureWords.isShutOut(failure)) {
            return StoreException.ofShutOut(words);
        }
        return FailureWords.isAnswer(failure) ? StoreException.ofAnswer(words) : new StoreException(words);
    }

    private String words(Throwable failure) {
        Throwable root = FailureWords.rootOf(failure);
        if (root instanceof RedisTimeoutException) {
            return "Redis did not answer within " + timeout.toMillis() + " ms";
        }
        if (root instanceof RedissonShutdownException) {
            return "the store is closed";
        }
        String message = FailureWords.messageOf(failure);
        if (root instanceof RedisMovedException || message.startsWith(MOVED)) {
            return isCluster
                    ? "the nodes of the Redis cluster disagree about who keeps a slot"
                    : "Redis at " + place + " is a node of a cluster and keeps only some of the"
                            + " slots: connect to it as a cluster (REDIS_TYPE=CLUSTER)";
        }
        if (root instanceof TimeoutException) {
            return "two nodes of the Redis cluster send a call to each other: a slot's move is half done";
        }
        if (root instanceof RedisNodeNotFoundException) {
            return "no node that is known keeps this slot of the Redis cluster";
        }
        if (FailureWords.isTryAgain(root)) {
            return "a slot of the Redis cluster is moving, and the counters of a call are on two nodes";
        }
        if (!FailureWords.isTrouble(root) && toldDefects.add(placeOf(root))) {
            LOG.error("a defect on the way to Redis", withoutWords(root));
        }
        return "Redis failed: " + secrets.get().leftOut(FailureWords.of(failure));
    }

    /** What it says may be what was read or sent. */
    private static Throwable withoutWords(Throwable root) {
        var shown = new IllegalStateException(root.getClass().getName());
        shown.setStackTrace(root.getStackTrace());
        return shown;
    }

    private static String placeOf(Throwable root) {
        return root.getClass() + " " + Arrays.stream(root.getStackTrace()).findFirst();
    }
}
