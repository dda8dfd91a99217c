package dev.weir.grpc;

import dev.weir.call.Call;
import dev.weir.call.Calls;
import dev.weir.call.Head;
import dev.weir.call.Outcome;
import dev.weir.call.Replies;
import dev.weir.call.Trace;
import dev.weir.decide.Decider;
import dev.weir.decide.Decision;
import dev.weir.decide.NoRulesException;
import dev.weir.decide.OverloadedException;
import dev.weir.decide.UndecidedException;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import io.grpc.Status;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers ShouldRateLimit: bytes in, bytes out, on whichever thread brings them.
 *
 * <p>Nothing that goes wrong with one call leaves this class, because the thread that answers it answers a whole batch of
 * others too.
 */
final class RateLimitCalls implements Calls {
    private static final Logger LOG = LoggerFactory.getLogger(RateLimitCalls.class);

    /** Made once: there are many in little time. */
    private static final Outcome TURNED_AWAY =
            Statuses.outcome(Status.RESOURCE_EXHAUSTED.withDescription(new OverloadedException().getMessage()));

    private final Decider decider;
    private final int maxMessageBytes;
    private final CallListener listener;

    RateLimitCalls(Decider decider, int maxMessageBytes, CallListener listener) {
        this.decider = decider;
        this.maxMessageBytes = maxMessageBytes;
        this.listener = listener;
    }

    /** A few bytes that claim to be many are told so no later than that. */
    @Override
    public int maxUnpackedBytes(int most) {
        return Math.min(most, maxMessageBytes);
    }

    @Override
    public Call begin(Head head, Replies replies) {
        return new Conversation(replies, head.trace());
    }

    /** Whoever is turned away may have an answer all the same, which follows from the request. */
    @Override
    public @Nullable Outcome turnedAwayWith() {
        return decider.hasFailurePolicies() ? null : TURNED_AWAY;
    }

    @Override
    public void turnedAway() {
        decider.listener().turnedAway();
        listener.shouldRateLimit(0);
    }

    private final class Conversation implements Call {
        private final Replies replies;
        private final Trace trace;
        private byte @Nullable [] message;
        private @Nullable Decision decision;

        Conversation(Replies replies, Trace trace) {
            this.replies = replies;
            this.trace = trace;
        }

        @Override
        public void message(byte[] bytes) {
            if (message == null) {
                message = bytes;
            } else {
                replies.close(Statuses.SECOND_MESSAGE);
                broken(Statuses.SECOND_MESSAGE);
            }
        }

        @Override
        public void halfClose() {
            ask(false);
        }

        private void ask(boolean isTurnedAway) {
            long began = System.nanoTime();
            try {
                decide(request(), isTurnedAway, began);
            } catch (InvalidRequestException mistake) {
                decider.listener().refused(mistake);
                fail(mistake, began);
            } catch (RuntimeException defect) {
                decider.listener().failed();
                fail(defect, began);
            }
        }

        @Override
        public boolean isGated() {
            return true;
        }

        @Override
        public void turnAway() {
            if (decider.hasFailurePolicies()) {
                ask(true);
            } else {
                replies.close(TURNED_AWAY);
                turnedAway();
            }
        }

        private Request request() {
            if (message == null) {
                throw new InvalidRequestException("there was no message");
            }
            if (message.length > maxMessageBytes) {
                throw new InvalidRequestException("a message may hold " + maxMessageBytes
                        + " bytes (MAX_MESSAGE_BYTES), this one holds " + message.length);
            }
            byte[] read = message;
            message = null; // what is large in it may be of no rule, and nobody needs it while the store is asked
            return RequestReader.read(read, decider.bounds());
        }

        private void decide(Request request, boolean isTurnedAway, long began) {
            Decision asked = asked(request, isTurnedAway);
            decision = asked;
            // whenComplete would wrap a failure, with a stack trace
            var _ = asked.verdict().handle((verdict, failure) -> {
                if (failure == null) {
                    trace.decided(verdict.isOver());
                    answer(verdict, began);
                } else {
                    fail(failure, began);
                }
                return asked;
            });
        }

        private Decision asked(Request request, boolean isTurnedAway) {
            trace.asked(request.domain(), request.descriptors().size());
            try {
                return isTurnedAway ? decider.decideWithoutStore(request) : decider.decide(request);
            } finally {
                trace.handedOver();
            }
        }

        private void answer(Verdict verdict, long began) {
            try {
                replies.answer(VerdictWriter.write(verdict));
                listener.shouldRateLimit(System.nanoTime() - began);
            } catch (RuntimeException defect) {
                decider.listener().failed();
                fail(defect, began);
            }
        }

        private void fail(Throwable failure, long began) {
            replies.close(outcomeOf(failure));
            listener.shouldRateLimit(System.nanoTime() - began);
        }

        @Override
        public void broken(Outcome told) {
            decider.listener().refused(new InvalidRequestException(String.valueOf(told.message())));
            listener.shouldRateLimit(0);
        }

        @Override
        public void cancel() {
            if (decision != null) {
                decision.abandon();
            } else if (message != null) {
                decider.listener().abandoned(); // until there is a message, nothing was asked
                listener.shouldRateLimit(0);
            }
        }
    }

    private static Outcome outcomeOf(Throwable failure) {
        Throwable cause = Decision.causeOf(failure);
        if (cause instanceof OverloadedException) {
            return TURNED_AWAY;
        }
        return Statuses.outcome(
                switch (cause) {
                    case InvalidRequestException mistake ->
                        Status.INVALID_ARGUMENT.withDescription(mistake.getMessage());
                    case NoRulesException none -> Status.FAILED_PRECONDITION.withDescription(none.getMessage());
                    case UndecidedException undecided -> Status.UNAVAILABLE.withDescription(undecided.getMessage());
                    case CancellationException _ -> Status.CANCELLED;
                    default -> {
                        LOG.error("a request could not be decided", cause);
                        yield Status.INTERNAL.withDescription("a defect of the rate limit service, see its log");
                    }
                });
    }
}
