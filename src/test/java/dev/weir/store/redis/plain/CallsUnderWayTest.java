package dev.weir.store.redis.plain;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.handler.CommandBatchEncoder;
import org.redisson.client.handler.CommandDecoder;
import org.redisson.client.handler.CommandEncoder;
import org.redisson.client.handler.CommandsQueue;
import org.redisson.client.protocol.CommandData;
import org.redisson.client.protocol.CommandsData;
import org.redisson.client.protocol.RedisCommands;
import org.redisson.config.DefaultCommandMapper;

/** What becomes of calls whose connection closes before they are answered. */
final class CallsUnderWayTest {
    private final CompletableFuture<Void> asking = new CompletableFuture<>();
    private final CompletableFuture<Long> redirected = new CompletableFuture<>();
    private final CompletableFuture<Long> increment = new CompletableFuture<>();
    private final PlainCall plain =
            new PlainCall(List.of(), new ShortWay(), ServerClock.production(), "{a}", key -> key.bytes());
    private final EmbeddedChannel channel = new EmbeddedChannel(
            new CommandEncoder(new DefaultCommandMapper()),
            CommandBatchEncoder.INSTANCE,
            new CommandsQueue(),
            new CommandDecoder("redis"));

    CallsUnderWayTest() {
        PlainCodec.install(channel, "redis");
    }

    @AfterEach
    void close() {
        var _ = channel.finishAndReleaseAll();
    }

    @Test
    void they_end_with_it_whatever_they_are() {
        var _ = channel.pipeline().fireChannelActive();
        send();
        assertThat(increment).isNotDone();
        var _ = channel.close();
        for (var call : List.of(increment, redirected)) {
            assertThat(call)
                    .isCompletedExceptionally()
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withRootCauseInstanceOf(ClosedChannelException.class);
        }
        assertThat(plain.isOver()).isTrue();
    }

    @Test
    void those_that_make_it_are_left_to_their_timers() {
        send();
        var _ = channel.close();
        assertThat(increment).isNotDone();
        assertThat(plain.isOver()).isFalse();
    }

    @Test
    void who_gets_their_turn_finds_it_closed() {
        var _ = channel.pipeline().fireChannelActive();
        send();
        var next = new CompletableFuture<Boolean>();
        var _ = increment.whenComplete((_, _) ->
                next.complete(channel.attr(CommandsQueue.COMMANDS_QUEUE).get().isEmpty()));
        var _ = channel.close();
        assertThat(next).isCompletedWithValue(true);
    }

    private void send() {
        var commands = List.<CommandData<?, ?>>of(
                new CommandData<>(asking, StringCodec.INSTANCE, RedisCommands.ASKING, new Object[] {}), of(redirected));
        channel.writeOutbound(
                of(increment), plain, new CommandsData(new CompletableFuture<>(), commands, false, false));
    }

    private static CommandData<?, ?> of(CompletableFuture<Long> answer) {
        return new CommandData<>(answer, StringCodec.INSTANCE, RedisCommands.INCRBY, new Object[] {"other", "1"});
    }
}
