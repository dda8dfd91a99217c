package dev.weir.store.redis.plain;

import dev.weir.limit.FixedWindowModel;
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
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
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
    private static final long FAILED = Long.MIN_VALUE;

    private final List<Merged> checks;
    private final byte[][] keys;
    private final byte[] clock;
    private final long[] after;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private long now;
    private @Nullable StoreException broken;
    private int repliesRead;

    /**
     * Makes a call.
     *
     * @param checks each of them {@link Merged#isPlain}; none, to see whether Redis says the time
     * @param clock the server's
     * @param slotKey a key of the slot that all counters live in, for a cluster
     * @param redisKey under which Redis keeps a counter
     */
    public PlainCall(List<Merged> checks, ServerClock clock, String slotKey, Function<CounterKey, byte[]> redisKey) {
        this.checks = checks;
        this.clock = clock.command().apply(slotKey);
        this.after = new long[checks.size()];
        this.keys = new byte[checks.size()][];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = redisKey.apply(checks.get(i).check().key());
        }
    }

    /**
     * Sends the call.
     *
     * @param timeout for connection and reply
     * @return done when Redis has answered each command, with an error or without; failed if it did not
     */
    public CompletableFuture<Void> send(RedissonClient redisson, String slotKey, Duration timeout) {
        ConnectionManager connections =
                ((Redisson) redisson).getCommandExecutor().getConnectionManager();
        ServiceManager services = connections.getServiceManager();
        services.addFuture(done); // which a shutdown waits for, and then ends
        if (services.isShuttingDown()) {
            tryFailure(new RedissonShutdownException("Redisson is shutdown"));
            return done;
        }
        MasterSlaveEntry node = connections.getEntry(connections.calcSlot(slotKey));
        if (node == null) {
            tryFailure(new RedisNodeNotFoundException("no node keeps the slot of " + slotKey));
            return done;
        }
        Timeout timer = services.newTimeout(
                _ -> tryFailure(new RedisTimeoutException("no answer in time")),
                timeout.toMillis(),
                TimeUnit.MILLISECONDS);
        var _ = node.connectionWriteOp(RedisCommands.INCRBY).whenComplete((connection, failure) -> {
            if (failure != null) {
                tryFailure(failure);
                return;
            }
            if (!isOver()) {
                write(connection);
            }
            node.releaseWrite(connection); // as Redisson does: others may follow on it before the reply comes
        });
        return done.whenComplete((_, _) -> timer.cancel());
    }

    private void write(RedisConnection connection) {
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
        for (byte[] key : keys) {
            bytes += Resp.sizeOf(key);
        }
        return bytes;
    }

    void write(ByteBuf out) {
        out.writeBytes(clock);
        for (int i = 0; i < keys.length; i++) {
            Resp.increment(out, keys[i], checks.get(i).hits());
        }
    }

    /** Reads the next reply, all of which is there. */
    void read(ByteBuf in) {
        byte kind = in.readByte();
        try {
            if (repliesRead == 0) {
                readTime(kind, in);
            } else {
                after[repliesRead - 1] = counted(kind, in);
            }
        } catch (NumberFormatException e) {
            broken = new StoreException(
                    (repliesRead == 0 ? "Redis does not say the time: " : "Redis does not say the count: ")
                            + e.getMessage());
        }
        repliesRead++;
    }

    private void readTime(byte kind, ByteBuf in) {
        if (kind == '-') {
            broken = new StoreException("Redis failed: " + Resp.line(in));
        } else {
            now = ServerClock.micros(kind, in);
        }
    }

    private static long counted(byte kind, ByteBuf in) {
        if (kind == '-') {
            return FAILED; // nothing was added
        }
        if (kind != ':') {
            throw new NumberFormatException("no number");
        }
        return Resp.number(in);
    }

    /** All replies were read. */
    void complete() {
        done.complete(null);
    }

    /**
     * Answers the checks whose hits were counted. The others stay without an answer.
     *
     * @param begun learns what is no longer to be added to, and whether the short way can be gone at all
     * @throws StoreException if Redis does not say what the answers are: it may have added the hits
     */
    public void answer(BegunCounters begun) {
        begun.open(broken == null);
        if (broken != null) {
            throw broken;
        }
        for (int i = 0; i < after.length; i++) {
            if (after[i] == FAILED) {
                begun.forget(checks.get(i).check().key());
            } else {
                answer(checks.get(i), after[i], begun);
            }
        }
    }

    private void answer(Merged merged, long held, BegunCounters begun) {
        long before = held - merged.hits();
        long window = merged.check().limit().quota().windowMicros();
        if (FixedWindowModel.goesOn(before, merged.hits(), window, now)) {
            var _ = merged.counted(before, now);
        }
        if (!FixedWindowModel.goesOn(held, BegunCounters.FAR, window, now)) {
            begun.forget(merged.check().key());
        }
    }

    @Override
    public boolean tryFailure(Throwable cause) {
        return done.completeExceptionally(cause);
    }

    /** Returns whether all replies were read: until then those that come are this call's, whether anybody waits for them or not. */
    @Override
    public boolean isExecuted() {
        return repliesRead > keys.length;
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
