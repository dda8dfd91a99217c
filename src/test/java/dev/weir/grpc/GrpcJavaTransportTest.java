package dev.weir.grpc;

import dev.weir.decide.Decider;

final class GrpcJavaTransportTest extends TransportContract {
    @Override
    Transport of(Decider decider) {
        return new GrpcJavaTransport(decider);
    }
}
