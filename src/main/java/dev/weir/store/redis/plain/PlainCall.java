package dev.weir.store.redis.plain;

import dev.weir.limit.FixedWindowModel;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Merged;
import dev.weir.store.StoreException;
import io.netty.buffer.ByteBuf;
import io.netty.util.Timeout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.redisson.RedissonShutdownException;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisConnection;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.WriteRedisConnectionException;
import org.redisson.client.protocol.CommandData;
import org.redisson.client.protocol.QueueCommand;
import org.redisson.client.protocol.RedisCommands;
import org.redisson.connection.ConnectionManager;
import org.redisson.connection.MasterSlaveEntry;
import org.redisson.connection.ServiceManager;

/**
 * Hits that are added to counters by plain commands: what Redis's clock says, and an INCRBY for each counter, in one piece.
 * Before that of a counter that is not known stands a SET which begins it where it does not exist.
 *
 * <p>Redis does this for about half of what the script costs it. It is right wherever a counter's window goes on, which its
 * value says: then what stood there before says who was admitted, as with plain.lua. Of all other counters what was added is
 * worth nothing, for a value of another window counts as none; they are left without an answer, and the script counts their
 * hits.
 *
 * <p>Redisson keeps the connections and which command is whose turn. It has no public way to send several commands whose keys
 * are bytes without objects that cost as much as Redis saves, so this goes to its connections ({@link PlainCodec}). Belongs to
 * the thread of the connection, but for {@link #send}.
 */
public final class PlainCall implements QueueCommand {
    private static final long[] NONE = {};

    private final List<Merged> checks;
    private final byte[][] keys;
    private final byte[] clock;
    private final long[] begins;
    private final long[] lives;
    private final long sentNanos;
    private final PlainReplies replies;
    private final Owed owed;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private long answeredNanos;
    private volatile boolean isWritten;

    /**
     * Makes a call.
     *
     * @param checks as {@link ShortWay#take} gives them; none, to see whether Redis says the time
     * @param shortWay knows which of their counters stand there
     * @param clock the server's
     * @param slotKey a key of a slot on the node that all counters live on, for a cluster
     * @param redisKey under which Redis keeps a counter
     */
    public PlainCall(
            List<Merged> checks,
            ShortWay shortWay,
            ServerClock clock,
            String slotKey,
            Function<CounterKey, byte[]> redisKey) {
        this.checks = checks;
        this.clock = clock.command().apply(slotKey);
        this.keys = new byte[checks.size()][];
        this.sentNanos = System.nanoTime();
        long[] states = NONE;
        long[] millis = NONE;
        for (int i = 0; i < keys.length; i++) {
            Check check = checks.get(i).check();
            keys[i] = redisKey.apply(check.key());
            if (!shortWay.isBegun(check.key(), sentNanos)) {
                if (states.length == 0) { // most batches have none of these
                    states = new long[keys.length];
                    millis = new long[keys.length];
                }
                long window = check.limit().quota().windowMicros();
                long about = shortWay.now(sentNanos);
                states[i] = FixedWindowModel.begun(window, about);
                millis[i] = clock.lifetime().applyAsLong(window - Math.floorMod(about, window));
            }
        }
        this.begins = states;
        this.lives = millis;
        this.replies = new PlainReplies(keys.length, states);
        this.owed = shortWay.owed();
    }

    /**
     * Sends the call.
     *
     * @param timeout for connection and reply
     * @return done when Redis has answered each command, with an error or without; failed if it did not
     */
    public CompletableFuture<Void> send(RedissonClient redisson, String slotKey, Duration timeout) {
        ConnectionManager connections = Nodes.connectionsOf(redisson);
        ServiceManager services = connections.getServiceManager();
        services.addFuture(done); // which a shutdown waits for, and then ends
        if (services.isShuttingDown()) {
            tryFailure(new RedissonShutdownException("Redisson is shutdown"));
            return done;
        }
        MasterSlaveEntry node = Nodes.nodeOf(connections, slotKey);
        if (node == null) {
            tryFailure(new RedisNodeNotFoundException("no node keeps the slot of " + slotKey));
            return done;
        }
        Timeout timer = services.newTimeout(
                _ -> tryFailure(new RedisTimeoutException("no answer in time")),
                timeout.toMillis(),
                TimeUnit.MILLISECONDS);
        CompletableFuture<RedisConnection> wanted = node.connectionWriteOp(RedisCommands.INCRBY);
        var _ = wanted.whenComplete((connection, failure) -> {
            if (failure != null) {
                tryFailure(failure);
                return;
            }
            try {
                if (!isOver()) {
                    write(connection);
                }
            } catch (RuntimeException | Error thrown) {
                tryFailure(thrown);
            } finally {
                node.releaseWrite(connection); // as Redisson does: others may follow on it before the reply comes
            }
        });
        return done.whenComplete((_, failure) -> {
            timer.cancel();
            wanted.cancel(false); // else it stands in line for a connection for as long as Redis is out of reach
            if (failure != null && isWritten) {
                oweExpiries();
            }
        });
    }

