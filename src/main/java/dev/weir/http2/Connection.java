package dev.weir.http2;

import dev.weir.call.Gate;
import dev.weir.call.Outcome;
import dev.weir.call.Refusal;
import dev.weir.http2.bound.Budgets;
import dev.weir.http2.bound.PingPolicy;
import dev.weir.http2.bound.Unread;
import dev.weir.http2.header.EarlyTable;
import dev.weir.http2.header.HeaderBlocks;
import dev.weir.http2.header.HeaderWriter;
import dev.weir.http2.opening.Methods;
import dev.weir.http2.opening.Opening;
import dev.weir.http2.opening.Openings;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of a caller. Netty keeps the rules of HTTP/2; this turns streams into calls and brings the answers back.
 *
 * <p>Answers are flushed once for all that a round of reading brought, or that other threads brought since the last flush.
 */
final class Connection extends Http2ConnectionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    private final Frames frames;
    private final HeaderWriter headers;
    private final EarlyTable table;
    private final Methods methods;
    private final Budgets budgets;
    private final Reception reception;
    private final Gate gate;
    private final Gate.Socket socket;
    private final Gathering gathering;
    private final Doorstep doorstep;
    private final PingPolicy pings = new PingPolicy();
    private final Departure departure = new Departure(this);

    private @Nullable ChannelHandlerContext context;
    private @Nullable Answers answers;
    private @Nullable Deadlines deadlines;
    private @Nullable Brought brought;
    private boolean isReading;
    private boolean isGivenUp;

    Connection(
            Frames decoder,
            HeaderWriter encoder,
            Http2Settings settings,
            HeaderBlocks blocks,
            EarlyTable table,
            Methods methods,
            Budgets budgets,
            Gate gate,
            Gathering gathering) {
        super(decoder, encoder, settings);
        frames = decoder;
        headers = encoder;
        this.table = table;
        this.methods = methods;
        this.budgets = budgets;
        this.gate = gate;
        socket = gate.socket();
        this.gathering = gathering;
        var openings = new Openings(blocks, methods);
        reception = new Reception(this, openings, methods, budgets);
        var events = new FrameEvents(this, reception, pings);
        decoder.frameListener(events);
        doorstep = new Doorstep(this, openings, socket, methods.maxMessageBytes());
        decoder.doorstep(doorstep);
        connection().addListener(events);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) throws Exception {
        context = added;
        answers = new Answers(added, headers, gathering, new Unread(budgets.unread()), this::answersAreNotTaken);
        deadlines = new Deadlines(this, added.channel().eventLoop());
        brought = new Brought(added.executor(), this::endRound);
        super.handlerAdded(added);
        boundStreamsItself();
    }

    /** Netty, where it refuses a stream, takes the rest of it for frames of one that never was, and ends all other calls as well. */
    void boundStreamsItself() {
        connection().remote().maxActiveStreams(Integer.MAX_VALUE);
    }

    @Override
    public void channelActive(ChannelHandlerContext active) throws Exception {
        super.channelActive(active);
        // The settings only widen the streams; the connection has a window of its own.
        var flow = decoder().flowController();
        flow.incrementWindowSize(
                connection().connectionStream(),
                ConnectionBuilder.WINDOW_BYTES
                        - flow.initialWindowSize(connection().connectionStream()));
    }

    @Override
    public void channelInactive(ChannelHandlerContext inactive) throws Exception {
        super.channelInactive(inactive);
        table.settle();
        reception.end();
        gate.flushed(); // nobody waits for what its calls were answered
        Objects.requireNonNull(deadlines).stop();
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object bytes) throws Exception {
        isReading = true;
        socket.read();
        super.channelRead(from, bytes);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext from) throws Exception {
        socket.emptied(); // nearly always: Netty reads up to 1 MiB in one look, and callers send little more ahead
        try {
            doorstep.settle(from);
        } finally {
            isReading = false;
            super.channelReadComplete(from);
        }
        gate.flushed();
    }

    /** Ends a round of reading or of writing: whatever opened or closed streams flushes. */
    @Override
    public void flush(ChannelHandlerContext from) {
        super.flush(from);
        reception.count(connection().numActiveStreams());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable failure) throws Exception {
        LOG.debug("a connection broke", failure);
        onError(from, false, failure);
    }

    /** A caller that does not begin as HTTP/2 does is refused before there are frames. */
    @Override
    protected void onConnectionError(
            ChannelHandlerContext from, boolean isOutbound, Throwable failure, @Nullable Http2Exception known) {
        ByteBuf said = internalBuffer();
        if (known != null && !frames.isAny() && said.writerIndex() > 0) { // Netty has passed over it
            methods.refusals().accept(Refusal.PROTOCOL);
            Strangers.tell(from.channel(), said);
        }
        super.onConnectionError(from, isOutbound, failure, known);
    }

    /** Runs a task on this connection's thread, and sends what it wrote together with what others wrote meanwhile. */
    void bring(Runnable task) {
        ChannelHandlerContext here = Objects.requireNonNull(context);
        if (isReading && here.executor().inEventLoop()) {
            task.run();
            return;
        }
        bringLater(task);
    }

    /**
     * Runs a task after all that is read or written now. Netty must not be given more for a stream while it writes it: it would take
     * what comes for a part of what it writes, count it once, and look for the rest for ever.
     */
    void bringLater(Runnable task) {
        Objects.requireNonNull(brought).add(task);
    }

    /** Sends what was written outside a round of reading. */
    void endRound() {
        flush(Objects.requireNonNull(context));
        gate.flushed();
    }

    /** Returns the call on a stream; null if its headers were refused. */
    @Nullable
    Exchange exchange(Http2Stream stream) {
        return reception.exchange(stream);
    }

    /** Looks at all streams, and returns the calls that shall end: behind the look, not in it. */
    List<Exchange> toEnd(Predicate<Http2Stream> look) {
        return reception.toEnd(look);
    }

    Gate gate() {
        return gate;
    }

    /** Returns where the calls enter that are read at this moment. */
    Gate.Socket socket() {
        return socket;
    }

    /** Returns whether the caller of a call that is read at this moment has stopped waiting. */
    boolean isLate(Opening opening) {
        return opening.timeoutNanos() != Opening.NO_TIMEOUT && socket.ageNanos() >= opening.timeoutNanos();
    }

    /** Returns the writer of answers. Asking for it means to answer, which makes pings welcome again. */
    Answers answers() {
        pings.answered();
        return Objects.requireNonNull(answers);
    }

    /**
     * Answers a call whose caller has said everything, in one piece.
     *
     * @param message null if there is none
     * @return whether that could be done; if so, {@link #closed} must follow
     */
    boolean answerWhole(int streamId, byte @Nullable [] message, Outcome outcome) {
        Http2Stream stream = connection().stream(streamId);
        try {
            return stream != null && answers().whole(stream, message, outcome);
        } catch (Http2Exception e) {
            onError(Objects.requireNonNull(context), true, e);
            return true; // whatever was written of it, nothing can follow
        }
    }

    /** Everything was said on a stream, by us. */
    void closed(int streamId) {
        Http2Stream stream = connection().stream(streamId);
        if (stream != null) {
            closeStreamLocal(stream, Objects.requireNonNull(context).newSucceededFuture());
        }
    }

    /** Lets the caller send more on a stream. */
    void giveWindow(int streamId, int bytes) {
        Http2Stream stream = connection().stream(streamId);
        if (stream != null && bytes > 0) {
            try {
                var _ = decoder().flowController().consumeBytes(stream, bytes);
            } catch (Http2Exception e) {
                onError(Objects.requireNonNull(context), false, e);
            }
        }
    }

    /** Ends a connection that has not begun as HTTP/2 does: with a greeting, and as our settings want it. */
    void endUnlessBegun() {
        ChannelHandlerContext here = Objects.requireNonNull(context);
        if (!decoder().prefaceReceived()) {
            var _ = here.close();
        } else if (!table.endGrace()) {
            onError(here, true, Http2Exception.connectionError(Http2Error.SETTINGS_TIMEOUT, "table_not_made_small"));
        }
    }

    /** The caller may have made its windows smaller. */
    void roomChanged() {
        Objects.requireNonNull(answers).roomChanged();
    }

    /** Where the socket is full as well, more answers come before the connection has ended. */
    private void answersAreNotTaken() {
        if (!isGivenUp) {
            isGivenUp = true;
            methods.refusals().accept(Refusal.PROTOCOL);
            onError(
                    Objects.requireNonNull(context),
                    true,
                    Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "answers_not_taken"));
        }
    }

    void reset(int streamId, Http2Error why) {
        ChannelHandlerContext here = Objects.requireNonNull(context);
        if (connection().stream(streamId) != null) {
            var _ = encoder().writeRstStream(here, streamId, why.code(), here.newPromise());
            if (!isReading) {
                Objects.requireNonNull(brought).roundLater(); // flushes once for all that are reset until then
            }
        }
    }

    /** Looks whether the caller has left a frame unfinished for too long. */
    boolean isFrameLeft() {
        return frames.isLeftUnfinished(
                internalBuffer(),
                Objects.requireNonNull(context).channel().config().isAutoRead());
    }

    /** Returns whether it has grown beyond what it needs, where others may soon have no room. */
    boolean isRoomWasted() {
        return reception.isRoomWasted();
    }

    /** Leaves in peace. */
    void leave() {
        departure.leave(Objects.requireNonNull(context));
    }

    /** The caller has answered a ping of ours. */
    void pingAnswered(long content) {
        departure.pingAnswered(Objects.requireNonNull(context), content);
    }

    /** Ends the connection at once. */
    void breakOff() {
        gathering.hurry();
        var _ = Objects.requireNonNull(context).close();
    }

    /** A call has begun that may have a deadline. */
    void mind(long deadlineNanos) {
        Objects.requireNonNull(deadlines).mind(deadlineNanos);
    }
}
