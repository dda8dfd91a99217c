package dev.weir.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.weir.call.Call;
import dev.weir.call.Calls;
import dev.weir.call.Head;
import dev.weir.call.Outcome;
import dev.weir.call.Replies;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Answers Health/Check: probes shall be answered even where nothing else of gRPC is. */
final class HealthCalls implements Calls {
    private final Set<String> names;
    private final CallListener listener;
    private volatile byte[] answer = bytes(ServingStatus.NOT_SERVING);

    /**
     * Creates the calls.
     *
     * @param names of the services that share one health
     * @param listener is told of each call
     */
    HealthCalls(Set<String> names, CallListener listener) {
        this.names = names;
        this.listener = listener;
    }

    void set(ServingStatus status) {
        answer = bytes(status);
    }

    private static byte[] bytes(ServingStatus status) {
        return HealthCheckResponse.newBuilder().setStatus(status).build().toByteArray();
    }

    @Override
    public int maxBytes(int most) {
        return Math.min(most, Relay.MAX_BYTES);
    }

    @Override
    public Call begin(Head head, Replies replies) {
        return new Question(replies);
    }

    private final class Question implements Call {
        private final Replies replies;
        private byte @Nullable [] message;

        Question(Replies replies) {
            this.replies = replies;
        }

        @Override
        public void message(byte[] bytes) {
            if (message == null) {
                message = bytes;
            } else {
                replies.close(Statuses.SECOND_MESSAGE);
                listener.healthCheck(0);
            }
        }

        @Override
        public boolean keepsNothing() {
            return true;
        }

        @Override
        public void halfClose() {
            long began = System.nanoTime();
            answer();
            listener.healthCheck(System.nanoTime() - began);
        }

        private void answer() {
            byte[] read = message;
            message = null; // it is told of by what follows
            if (read == null) {
                close(Status.INTERNAL.withDescription("there was no message"));
                return;
            }
            try {
                String name = HealthCheckRequest.parseFrom(read).getService();
                if (names.contains(name)) {
                    replies.answer(answer);
                } else {
                    close(Status.NOT_FOUND.withDescription("unknown service " + name));
                }
            } catch (InvalidProtocolBufferException e) {
                close(Status.INTERNAL.withDescription("the message is no HealthCheckRequest: " + e.getMessage()));
            }
        }

        private void close(Status status) {
            replies.close(Statuses.outcome(status));
        }

        @Override
        public void cancel() {
            if (message != null) { // until there is a message, nothing was asked
                listener.healthCheck(0);
            }
        }

        @Override
        public void broken(Outcome told) {
            listener.healthCheck(0);
        }
    }
}
