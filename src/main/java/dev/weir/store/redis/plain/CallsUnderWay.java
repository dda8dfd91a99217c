package dev.weir.store.redis.plain;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.handler.CommandsQueue;
import org.redisson.client.protocol.CommandsData;
import org.redisson.client.protocol.QueueCommand;
import org.redisson.client.protocol.QueueCommandHolder;

/**
 * Ends the calls that were written to a connection when it closes: no reply can come any more. Redisson leaves them to their
 * timers, and until then they would keep the turns of those who come after them. What they have counted is as unknown as after
 * a timeout, and nothing is sent again.
 *
 * <p>A connection that closes while it is made is left to the timers: somebody who takes connections and closes them would else
 * be asked for the next one at once, again and again.
 */
final class CallsUnderWay extends ChannelInboundHandlerAdapter {
    private boolean isMade;

    /** Redisson hands this on when its own first commands were answered. */
    @Override
    public void channelActive(ChannelHandlerContext context) {
        isMade = true;
        context.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        // Before Redisson forgets them; ended after that, for whoever gets their turns shall find the connection
        // closed.
        var calls =
                List.copyOf(context.channel().attr(CommandsQueue.COMMANDS_QUEUE).get());
        context.fireChannelInactive();
        if (isMade && !calls.isEmpty()) {
            var closed = new RedisConnectionException("a connection was closed", new ClosedChannelException());
            for (QueueCommandHolder call : calls) {
                end(call.getCommand(), closed);
            }
        }
    }

    private static void end(QueueCommand call, RedisConnectionException closed) {
        if (call instanceof CommandsData several) { // ASKING, and the call that it is for
            several.getCommands().forEach(each -> each.tryFailure(closed));
        }
        call.tryFailure(closed);
    }
}
