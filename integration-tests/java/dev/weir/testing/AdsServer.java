package dev.weir.testing;

import com.google.protobuf.Any;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitConfig;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A control plane that says exactly what a test wants, and keeps what it is told. It serves one stream at a time. */
public final class AdsServer implements AutoCloseable {
    /** What the resources are called on the wire. */
    public static final String TYPE = "type.googleapis.com/ratelimit.config.ratelimit.v3.RateLimitConfig";

    private final ServerCredentials credentials;
    private final int port = FreePorts.find();
    private final BlockingQueue<DiscoveryRequest> requests = new LinkedBlockingQueue<>();
    private final AtomicInteger streams = new AtomicInteger();
    private volatile @Nullable Server server;
    private final AtomicReference<@Nullable StreamObserver<DiscoveryResponse>> stream = new AtomicReference<>();
    private volatile @Nullable Status refusal;
    private volatile Metadata headers = new Metadata();

    private AdsServer(ServerCredentials credentials) {
        this.credentials = credentials;
    }

    /** Returns a control plane that speaks in the clear. */
    public static AdsServer start() {
        return start(InsecureServerCredentials.create());
    }

    /** Returns a control plane that proves who it is, and may ask for as much. */
    public static AdsServer start(ServerCredentials credentials) {
        var ads = new AdsServer(credentials);
        ads.restart();
        return ads;
    }

    /** Returns its address. */
    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Listens again where it listened before. */
    public void restart() {
        Eventually.await("port " + port + " is free", () -> {
            try {
                server = NettyServerBuilder.forAddress(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), credentials)
                        .addService(new Service())
                        .intercept(new Headers())
                        .build()
                        .start();
                return true;
            } catch (IOException _) {
                return false; // somebody's outgoing connection may have the port for a moment
            }
        });
    }

    /** Ends at once, in the middle of whatever there is. */
    public void stop() {
        var running = server;
        if (running != null) {
            try {
                running.shutdownNow().awaitTermination();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        stream.set(null);
        requests.clear();
    }

    /** Tells clients to go away (GOAWAY) and ends when their streams have ended; they are left open. */
    public void goAway() {
        var running = server;
        if (running != null) {
            running.shutdown();
        }
    }

    /** Ends each stream at once with this status from now on, or takes them again if it is null. */
    public void refuse(@Nullable Status status) {
        refusal = status;
    }

    /** Returns the next request, in the order in which they came. */
    public DiscoveryRequest next() {
        try {
            var request = requests.poll(Eventually.DEADLINE.toSeconds(), TimeUnit.SECONDS);
            if (request == null) {
                throw new AssertionError("no request came to the control plane");
            }
            return request;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns whether nobody has a stream. */
    public boolean isIdle() {
        return stream.get() == null;
    }

    /** Returns how many streams were opened so far. */
    public int streams() {
        return streams.get();
    }

    /** Returns the headers of the latest stream. */
    public Metadata headers() {
        return headers;
    }

    /** Pushes the full set of resources. */
    public void push(String version, String nonce, RateLimitConfig... configs) {
        var response = DiscoveryResponse.newBuilder()
                .setTypeUrl(TYPE)
                .setVersionInfo(version)
                .setNonce(nonce);
        for (var config : configs) {
            response.addResources(resource(config));
        }
        push(response.build());
    }

    /** Pushes whatever this is. */
    public void push(DiscoveryResponse response) {
        open().onNext(response);
    }

    /** Ends the stream in good order. */
    public void complete() {
        open().onCompleted();
    }

    /** Ends the stream with an error. */
    public void fail(Status status) {
        open().onError(status.asRuntimeException());
    }

    /** Returns a resource as it goes over the wire. */
    public static Any resource(RateLimitConfig config) {
        return Any.newBuilder().setTypeUrl(TYPE).setValue(config.toByteString()).build();
    }

    @Override
    public void close() {
        stop();
    }

    private StreamObserver<DiscoveryResponse> open() {
        Eventually.await("a stream is open", () -> stream.get() != null);
        var open = stream.get();
        if (open == null) {
            throw new UncheckedIOException(new IOException("the stream ended meanwhile"));
        }
        return open;
    }

    /** Takes streams. */
    private final class Service extends AggregatedDiscoveryServiceGrpc.AggregatedDiscoveryServiceImplBase {
        @Override
        public StreamObserver<DiscoveryRequest> streamAggregatedResources(StreamObserver<DiscoveryResponse> responses) {
            streams.incrementAndGet();
            var refused = refusal;
            if (refused != null) {
                responses.onError(refused.asRuntimeException());
            } else {
                stream.set(responses);
            }
            return new StreamObserver<>() {
                @Override
                public void onNext(DiscoveryRequest request) {
                    if (refused == null) {
                        requests.add(request);
                    }
                }

                @Override
                public void onError(Throwable failure) {
                    gone();
                }

                @Override
                public void onCompleted() {
                    gone();
                }

                private void gone() {
                    stream.compareAndSet(responses, null);
                }
            };
        }
    }

    /** Keeps the headers of the latest stream. */
    private final class Headers implements ServerInterceptor {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, R> call, Metadata metadata, ServerCallHandler<Q, R> next) {
            headers = metadata;
            return next.startCall(call, metadata);
        }
    }
}
