package dev.weir.store.redis.plain;

import dev.weir.limit.FixedWindowModel;
import dev.weir.store.CounterKey;
import dev.weir.store.Merged;
import io.netty.util.Timeout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisConnection;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.WriteRedisConnectionException;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.CommandData;
import org.redisson.client.protocol.CommandsData;
import org.redisson.client.protocol.RedisCommands;
import org.redisson.connection.ConnectionManager;
import org.redisson.connection.MasterSlaveEntry;

/**
 * Hits that are added to counters by plain commands: what Redis's clock says, and an INCRBY for each counter, in one piece.
 *
 * <p>Redis does this for about half of what the script costs it. It is right wherever a counter's window goes on, which its value
 * says: then what stood there before says who was admitted, as with plain.lua. Of all other counters what was added is worth
 * nothing, for a value of another window counts as none; they are left without an answer, and the script counts their hits.
 *
 * <p>Redisson has no public way to send several commands whose keys are bytes and whose replies are numbers without an object
 * for each that costs as much as Redis saves, so this goes to its connections.
 */
public final class PlainCall {
    private static final byte[] ONE = {'1'};

    private final List<Merged> checks;
    private final CommandData<Long, Long> instant;
    private final List<CommandData<?, ?>> commands;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    /**
     * Makes a call.
     *
     * @param checks each of them {@link Merged#isPlain}
     * @param clock the server's
     * @param slotKey a key of the slot that all counters live in, for a cluster
     * @param keys under which Redis keeps the counters
     */
    public PlainCall(List<Merged> checks, ServerClock clock, String slotKey, Function<CounterKey, byte[]> keys) {
        this.checks = checks;
        this.commands = new ArrayList<>(checks.size() + 1);
        this.instant = new CommandData<>(
                new CompletableFuture<>(),
                StringCodec.INSTANCE,
                clock.command(),
                clock.parameters().apply(slotKey));
        commands.add(instant);
        for (Merged merged : checks) {
            Object[] parameters = {keys.apply(merged.check().key()), text(merged.hits())};
            commands.add(new CommandData<>(
                    new CompletableFuture<>(), StringCodec.INSTANCE, RedisCommands.INCRBY, parameters));
        }
    }

    private static byte[] text(long hits) {
        return hits == 1 ? ONE : Long.toString(hits).getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Sends the call.
     *
     * @param timeout for connection and reply
     * @return done when Redis has answered each command, with an error or without; failed if it did not, or does not say the time
     */
    public CompletableFuture<Void> send(RedissonClient redisson, String slotKey, Duration timeout) {
        ConnectionManager connections =
                ((Redisson) redisson).getCommandExecutor().getConnectionManager();
        MasterSlaveEntry node = connections.getEntry(connections.calcSlot(slotKey));
        if (node == null) {
            return CompletableFuture.failedFuture(
                    new RedisNodeNotFoundException("no node keeps the slot of " + slotKey));
        }
        Timeout timer = connections
                .getServiceManager()
                .newTimeout(
                        _ -> done.completeExceptionally(new RedisTimeoutException("no answer in time")),
                        timeout.toMillis(),
                        TimeUnit.MILLISECONDS);
        var _ = node.connectionWriteOp(RedisCommands.INCRBY).whenComplete((connection, failure) -> {
            if (failure != null) {
                done.completeExceptionally(failure);
                return;
            }
            if (!done.isDone()) {
                write(connection);
            }
            node.releaseWrite(connection); // as Redisson does: others may follow on it before the reply comes
        });
        return done.handle((_, failure) -> {
                    timer.cancel();
                    return failure;
                })
                .thenCompose(this::outcome);
    }

    private void write(RedisConnection connection) {
        var _ = connection.send(new CommandsData(done, commands, false, false)).addListener(written -> {
            if (!written.isSuccess()) {
                done.completeExceptionally(
                        new WriteRedisConnectionException("the call could not be written", written.cause()));
            }
        });
    }

    /** Errors of single commands are answers. */
    private CompletableFuture<Void> outcome(Throwable failure) {
        if (instant.isSuccess() && commands.getLast().isExecuted()) {
            return CompletableFuture.completedFuture(null);
        }
        Throwable clockFailure = instant.getPromise().isDone() ? instant.cause() : null;
        return CompletableFuture.failedFuture(clockFailure != null ? clockFailure : failure);
    }

    /** Answers the checks whose hits were counted. The others stay without an answer. */
    public void answer(BegunCounters begun) {
        long now = instant.getPromise().join();
        for (int i = 0; i < checks.size(); i++) {
            CommandData<?, ?> command = commands.get(i + 1);
            if (command.isSuccess()) {
                answer(checks.get(i), (Long) command.getPromise().join(), now, begun);
            }
        }
    }

    private static void answer(Merged merged, long after, long now, BegunCounters begun) {
        long before = after - merged.hits();
        long window = merged.check().limit().quota().windowMicros();
        if (FixedWindowModel.goesOn(before, merged.hits(), window, now)) {
            merged.counted(before, now);
        }
        if (!FixedWindowModel.goesOn(after, BegunCounters.FAR, window, now)) {
            begun.forget(merged.check().key());
        }
    }
}
