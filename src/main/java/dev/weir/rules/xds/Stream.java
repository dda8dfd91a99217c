package dev.weir.rules.xds;

import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One stream on a connection of its own. All of it happens on the client's thread. */
final class Stream implements StreamObserver<DiscoveryResponse> {
    private final ManagedChannel channel;
    private final Conversation conversation;
    private final Owner owner;
    private @Nullable StreamObserver<DiscoveryRequest> requests;
    private int heard;
    private boolean hasEnded;

    /** Who is asked what to make of a response, and told of the end. */
    interface Owner {
        /**
         * Tells a response, which is to be accepted or refused.
         *
         * @param isFirst whether nothing came on this stream before
         */
        void received(Stream stream, DiscoveryResponse response, boolean isFirst);

        /**
         * Tells the end, once.
         *
         * @param wasReached whether there was a connection
         */
        void ended(Status status, boolean wasReached);
    }

    Stream(ManagedChannel channel, Conversation conversation, Owner owner) {
        this.channel = channel;
        this.conversation = conversation;
        this.owner = owner;
    }

    /** Connects, and asks for all resources. A stream that cannot be opened leaves no connection behind. */
    void open() {
        try {
            requests = AggregatedDiscoveryServiceGrpc.newStub(channel).streamAggregatedResources(this);
            send(conversation.opening());
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    void accept(DiscoveryResponse response) {
        send(conversation.accept(response));
    }

    void refuse(String nonce, List<String> mistakes) {
        send(conversation.refuse(nonce, mistakes));
    }

    /** Returns whether nothing more can come on it. */
    boolean hasEnded() {
        return hasEnded;
    }

    /** Ends the stream and its connection; the owner is told nothing any more. */
    void close() {
        hasEnded = true;
        channel.shutdownNow();
    }

    /** Ends the attempt if there is no connection yet: some peers accept one and never say a word. */
    void expire(Duration patience) {
        // A connection that is about to end is not ready, and may still bring responses.
        if (!hasEnded && heard == 0 && channel.getState(false) != ConnectivityState.READY) {
            close();
            owner.ended(
                    Status.UNAVAILABLE.withDescription("no word from it within " + patience.toSeconds() + " s"), false);
        }
    }

    @Override
    public void onNext(DiscoveryResponse response) {
        if (!hasEnded) {
            heard++;
            owner.received(this, response, heard == 1);
        }
    }

    @Override
    public void onError(Throwable failure) {
        end(Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
        end(Status.OK);
    }

    private void end(Status status) {
        if (!hasEnded) {
            // A connection that was made and lost is idle; one that was never made has failed, or is tried again.
            var state = channel.getState(false);
            close();
            owner.ended(status, state == ConnectivityState.READY || state == ConnectivityState.IDLE);
        }
    }

    private void send(DiscoveryRequest request) {
        if (!hasEnded && requests != null) {
            requests.onNext(request);
        }
    }
}
