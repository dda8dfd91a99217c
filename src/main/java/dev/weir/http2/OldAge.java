package dev.weir.http2;

import dev.weir.socket.MaxAge;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Has a connection leave when it has reached its age, and breaks it off when the grace is over. */
final class OldAge extends ChannelInboundHandlerAdapter {
    private final MaxAge age;
    private final RandomGenerator dice;
    private final Connection connection;
    private @Nullable Future<?> next;

    OldAge(MaxAge age, RandomGenerator dice, Connection connection) {
        this.age = age;
        this.dice = dice;
        this.connection = connection;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        if (!age.isUnbounded()) {
            next = context.executor().schedule(() -> leave(context), age.nanos(dice), TimeUnit.NANOSECONDS);
        }
    }

    private void leave(ChannelHandlerContext context) {
        if (!age.grace().isZero()) {
            next = context.executor().schedule(connection::breakOff, age.grace().toNanos(), TimeUnit.NANOSECONDS);
        }
        connection.leave();
    }

    /** A day is long: what has ended must not wait for it. */
    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (next != null) {
            next.cancel(false);
        }
    }
}
