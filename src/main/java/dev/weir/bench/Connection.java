package dev.weir.bench;

import dev.weir.bench.load.Keys;
import dev.weir.handshake.HandshakeFailure;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameReader;
import io.netty.handler.codec.http2.Http2FrameWriter;
import io.netty.handler.codec.http2.Http2Settings;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/2 connection that asks the same question over and over. Belongs to the thread of its event loop.
 *
 * <p>Netty reads the frames. Requests are copied from prebuilt frames into one buffer for each turn of the loop, because a
 * stream object, a map of headers and a promise for each of them would cost more than all the rest.
 */
final class Connection extends ByteToMessageDecoder implements Answers.Receiver {
    private static final int BUFFER_BYTES = 4096;
    private static final int FULL_WINDOW = Integer.MAX_VALUE;

    /** More than these would only fill the memory of an open loop that asks for more than the service can do. */
    private static final int MOST_WAITING = 1 << 18;

    /** Hears how each request ended. */
    interface Listener {
        /** A verdict came, for a request that was meant to start at {@code startNanos}. */
        void answered(Connection connection, long startNanos, boolean isOver);

        /** The deadline of a request that was meant to start at {@code startNanos} has passed without a verdict. */
        void late(Connection connection, long startNanos);

        /** There will be no verdict. */
        void failed(Connection connection, Failure failure);

        /** The connection had nothing under way, and now has. */
        void busy(Connection connection);

        /** The connection takes no more requests: another one is needed in its place. */
        void lost(Connection connection);
    }

    private final RequestFrames frames;
    private final Keys keys;
    private final SplittableRandom random;
    private final Listener listener;
    private final Http2FrameReader reader = new DefaultHttp2FrameReader(new RememberedHeaders());
    private final Http2FrameWriter writer = new DefaultHttp2FrameWriter();
    private final Answers answers = new Answers(this);
    private final CompletableFuture<Connection> ready = new CompletableFuture<>();
    private final InFlight inFlight = new InFlight();
    // Boxed, because it stays empty unless the service is overrun.
    private final Queue<Long> waiting = new ArrayDeque<>();

    private @Nullable ChannelHandlerContext channel;
    private @Nullable ByteBuf out;
    private boolean isBusy;
    private boolean isLeaving;
    private int nextStreamId = 1;
    private long maxStreams = Integer.MAX_VALUE;
    private long window = Http2CodecUtil.DEFAULT_WINDOW_SIZE;
    private int received;

    Connection(RequestFrames frames, Keys keys, SplittableRandom random, Listener listener) {
        this.frames = frames;
        this.keys = keys;
        this.random = random;
        this.listener = listener;
    }

    /** Returns a stage that completes when requests may be sent. */
    CompletableFuture<Connection> ready() {
        return ready;
    }

    /** Returns whether requests may be sent. */
    boolean isOpen() {
        return channel != null && !isLeaving;
    }

    /** Returns how many requests have no answer yet, sent or not. */
    int unanswered() {
        return inFlight.size() + waiting.size();
    }

    /** Sends a request with the next {@link #flush}, or as soon as the service lets it; its time runs from {@code startNanos}. */
    void send(long startNanos) {
        if (channel == null) {
            listener.failed(this, Failure.broken("the connection is closed"));
            return;
        }
        if (!isBusy) {
            isBusy = true;
            listener.busy(this);
        }
        if (canSend() && waiting.isEmpty()) {
            write(channel, startNanos);
        } else if (waiting.size() < MOST_WAITING) {
            waiting.add(startNanos);
        } else {
            listener.failed(this, Failure.UNSENT);
        }
    }

    /**
     * Gives up what was meant to start at or before {@code startNanos}, as callers do when their deadline has passed.
     *
     * @return whether something is still under way
     */
    boolean giveUp(long startNanos) {
        boolean isGivingUp = false;
        while (channel != null && inFlight.size() > 0 && inFlight.startOf(inFlight.oldest()) - startNanos <= 0) {
            int streamId = inFlight.oldest();
            long start = inFlight.startOf(streamId);
            var _ = writer.writeRstStream(channel, streamId, Http2Error.CANCEL.code(), channel.newPromise());
            inFlight.end(streamId);
            isGivingUp = true;
            listener.late(this, start);
        }
        while (!waiting.isEmpty() && waiting.element() - startNanos <= 0) {
            listener.late(this, waiting.remove());
        }
        sendWaiting(); // what is given up has left room, and the service may have nothing to say that would bring us
        // here
        flush();
        if (isGivingUp && channel != null) {
            channel.flush();
        }
        isBusy = unanswered() > 0;
        return isBusy;
    }

