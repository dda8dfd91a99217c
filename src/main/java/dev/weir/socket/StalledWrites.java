package dev.weir.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gives up a connection whose caller does not read: its socket has taken nothing for 20 seconds, although there is something
 * to be written. What it holds is bounded, but nobody would ever give it back.
 *
 * <p>It looks only while something is unwritten, which is nearly never, so it costs a healthy connection one comparison a
 * flush. It stands next to the socket, so that what it sees is what goes over the wire.
 */
public final class StalledWrites extends ChannelDuplexHandler {
    private static final GivenUp STALLED = new GivenUp("has read nothing for 20 s");

    /** Between two looks. A connection is given up between 20 and 25 seconds after its socket took something. */
    static final long PAUSE_SECONDS = 5;

    static final int LOOKS = 4;

    private boolean isLooking;
    private int unchanged;

    // What was seen last.
    private @Nullable Object head;
    private long headProgress;
    private long unwrittenBytes;
    private long writtenSince;

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (isLooking && message instanceof ByteBuf bytes) {
            writtenSince += bytes.readableBytes();
        }
        var _ = context.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        context.flush();
        ChannelOutboundBuffer stuck = isLooking ? null : stuck(context);
        if (stuck != null) {
            isLooking = true;
            unchanged = 0;
            remember(stuck);
            lookLater(context);
        }
    }

    private void lookLater(ChannelHandlerContext context) {
        var _ = context.executor().schedule(() -> look(context), PAUSE_SECONDS, TimeUnit.SECONDS);
    }

    private void look(ChannelHandlerContext context) {
        ChannelOutboundBuffer now = stuck(context);
        if (now == null) {
            isLooking = false;
            head = null;
            return;
        }
        unchanged = isAsBefore(now) ? unchanged + 1 : 0;
        if (unchanged >= LOOKS) {
            STALLED.tell(context.channel());
            head = null;
            var _ = context.close();
            return;
        }
        remember(now);
        lookLater(context);
    }

    /** Another buffer with the same bytes is progress, and so is the same buffer filled again: then less is unwritten. */
    @SuppressWarnings("ReferenceEquality")
    private boolean isAsBefore(ChannelOutboundBuffer now) {
        return now.current() == head
                && now.currentProgress() == headProgress
                && now.totalPendingWriteBytes() >= unwrittenBytes + writtenSince;
    }

    /** Returns what is unwritten although it was flushed, or null if nothing is. */
    private static @Nullable ChannelOutboundBuffer stuck(ChannelHandlerContext context) {
        ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
        return buffer == null || buffer.current() == null ? null : buffer;
    }

    private void remember(ChannelOutboundBuffer buffer) {
        head = buffer.current();
        headProgress = buffer.currentProgress();
        unwrittenBytes = buffer.totalPendingWriteBytes();
        writtenSince = 0;
    }
}
