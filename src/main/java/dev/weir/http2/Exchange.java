package dev.weir.http2;

import dev.weir.call.Call;
import dev.weir.call.Calls;
import dev.weir.call.Head;
import dev.weir.call.Outcome;
import dev.weir.call.Replies;
import dev.weir.http2.message.BrokenCallException;
import dev.weir.http2.message.MessageReader;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http2.Http2Error;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One call on its stream. All but the replies, which may come from anywhere, belongs to the connection's thread. */
final class Exchange implements Replies {
    private static final Outcome TOO_LATE =
            new Outcome(Outcome.DEADLINE_EXCEEDED, "the caller's deadline passed before there was an answer");

    private static final Outcome UNFINISHED =
            new Outcome(Outcome.DEADLINE_EXCEEDED, "the caller began the call, and has not finished it for 10 seconds");

    /** Five seconds lie between two of them. */
    private static final int MOST_LOOKS = 3;

    private static final Outcome GONE = new Outcome(Outcome.CANCELLED, "the caller left");

    private final Connection connection;
    private final int streamId;
    private final Head head;
    private final MessageReader reader;
    private @Nullable Call call;
    private long cameNanos;
    private boolean isInside;
    private boolean isBegun;
    private boolean isEnded;
    private boolean isHalfClosed;
    private int heldBack;
    private int looks;

    Exchange(Connection connection, int streamId, Head head, MessageReader reader) {
        this.connection = connection;
        this.streamId = streamId;
        this.head = head;
        this.reader = reader;
    }

    /** Returns the deadline as long as it matters. */
    long deadlineNanos() {
        return isEnded ? Head.NO_DEADLINE : head.deadlineNanos();
    }

    void begin(Calls calls) {
        call = calls.begin(head, this);
    }

    /**
     * Takes bytes of the stream.
     *
     * @param isLast whether {@link #halfClose} follows
     * @return how many the caller may send in their place at once
     */
    int read(ByteBuf bytes, int flowBytes, boolean isLast) {
        if (isEnded) {
            return flowBytes;
        }
        Call taking = Objects.requireNonNull(call);
        // Nearly always: nothing need be kept then, and the budget is shared.
        boolean isAnsweredNow = isLast && taking.keepsNothing();
        try {
            byte[] message = reader.next(bytes);
            while (message != null) {
                looks = 0;
                if (!isAnsweredNow) {
                    reader.keep(message, taking.isReady());
                }
                taking.message(message);
                if (isEnded) {
                    return flowBytes; // by that message: nobody would give back what is held of a further one
                }
                message = reader.next(bytes);
            }
        } catch (BrokenCallException broken) {
            refuse(broken.outcome());
            return flowBytes;
        }
        if (taking.isReady()) {
            return flowBytes;
        }
        heldBack += flowBytes;
        return 0;
    }

    /** The caller has said everything. */
    void halfClose() {
        isHalfClosed = true;
        if (isEnded) {
            return;
        }
        if (reader.isMidway()) {
            refuse(new Outcome(Outcome.INTERNAL, "Encountered end-of-stream mid-frame"));
        } else if (isLate(System.nanoTime())) {
            connection.socket().late();
            giveUp();
        } else {
            askToBeAnswered(Objects.requireNonNull(call));
        }
    }

    private void askToBeAnswered(Call asking) {
        if (!asking.isGated()) {
            asking.halfClose();
        } else if (connection.socket().enter(head.deadlineNanos())) {
            isInside = true;
            cameNanos = connection.socket().cameNanos();
            asking.halfClose();
        } else {
            asking.turnAway();
        }
    }

    private void leave() {
        if (isInside) {
            isInside = false;
            connection.gate().leave(cameNanos, head.deadlineNanos());
        }
    }

    /** Looks whether the caller has left the call unfinished, and returns whether it has been so for too long. */
    boolean look() {
        looks = isEnded || isHalfClosed || !isUnfinished() ? 0 : looks + 1;
        return looks == MOST_LOOKS;
    }

    /** Ends the call because it was left unfinished. */
    void endUnfinished() {
        if (!isEnded) {
            refuse(UNFINISHED);
        }
    }

    /** Calls of one message are, until their caller has said everything; others may rest between their messages. */
    private boolean isUnfinished() {
        return reader.isMidway() || Objects.requireNonNull(call).keepsNothing();
    }

    private boolean isLate(long nowNanos) {
        return head.deadlineNanos() != Head.NO_DEADLINE && nowNanos - head.deadlineNanos() >= 0;
    }

    /** Ends the call because its deadline is a moment away. */
    void expire() {
        if (!isEnded) {
            giveUp();
        }
    }

    /** Answers first: a call that is cancelled may want to answer something else. */
    private void giveUp() {
        end(TOO_LATE);
        Objects.requireNonNull(call).cancel();
    }

    private void refuse(Outcome outcome) {
        end(outcome);
        Objects.requireNonNull(call).broken(outcome);
    }

    /** The stream was closed, by whomever. */
    void gone() {
        if (!isEnded) {
            isEnded = true;
            reader.forget();
            leave();
            head.trace().ended(GONE);
            Objects.requireNonNull(call).cancel();
        }
    }

    @Override
    public void answer(byte[] message) {
        connection.bring(() -> {
            if (!isEnded && !answerWhole(message, Outcome.OK)) {
                var _ = write(message);
                end(Outcome.OK);
            }
        });
    }

    @Override
    public void send(byte[] message, Runnable written) {
        connection.bring(() -> {
            if (!isEnded) {
                // The next message may be there already, and Netty is writing this one.
                var _ = write(message).addListener(_ -> connection.bringLater(written));
            }
        });
    }

    @Override
    public void close(Outcome outcome) {
        connection.bring(() -> end(outcome));
    }

    @Override
    public void ready() {
        connection.bring(() -> {
            int bytes = heldBack;
            heldBack = 0;
            connection.giveWindow(streamId, bytes);
        });
    }

    private ChannelFuture write(byte[] message) {
        if (!isBegun) {
            isBegun = true;
            connection.answers().headers(streamId);
        }
        return connection.answers().message(streamId, message);
    }

    private void end(Outcome outcome) {
        if (isEnded || answerWhole(null, outcome)) {
            return;
        }
        ended(outcome);
        ChannelFuture ended = connection.answers().end(streamId, outcome, isBegun);
        if (!isHalfClosed) {
            // The caller need not go on with what nobody reads.
            var _ = ended.addListener(_ -> connection.reset(streamId, Http2Error.NO_ERROR));
        }
    }

    /** Ends the call with an answer in one piece; returns false, and does nothing, if something is in its way, or the answer has begun. */
    private boolean answerWhole(byte @Nullable [] message, Outcome outcome) {
        if (isBegun || !isHalfClosed || !connection.answerWhole(streamId, message, outcome)) {
            return false;
        }
        if (!isEnded) { // a connection that broke over it has ended it
            ended(outcome);
            connection.closed(streamId);
        }
        return true;
    }

    private void ended(Outcome outcome) {
        isEnded = true;
        reader.forget();
        leave();
        head.trace().ended(outcome);
    }
}
