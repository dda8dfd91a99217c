package dev.weir.bench;

import dev.weir.handshake.HandshakeFailure;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Settings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/2 connection that asks the same question over and over. Belongs to the thread of its event loop.
 *
 * <p>Netty reads the frames. Requests are copied from prebuilt frames into one buffer for each turn of the loop, because a
 * stream object, a map of headers and a promise for each of them would cost more than all the rest.
 */
final class Connection extends ByteToMessageDecoder implements AnswerFrames.Receiver {
    /** The highest number of a stream: HTTP/2 has no more for a connection. */
    static final int LAST_STREAM_ID = Integer.MAX_VALUE;

    /** How long it waits for a service: to let it in, and then to greet it as HTTP/2 does. */
    static final Duration GREETS_WITHIN = Duration.ofSeconds(10);

    private final ConnectionListener listener;
    private final Outgoing outgoing;
    private final AnswerFrames answers = new AnswerFrames(this);
    private final CompletableFuture<Connection> ready = new CompletableFuture<>();
    private final InFlight inFlight = new InFlight();
    private final Waiting waiting;
    private final Succession succession;
    private final Allowance allowance;
    private final int lastStreamId;

    private @Nullable ChannelHandlerContext channel;
    private @Nullable Failure dismissal;
    private boolean isBusy;
    private boolean isLeaving;
    private boolean hasServed;
    private int nextStreamId = Outgoing.FIRST_STREAM_ID;

    /** Creates one that has yet to be connected; {@code lastStreamId} is that after which it leaves. */
    Connection(Outgoing outgoing, ConnectionListener listener, Waiting.Places places, int lastStreamId) {
        this.outgoing = outgoing;
        this.listener = listener;
        this.waiting = new Waiting(places);
        this.succession = new Succession(this, waiting);
        this.allowance = new Allowance(outgoing.windowBytes());
        this.lastStreamId = lastStreamId;
    }

    /** Returns a stage that completes when requests may be sent. */
    CompletableFuture<Connection> ready() {
        return ready;
    }

    /** Returns whether requests may be sent. */
    boolean isOpen() {
        return channel != null && !isLeaving;
    }

    /** Returns whether the service has ended a request here. */
    boolean hasServed() {
        return hasServed;
    }

    /** Returns how many requests have no answer yet, sent or not. */
    int unanswered() {
        return inFlight.size() + waiting.size();
    }

    /**
     * Sends a request with the next {@link #flush}, or as soon as the service lets it, or if this connection is left first, on
     * the one in its place; its time runs from {@code startNanos}.
     */
    void send(long startNanos) {
        if (!isOpen() && !succession.isExpected()) {
            listener.failed(this, Failure.broken("the connection is closed"));
            return;
        }
        if (!isBusy) {
            isBusy = true;
            listener.busy(this);
        }
        if (channel != null && waiting.isEmpty() && canSend()) {
            write(channel, startNanos);
        } else if (!waiting.add(startNanos)) {
            listener.unsent(this);
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
            outgoing.cancel(channel, streamId);
            inFlight.end(streamId);
            isGivingUp = true;
            listener.late(this, start);
        }
        while (!waiting.isEmpty() && waiting.oldest() - startNanos <= 0) {
            listener.late(this, waiting.take());
        }
        sendWaiting(); // what is given up has left room, and the service may stay silent
        if (isGivingUp && channel != null) {
            channel.flush();
        }
        closeIfDone();
        isBusy = unanswered() > 0;
        return isBusy;
    }

    /** Hands what was written since the last time to the network. */
    void flush() {
        if (channel != null) {
            outgoing.flush(channel);
        }
    }

    private boolean canSend() {
        return !isLeaving && allowance.isEnough(inFlight.size()) && inFlight.hasRoomFor(nextStreamId);
    }

    private void write(ChannelHandlerContext open, long startNanos) {
        allowance.take(outgoing.request(open, nextStreamId));
        inFlight.start(nextStreamId, startNanos);
        if (nextStreamId >= lastStreamId) {
            leave();
        }
        nextStreamId += 2;
    }

