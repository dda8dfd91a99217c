package dev.weir.grpc;

import dev.weir.decide.Decider;
import dev.weir.decide.Decision;
import dev.weir.decide.NoRulesException;
import dev.weir.decide.UndecidedException;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers ShouldRateLimit: bytes in, bytes out, on whichever thread brings them.
 *
 * <p>A call is closed once, by the verdict or by the caller's deadline, whichever comes first. Nothing that goes wrong with
 * one call leaves this class, because the thread that answers it answers a whole batch of others too.
 */
final class RateLimitCalls implements ServerCallHandler<byte[], byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(RateLimitCalls.class);

    /** How long before the deadline its answer goes out, so that it arrives as an answer. */
    private static final long ANSWER_AHEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Decider decider;
    private final int maxMessageBytes;
    private final long storeTimeoutNanos;
    private final ScheduledExecutorService timer;

    /**
     * Creates the handler.
     *
     * @param storeTimeoutNanos a decision takes longer only if this process stood still, so only shorter deadlines get the
     *     timer; where one passes all the same, gRPC itself resets the call
     */
    RateLimitCalls(Decider decider, int maxMessageBytes, long storeTimeoutNanos, ScheduledExecutorService timer) {
        this.decider = decider;
        this.maxMessageBytes = maxMessageBytes;
        this.storeTimeoutNanos = storeTimeoutNanos;
        this.timer = timer;
    }

    @Override
    public ServerCall.Listener<byte[]> startCall(ServerCall<byte[], byte[]> call, Metadata headers) {
        // One message is what a unary call has; asking for two lets gRPC notice a second one, and break the call off.
        call.request(2);
        return new Conversation(call, Context.current().getDeadline());
    }

    private final class Conversation extends ServerCall.Listener<byte[]> {
        private final ServerCall<byte[], byte[]> call;
        private final @Nullable Deadline deadline;
        private final AtomicBoolean isClosed = new AtomicBoolean();
        private byte @Nullable [] message;
        private @Nullable Decision decision;

        Conversation(ServerCall<byte[], byte[]> call, @Nullable Deadline deadline) {
            this.call = call;
            this.deadline = deadline;
        }

        @Override
        public void onMessage(byte[] bytes) {
            message = bytes;
        }

        @Override
        public void onHalfClose() {
            if (deadline != null && deadline.isExpired()) {
                close(deadlineExceeded());
                return;
            }
            try {
                decide(request());
            } catch (InvalidRequestException mistake) {
                decider.refuse(mistake);
                close(statusOf(mistake));
            } catch (RuntimeException defect) {
                close(statusOf(defect));
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
            return RequestReader.read(message);
        }

        private void decide(Request request) {
            Decision asked = decider.decide(request);
            decision = asked;
            var _ = asked.verdict().whenComplete((verdict, failure) -> {
                if (failure == null) {
                    answer(verdict);
                } else {
                    close(statusOf(failure));
                }
            });
            if (deadline != null && !isClosed.get()) {
                watch(deadline, asked);
            }
        }

        /** gRPC ends a call whose deadline has passed by a reset; the caller gets an answer if it goes out a moment before. */
        private void watch(Deadline due, Decision asked) {
            long left = due.timeRemaining(TimeUnit.NANOSECONDS) - ANSWER_AHEAD_NANOS;
            if (left < storeTimeoutNanos) {
                var _ = timer.schedule(
                        () -> {
                            close(deadlineExceeded());
                            asked.abandon();
                        },
                        Math.max(0, left),
                        TimeUnit.NANOSECONDS);
            }
        }

        @Override
        public void onCancel() {
            isClosed.set(true);
            if (decision != null) {
                decision.abandon();
            }
        }

        private void answer(Verdict verdict) {
            if (!isClosed.compareAndSet(false, true)) {
                return;
            }
            try {
                byte[] bytes = VerdictWriter.write(verdict).toByteArray();
                call.sendHeaders(new Metadata());
                call.sendMessage(bytes);
                call.close(Status.OK, new Metadata());
            } catch (IllegalStateException gone) {
                // The call was cancelled meanwhile: gRPC says so by throwing, and there is nobody to answer.
                LOG.debug("a call ended before its answer", gone);
            } catch (RuntimeException defect) {
                end(statusOf(defect));
            }
        }

        private void close(Status status) {
            if (isClosed.compareAndSet(false, true)) {
                end(status);
            }
        }

        private void end(Status status) {
            try {
                call.close(status, new Metadata());
            } catch (IllegalStateException gone) {
                LOG.debug("a call ended before its answer", gone);
            }
        }
    }

    private static Status deadlineExceeded() {
        return Status.DEADLINE_EXCEEDED.withDescription("the caller's deadline passed before the store answered");
    }

    private static Status statusOf(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return switch (cause) {
            case InvalidRequestException mistake -> Status.INVALID_ARGUMENT.withDescription(mistake.getMessage());
            case NoRulesException none -> Status.FAILED_PRECONDITION.withDescription(none.getMessage());
            case UndecidedException undecided -> Status.UNAVAILABLE.withDescription(undecided.getMessage());
            case CancellationException _ -> Status.CANCELLED;
            default -> {
                LOG.error("a request could not be decided", cause);
                yield Status.INTERNAL.withDescription("a defect of the rate limit service, see its log");
            }
        };
    }
}
