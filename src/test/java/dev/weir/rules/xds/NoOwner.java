package dev.weir.rules.xds;

import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Status;

/** Owns a stream that nobody opens: to be told anything is a failure. */
final class NoOwner implements Stream.Owner {
    @Override
    public void received(Stream stream, DiscoveryResponse response, boolean isFirst) {
        throw new AssertionError(response);
    }

    @Override
    public void ended(Status status, boolean wasReached) {
        throw new AssertionError(status);
    }
}