    private void sendWaiting() {
        while (channel != null && !waiting.isEmpty() && canSend()) {
            write(channel, waiting.take());
        }
        flush();
    }

    private void leave() {
        if (!isLeaving) {
            isLeaving = true;
            succession.expect();
            listener.leaving(this);
        }
    }

    private void closeIfDone() {
        if (isLeaving && inFlight.size() == 0 && channel != null) {
            var _ = channel.close();
        }
    }

    /** Another connection takes the place of this one: what was not sent here, or not taken, is sent there. */
    void handOver(Connection to) {
        succession.begin(to.succession);
    }

    /** No other connection could be made yet: what waits for one fails, and what comes until there is one. */
    void expectNoSuccessor() {
        succession.expectNone();
        var failure = Failure.broken("no connection could be made in place of one that was to be left");
        listener.failed(this, failure, waiting.clear());
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel = context;
        outgoing.greet(context);
        context.flush();
        var _ = context.executor().schedule(() -> endUngreeted(context), GREETS_WITHIN.toSeconds(), TimeUnit.SECONDS);
    }

    private void endUngreeted(ChannelHandlerContext context) {
        if (!ready.isDone()) {
            end("it did not greet us within %d s".formatted(GREETS_WITHIN.toSeconds()));
            var _ = context.close();
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> ignored) throws Http2Exception {
        answers.read(context, in);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        super.channelReadComplete(context);
        sendWaiting();
        context.flush();
    }

    @Override
    public void settings(ChannelHandlerContext context, Http2Settings settings) {
        if (channel == null) { // it has broken, and this was read before
            return;
        }
        allowance.say(settings);
        outgoing.acknowledgeSettings(context);
        ready.complete(this);
    }

    @Override
    public void ping(ChannelHandlerContext context, long content) {
        outgoing.answerPing(context, content);
    }

    @Override
    public void windowGrown(int bytes) {
        allowance.grow(bytes);
    }

    @Override
    public void message(ChannelHandlerContext context, int streamId, ByteBuf part, int bytes) {
        inFlight.hear(streamId, part);
        outgoing.received(context, bytes);
    }

    @Override
    public void ended(int streamId, @Nullable Failure failure) {
        if (!inFlight.has(streamId)) {
            return;
        }
        byte said = inFlight.said(streamId);
        long startNanos = inFlight.startOf(streamId);
        inFlight.end(streamId);
        hasServed = true;
        if (failure == null && (said == AnswerFrames.OK || said == AnswerFrames.OVER_LIMIT)) {
            listener.answered(this, startNanos, said == AnswerFrames.OVER_LIMIT);
        } else {
            listener.failed(this, failure == null ? Failure.broken("an answer without a verdict") : failure);
        }
        closeIfDone();
    }

    /** What is under way is still answered, unless its stream comes after the last one that the service took (RFC 9113, 6.8). */
    @Override
    public void leaving(ChannelHandlerContext context, int lastTaken, @Nullable Failure error) {
        if (channel == null) { // as above
            return;
        }
        inFlight.giveBack(nextStreamId - 2, lastTaken, waiting);
        if (error != null && dismissal == null) { // a later GOAWAY does not undo the reason of an earlier one
            dismissal = error;
            if (ready.isDone()) {
                listener.dismissed(this, error);
            }
        }
        if (ready.isDone()) {
            leave();
        } else {
            var _ = context.close();
        }
        succession.handOver();
        closeIfDone();
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
        outgoing.clear();
        var failure = dismissal == null ? Failure.broken(reason) : dismissal;
        // Before it was ready, whoever opened it learns of its end from `ready`; afterwards, from the listener.
        boolean wasReady = !ready.completeExceptionally(new IllegalStateException(failure.sentence()));
        int missing = inFlight.clear() + (succession.isExpected() ? 0 : waiting.clear());
        listener.failed(this, failure, missing);
        if (wasReady && !isLeaving) {
            listener.lost(this);
        }
    }
}
