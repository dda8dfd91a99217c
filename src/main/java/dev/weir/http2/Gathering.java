package dev.weir.http2;

import dev.weir.http2.message.Budget;
import dev.weir.socket.GivenUp;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.Future;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the small frames of a round into one buffer, for the network takes one large piece cheaper than a hundred small ones.
 * Answers are written into it ({@link Answers#whole}); what goes through Netty's encoder comes in pieces of 10 to 100 bytes.
 *
 * <p>A piece counts as written when it is in the buffer, so that its stream ends at once, with all that hangs on it. While the
 * socket is full, what comes is gathered until the socket has taken what it has: one by one, a frame of thirteen bytes would hold
 * a thousand of heap. A connection that is closed in peace waits for the socket, as its last answers may have been written all at once.
 *
 * <p>Nothing is flushed while a round is read, for its end flushes. Netty flushes for every answer that it drops because its
 * caller gave up; under overload those are most, and each would cost a system call.
 *
 * <p>Who does not read answers is not read from: what is unsent stays bounded by what one round of reading can bring. That may be
 * megabytes, so what full sockets leave of all connections together is bounded, too: whoever makes us hold one more is left at
 * once. Whose socket takes everything is never counted.
 */
final class Gathering extends ChannelDuplexHandler {
    private static final int FIRST_BYTES = 4096;
    private static final int MAX_BYTES = 64 << 10;
    private static final int LARGE_BYTES = 8 << 10;
    private static final int ROUND_BYTES = 256 << 10;

    /** What each connection may hold though others use up the room of all: who reads is seldom behind by more. */
    private static final int ALWAYS_BYTES = 8 << 10;

    private static final long LINGERS_SECONDS = 5;
    private static final GivenUp UNREAD =
            new GivenUp("reads no answers, while those of all callers that are not read fill the room for them");

    private final Budget unsent;
    private @Nullable ChannelHandlerContext here;
    private @Nullable ByteBuf gathered;
    private @Nullable ChannelFuture last;
    private @Nullable ChannelFuture flushed;
    private int untaken;
    private int counted;
    private boolean isReading;
    private boolean isClosing;
    private boolean isLeft;

    /**
     * Creates one in which nothing is gathered.
     *
     * @param unsent bounds the bytes of all connections that their sockets have not taken
     */
    Gathering(Budget unsent) {
        this.unsent = unsent;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        here = context;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        isReading = true;
        context.fireChannelRead(bytes);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        isReading = false;
        context.fireChannelReadComplete();
    }

    @Override
    public void write(ChannelHandlerContext context, Object piece, ChannelPromise promise) {
        ByteBuf bytes = (ByteBuf) piece;
        ByteBuf room = room(bytes.readableBytes());
        if (room == null) {
            handOn(context);
            pass(context, bytes, promise.unvoid());
        } else {
            room.writeBytes(bytes);
            bytes.release();
            var _ = promise.trySuccess();
        }
    }

    private void pass(ChannelHandlerContext context, ByteBuf bytes, ChannelPromise promise) {
        if (isLeft) {
            bytes.release();
            var _ = promise.tryFailure(new ClosedChannelException());
            return;
        }
        int size = bytes.readableBytes();
        untaken += size;
        last = context.write(bytes, promise).addListener(_ -> untaken -= size);
        count(context);
    }

    /** Counts what is held of this connection among what is held of all. */
    private void count(ChannelHandlerContext context) {
        if (isLeft) {
            return; // and counted off when it has ended
        }
        int held = held();
        if (held < counted) {
            unsent.giveBack(counted - held);
        } else if (held > counted && !unsent.mayTake(held - counted)) {
            leave(context);
            return;
        }
        counted = held;
    }

    /** What a round has written is none of it, unless that is much: it goes out at the end. */
    private int held() {
        int bytes = untaken + (gathered == null ? 0 : gathered.readableBytes());
        return isFull() || bytes > ROUND_BYTES ? Math.max(0, bytes - ALWAYS_BYTES) : 0;
    }

    /** Closing may take a while over TLS, and more be written meanwhile. */
    private void leave(ChannelHandlerContext context) {
        if (!isLeft) {
            isLeft = true;
            UNREAD.tell(context.channel());
            var _ = context.close();
        }
    }

    /** What was flushed last has not gone out yet. */
    private boolean isFull() {
        return isUnsent(flushed);
    }

    private static boolean isUnsent(@Nullable ChannelFuture piece) {
        return piece != null && !piece.isDone();
    }

    /**
     * Returns the buffer, to write the next pieces into it.
     *
     * @param bytes that they are at most
     * @return null if they are too large for it, or Netty's memory is full: then they must go Netty's way
     */
    @Nullable
    ByteBuf room(int bytes) {
        if (here == null || bytes > LARGE_BYTES) {
            return null;
        }
        try {
            return room(here, bytes);
        } catch (OutOfMemoryError e) { // of buffers: Netty ends what it cannot write
            return null;
        }
    }

    private ByteBuf room(ChannelHandlerContext context, int bytes) {
        if (gathered != null && gathered.readableBytes() + bytes > MAX_BYTES) {
            handOn(context);
        }
        if (gathered == null) {
            gathered = context.alloc().directBuffer(FIRST_BYTES);
        }
        return gathered.ensureWritable(bytes);
    }

    private void handOn(ChannelHandlerContext context) {
        if (gathered != null) {
            ByteBuf all = gathered;
            gathered = null;
            pass(context, all, context.newPromise());
        }
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        if (isFull()) {
            count(context);
        } else if (!isReading) {
            flushAll(context);
        }
    }

    /** Once the socket has room again, Netty writes more in the middle of a flush, and need not come by once more. */
    private void flushAll(ChannelHandlerContext context) {
        do {
            handOn(context);
            flushed = last;
            context.flush();
        } while (!isFull() && (gathered != null || isUnsent(last)));
        if (flushed != null && !flushed.isDone()) { // the socket is full
            var _ = flushed.addListener(_ -> flush(context));
        }
        count(context);
    }

    @Override
    public void read(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            context.read();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        // Reads by itself when it is switched on again.
        var _ = context.channel().config().setAutoRead(context.channel().isWritable());
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        flushAll(context);
        if (flushed == null || flushed.isDone() || isClosing) {
            var _ = context.close(promise);
            return;
        }
        isClosing = true;
        Future<?> late = context.executor().schedule(() -> end(context, promise), LINGERS_SECONDS, TimeUnit.SECONDS);
        var _ = flushed.addListener(_ -> {
            if (late.cancel(false)) {
                end(context, promise);
            }
        });
    }

    private static void end(ChannelHandlerContext context, ChannelPromise promise) {
        var _ = context.close(promise);
    }

    /** Lets closing wait for nothing any more: what is unsent then is lost. */
    void hurry() {
        isClosing = true;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (gathered != null) {
            gathered.release();
            gathered = null;
        }
        isLeft = true;
        unsent.giveBack(counted);
    }
}