    /** What was begun before it was added to has an expiry. */
    private void oweExpiries() {
        long now = System.nanoTime();
        for (int i = 0; i < keys.length; i++) {
            if (!replies.isBegun(i)) {
                owed.add(checks.get(i).check(), now);
            }
        }
    }

    private void write(RedisConnection connection) {
        isWritten = true;
        var _ = connection.getChannel().writeAndFlush(this).addListener(written -> {
            if (!written.isSuccess()) {
                tryFailure(new WriteRedisConnectionException("the call could not be written", written.cause()));
            }
        });
    }

    /** Returns whether nobody waits for the call any more: a call that is not written by then never is. */
    boolean isOver() {
        return done.isDone();
    }

    /** Returns about how many bytes {@link #write(ByteBuf)} writes. */
    int sizeInBytes() {
        int bytes = clock.length;
        for (int i = 0; i < keys.length; i++) {
            bytes += Resp.sizeOf(keys[i]) * (replies.isBegun(i) ? 3 : 1);
        }
        return bytes;
    }

    void write(ByteBuf out) {
        out.writeBytes(clock);
        for (int i = 0; i < keys.length; i++) {
            if (replies.isBegun(i)) {
                Resp.begin(out, keys[i], begins[i], lives[i]);
            }
            Resp.increment(out, keys[i], checks.get(i).hits());
        }
    }

    /** Reads the next reply, all of which is there. */
    void read(ByteBuf in) {
        replies.read(in);
    }

    /** All replies were read. */
    void complete() {
        answeredNanos = System.nanoTime();
        done.complete(null);
    }

    /**
     * Answers the checks whose hits were counted. The others stay without an answer; of those that Redis refused, because their
     * counters live elsewhere, or it has no room, nothing was added and nothing is owed. Checks whose fate is
     * unknown fail.
     *
     * @param shortWay learns what can be added to and what cannot, what the time is, and whether it can be gone at all
     * @throws StoreException if Redis does not say what the answers are: it may have added the hits
     */
    public void answer(ShortWay shortWay) {
        StoreException broken = replies.broken();
        if (!isBusy()) { // else it fails as the script would, and goes on as soon as that
            shortWay.open(broken == null, answeredNanos);
        }
        if (broken != null) {
            throw broken;
        }
        if (replies.isTimeOfCounters()) {
            shortWay.toldByTime(replies.now(), sentNanos, answeredNanos);
        }
        for (int i = 0; i < keys.length; i++) {
            if (replies.isCounted(i)) {
                answer(i, shortWay);
                continue;
            }
            shortWay.avoid(checks.get(i).check().key(), answeredNanos);
            StoreException unknown = replies.unknown(i);
            if (unknown != null) { // the hits may have been added, so the script must not add them again
                checks.get(i).fail(unknown);
            }
        }
    }

    private void answer(int i, ShortWay shortWay) {
        Merged merged = checks.get(i);
        long now = replies.now();
        long held = replies.count(i);
        long before = held - merged.hits();
        long window = merged.check().limit().quota().windowMicros();
        if (FixedWindowModel.goesOn(before, merged.hits(), window, now)) {
            var _ = merged.counted(before, now);
        } else {
            merged.oweExpiry();
            if (!replies.isBegun(i)) { // the next call, which gives it an expiry, may fail
                owed.add(merged.check(), answeredNanos);
            }
        }
        if (replies.isBegun(i) || !FixedWindowModel.goesOn(held, BegunCounters.FAR, window, now)) {
            shortWay.counted(merged.check(), held, now, sentNanos);
        }
    }

    /** Returns whether the node was running a script, which says nothing of the short way. */
    boolean isBusy() {
        return replies.isBusy();
    }

    @Override
    public boolean tryFailure(Throwable cause) {
        return done.completeExceptionally(cause);
    }

    /** Returns whether all replies were read: until then those that come are this call's, whether anybody waits for them or not. */
    @Override
    public boolean isExecuted() {
        return replies.areAll();
    }

    @Override
    public List<CommandData<Object, Object>> getPubSubOperations() {
        return List.of();
    }

    @Override
    public boolean isBlockingCommand() {
        return false;
    }

    /** As logs have it: no key, for callers choose them. */
    @Override
    public String toString() {
        return "INCRBY of " + keys.length + " counters";
    }
}
