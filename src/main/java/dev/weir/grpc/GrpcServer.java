package dev.weir.grpc;

import dev.weir.decide.Decider;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The gRPC port: ShouldRateLimit, health for "" and "ratelimit", and reflection, on the event loops themselves. */
public final class GrpcServer {
    /** The name under which callers of envoyproxy/ratelimit ask for health. */
    private static final String HEALTH_NAME = "ratelimit";

    /** Room for messages over the bound, so that they are answered in words and not by a broken call. */
    private static final int TRANSPORT_MAX_BYTES = 8 << 20;

    private static final long BREAK_OFF_SECONDS = 5;
    private static final Duration FASTEST_KEEPALIVE = Duration.ofSeconds(1);

    private final HealthStatusManager health = new HealthStatusManager();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("weir-grpc-deadline").factory());
    private final EventLoops loops = new EventLoops();
    private final Server server;

    /**
     * Creates a server that does not listen yet.
     *
     * @param address to listen on; port 0 takes a free one
     * @param decider answers the requests
     * @param maxMessageBytes a request may have
     * @param storeTimeout within which the decider answers unless this process stands still
     */
    public GrpcServer(InetSocketAddress address, Decider decider, int maxMessageBytes, Duration storeTimeout) {
        setHealthy(false);
        var calls = new RateLimitCalls(decider, maxMessageBytes, storeTimeout.toNanos(), timer);
        server = loops.carry(NettyServerBuilder.forAddress(address))
                .directExecutor()
                .addService(shouldRateLimit(calls))
                .addService(health.getHealthService())
                .addService(ProtoReflectionServiceV1.newInstance())
                .maxInboundMessageSize(Math.max(TRANSPORT_MAX_BYTES, maxMessageBytes))
                .permitKeepAliveWithoutCalls(true)
                .permitKeepAliveTime(FASTEST_KEEPALIVE.toSeconds(), TimeUnit.SECONDS)
                .build();
    }

    /** Envoy's service as its proto describes it (reflection shows that), with messages left as bytes. */
    private static ServerServiceDefinition shouldRateLimit(RateLimitCalls calls) {
        ServiceDescriptor envoys = RateLimitServiceGrpc.getServiceDescriptor();
        MethodDescriptor<byte[], byte[]> method = RateLimitServiceGrpc.getShouldRateLimitMethod().toBuilder(
                        Bytes.INSTANCE, Bytes.INSTANCE)
                .build();
        ServiceDescriptor ours = ServiceDescriptor.newBuilder(envoys.getName())
                .setSchemaDescriptor(envoys.getSchemaDescriptor())
                .addMethod(method)
                .build();
        return ServerServiceDefinition.builder(ours).addMethod(method, calls).build();
    }

    /**
     * Begins to listen.
     *
     * @return the port
     * @throws IOException if the address cannot be had
     */
    public int start() throws IOException {
        server.start();
        return server.getPort();
    }

    /** Tells health checks whether requests should come here. */
    public void setHealthy(boolean healthy) {
        ServingStatus status = healthy ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
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
        // Ends the watches of health that clients keep open, which would otherwise be waited for.
        health.enterTerminalState();
        server.shutdown();
        try {
            if (!server.awaitTermination(within.toNanos(), TimeUnit.NANOSECONDS)) {
                server.shutdownNow().awaitTermination(BREAK_OFF_SECONDS, TimeUnit.SECONDS);
            }
        } finally {
            server.shutdownNow();
            timer.shutdownNow();
            loops.stop();
        }
    }
}
