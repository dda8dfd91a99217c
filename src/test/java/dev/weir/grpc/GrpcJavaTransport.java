package dev.weir.grpc;

import dev.weir.call.Call;
import dev.weir.call.Head;
import dev.weir.call.Outcome;
import dev.weir.call.Replies;
import dev.weir.decide.Decider;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The yardstick: the same port by grpc-java alone, which is what callers of gRPC are used to. */
final class GrpcJavaTransport implements Transport {
    private static final ScheduledExecutorService TIMER = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().factory());

    private final HealthStatusManager health = new HealthStatusManager();
    private final Server server;

    GrpcJavaTransport(Decider decider) {
        setHealthy(false);
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .directExecutor()
                .addService(shouldRateLimit(new RateLimitCalls(decider, MAX_MESSAGE_BYTES, new DeafCalls())))
                .addService(health.getHealthService())
                .addService(ProtoReflectionServiceV1.newInstance())
                .maxInboundMessageSize(8 << 20)
                .permitKeepAliveWithoutCalls(true)
                .permitKeepAliveTime(1, TimeUnit.SECONDS)
                .build();
    }

    private static ServerServiceDefinition shouldRateLimit(RateLimitCalls calls) {
        ServiceDescriptor envoys = RateLimitServiceGrpc.getServiceDescriptor();
        MethodDescriptor<byte[], byte[]> method = RateLimitServiceGrpc.getShouldRateLimitMethod().toBuilder(
                        Bytes.INSTANCE, Bytes.INSTANCE)
                .build();
        ServiceDescriptor ours = ServiceDescriptor.newBuilder(envoys.getName())
                .setSchemaDescriptor(envoys.getSchemaDescriptor())
                .addMethod(method)
                .build();
        return ServerServiceDefinition.builder(ours)
                .addMethod(method, (call, _) -> {
                    call.request(2);
                    return new Conversation(calls, call);
                })
                .build();
    }

    @Override
    public int start() throws IOException {
        return server.start().getPort();
    }

    @Override
    public void setHealthy(boolean healthy) {
        ServingStatus status = healthy ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
        health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
        health.setStatus("ratelimit", status);
    }

    @Override
    public void stop(Duration within) throws InterruptedException {
        health.enterTerminalState();
        server.shutdown();
        if (!server.awaitTermination(within.toNanos(), TimeUnit.NANOSECONDS)) {
            server.shutdownNow();
        }
    }

    private static final class Conversation extends ServerCall.Listener<byte[]> implements Replies {
        private final ServerCall<byte[], byte[]> wire;
        private final Call call;
        private final AtomicBoolean isClosed = new AtomicBoolean();

        Conversation(RateLimitCalls calls, ServerCall<byte[], byte[]> wire) {
            this.wire = wire;
            this.call =
                    calls.begin(new Head("/" + wire.getMethodDescriptor().getFullMethodName(), Head.NO_DEADLINE), this);
            var deadline = Context.current().getDeadline();
            if (deadline != null) {
                var _ = TIMER.schedule(
                        () -> close(new Outcome(Outcome.DEADLINE_EXCEEDED, "too late")),
                        deadline.timeRemaining(TimeUnit.MILLISECONDS) / 2,
                        TimeUnit.MILLISECONDS);
            }
        }

        @Override
        public void onMessage(byte[] message) {
            call.message(message);
        }

        @Override
        public void onHalfClose() {
            call.halfClose();
        }

        @Override
        public void onCancel() {
            call.cancel();
        }

        @Override
        public void answer(byte[] message) {
            if (isClosed.compareAndSet(false, true)) {
                wire.sendHeaders(new Metadata());
                wire.sendMessage(message);
                wire.close(Status.OK, new Metadata());
            }
        }

        @Override
        public void send(byte[] message, Runnable written) {
            throw new UnsupportedOperationException("ShouldRateLimit has one answer");
        }

        @Override
        public void close(Outcome outcome) {
            if (isClosed.compareAndSet(false, true) && !wire.isCancelled()) {
                wire.close(Status.fromCodeValue(outcome.code()).withDescription(outcome.message()), new Metadata());
            }
        }

        @Override
        public void ready() {
            throw new UnsupportedOperationException("ShouldRateLimit has one message");
        }
    }
}
