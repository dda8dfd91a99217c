package dev.weir.grpc;

import dev.weir.call.Outcome;
import io.grpc.Status;

/** gRPC's statuses, as calls end with them. */
final class Statuses {
    /** The end of a call with one message too many; most methods take one. */
    static final Outcome SECOND_MESSAGE =
            outcome(Status.CANCELLED.withDescription("a call has one message, this one has more"));

    private Statuses() {}

    static Outcome outcome(Status status) {
        return new Outcome(status.getCode().value(), status.getDescription());
    }
}
