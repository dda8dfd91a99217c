package dev.weir.grpc;

import dev.weir.call.Patience;
import dev.weir.call.Tracer;
import dev.weir.decide.Decider;
import dev.weir.http2.Http2Server;
import dev.weir.http2.opening.Methods;
import dev.weir.loop.EventLoops;
import dev.weir.socket.Entrance;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The gRPC port: ShouldRateLimit, health for "" and "ratelimit", and reflection, on the event loops themselves. */
public final class GrpcServer {
    /** The name under which callers of envoyproxy/ratelimit ask for health. */
    private static final String HEALTH_NAME = "ratelimit";

    /** Room for messages over the bound, so that they are answered in words and not by a broken call. */
    private static final int TRANSPORT_MAX_BYTES = 8 << 20;

    private final HealthStatusManager health = new HealthStatusManager();
    private final HealthCalls healthCalls;
    private final Relay relay;
    private final Http2Server server;

    /** Creates a server that does not listen yet, without TLS, for callers that may stay as long as they like. */
    public GrpcServer(
            InetSocketAddress address,
            Decider decider,
            int maxMessageBytes,
            Duration patience,
            EventLoops loops,
            CallListener listener) {
        this(Entrance.plain(address), decider, maxMessageBytes, Patience.of(patience), loops, listener, null);
    }

    /**
     * Creates a server that does not listen yet.
     *
     * @param entrance where callers come in
     * @param decider answers the requests
     * @param maxMessageBytes a request may have
     * @param patience of the callers; requests are turned away when answers would take longer
     * @param loops on which it is read and answered; they outlive the server
     * @param listener is told of each call
     * @param tracer says which calls are followed; null if none is, ever
     */
    public GrpcServer(
            Entrance entrance,
            Decider decider,
            int maxMessageBytes,
            Patience patience,
            EventLoops loops,
            CallListener listener,
            @Nullable Tracer tracer) {
        healthCalls = new HealthCalls(Set.of(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, HEALTH_NAME), listener);
        setHealthy(false);
        int transportMaxBytes = Math.max(TRANSPORT_MAX_BYTES, maxMessageBytes);
        relay = new Relay(
                List.of(shouldRateLimit(), health.getHealthService(), ProtoReflectionServiceV1.newInstance()));
        server = new Http2Server(
                entrance,
                new Methods(
                        Map.of(
                                shouldRateLimitPath(),
                                new RateLimitCalls(decider, maxMessageBytes, listener),
                                "/" + HealthGrpc.getCheckMethod().getFullMethodName(),
                                healthCalls),
                        relay,
                        transportMaxBytes,
                        tracer,
                        listener::refused),
                patience,
                loops);
    }

    /** Returns the path by which HTTP/2 knows the method. */
    public static String shouldRateLimitPath() {
        return "/" + RateLimitServiceGrpc.getShouldRateLimitMethod().getFullMethodName();
    }

    /** Envoy's service by its proto, for reflection to show; its calls never come that far. */
    private static BindableService shouldRateLimit() {
        return () -> ServerServiceDefinition.builder(RateLimitServiceGrpc.getServiceDescriptor())
                .addMethod(RateLimitServiceGrpc.getShouldRateLimitMethod(), (_, _) -> {
                    throw new IllegalStateException("ShouldRateLimit is answered before");
                })
                .build();
    }

    /**
     * Begins to listen.
     *
     * @return the port
     * @throws IOException if the address cannot be had
     */
    public int start() throws IOException {
        relay.start();
        relay.warmUp(ServerReflectionGrpc.getServerReflectionInfoMethod().getFullMethodName());
        relay.warmUp("weir.Nobody/Nothing");
        return server.start();
    }

    /** Tells health checks whether requests should come here. */
    public void setHealthy(boolean healthy) {
        ServingStatus status = healthy ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
        healthCalls.set(status);
        health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
        health.setStatus(HEALTH_NAME, status);
    }

    /**
     * Takes no new calls, lets those under way finish, and ends. Blocks.
     *
     * @param within after which what is still under way is broken off
     * @throws InterruptedException if the thread is interrupted; what is under way is broken off then too
     */
    public void stop(Duration within) throws InterruptedException {
        setHealthy(false);
        relay.stop(); // ends the watches of health that clients keep open, which would otherwise be waited for
        server.stop(within);
    }
}