    /** Hands what was written since the last time to the network. */
    void flush() {
        if (out != null && channel != null) {
            ByteBuf full = out;
            out = null; // a write that fails ends the connection before it returns
            var _ = channel.writeAndFlush(full, channel.voidPromise());
        }
    }

    private boolean canSend() {
        return inFlight.size() < maxStreams && window >= frames.windowBytes() && inFlight.hasRoomFor(nextStreamId);
    }

    private void write(ChannelHandlerContext open, long startNanos) {
        if (out == null) {
            out = open.alloc().directBuffer(BUFFER_BYTES);
        }
        window -= frames.write(out, nextStreamId == 1, nextStreamId, keys.draw(random));
        inFlight.start(nextStreamId, startNanos);
        nextStreamId += 2;
    }

    private void sendWaiting() {
        while (channel != null && !waiting.isEmpty() && canSend()) {
            write(channel, waiting.remove());
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel = context;
        var _ = context.write(Http2CodecUtil.connectionPrefaceBuf());
        var _ = writer.writeSettings(context, new Http2Settings().pushEnabled(false), context.newPromise());
        var _ = writer.writeWindowUpdate(
                context, 0, FULL_WINDOW - Http2CodecUtil.DEFAULT_WINDOW_SIZE, context.newPromise());
        context.flush();
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> ignored) throws Http2Exception {
        reader.readFrame(context, in, answers);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        super.channelReadComplete(context);
        sendWaiting();
        flush();
        context.flush();
    }

    @Override
    public void settings(ChannelHandlerContext context, Http2Settings settings) {
        Long streams = settings.maxConcurrentStreams();
        if (streams != null) {
            maxStreams = streams; // what settings do not name stays as it was
        }
        Long table = settings.headerTableSize();
        if (table != null && table < Http2CodecUtil.DEFAULT_HEADER_TABLE_SIZE) {
            throw new IllegalStateException("it keeps no table of headers of the usual size");
        }
        var _ = writer.writeSettingsAck(context, context.newPromise());
        ready.complete(this);
    }

    @Override
    public void ping(ChannelHandlerContext context, long content) {
        var _ = writer.writePing(context, true, content, context.newPromise());
    }

    @Override
    public void windowGrown(int bytes) {
        window += bytes;
    }

    /** The whole window is as large as can be; it is filled up when half of it was used. */
    @Override
    public void message(ChannelHandlerContext context, int streamId, ByteBuf part, int bytes) {
        if (inFlight.has(streamId)) {
            inFlight.said(streamId, Answers.said(inFlight.said(streamId), part));
        }
        received += bytes;
        if (received > FULL_WINDOW / 2) {
            var _ = writer.writeWindowUpdate(context, 0, received, context.newPromise());
            received = 0;
        }
    }

    @Override
    public void ended(int streamId, @Nullable Failure failure) {
        if (!inFlight.has(streamId)) {
            return;
        }
        byte said = inFlight.said(streamId);
        long startNanos = inFlight.startOf(streamId);
        inFlight.end(streamId);
        if (failure != null) {
            listener.failed(this, failure);
        } else if (said == Answers.OK || said == Answers.OVER_LIMIT) {
            listener.answered(this, startNanos, said == Answers.OVER_LIMIT);
        } else {
            listener.failed(this, Failure.broken("an answer without a verdict"));
        }
        if (isLeaving && inFlight.size() == 0 && channel != null) {
            var _ = channel.close();
        }
    }

    /** What is under way is still answered. */
    @Override
    public void leaving(ChannelHandlerContext context) {
        if (isLeaving) {
            return;
        }
        if (ready.isDone()) {
            isLeaving = true;
            listener.lost(this);
        }
        if (inFlight.size() == 0) {
            var _ = context.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        super.channelInactive(context);
        end("the service closed the connection");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        end("the connection broke: " + HandshakeFailure.of(failure).words());
        var _ = context.close();
    }

    private void end(String reason) {
        if (channel == null) {
            return;
        }
        channel = null;
        if (out != null) {
            out.release();
            out = null;
        }
        // Who opened it hears of it there, until it was ready once.
        boolean wasReady = !ready.completeExceptionally(new IllegalStateException(reason));
        var failure = Failure.broken(reason);
        int missing = unanswered();
        waiting.clear();
        inFlight.clear();
        for (; missing > 0; missing--) {
            listener.failed(this, failure);
        }
        if (wasReady && !isLeaving) {
            listener.lost(this);
        }
    }
}
