package dev.weir.telemetry;

import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A collector over gRPC that keeps what comes, and answers as it was told to: at first with these, then always with OK. */
final class TakingCollector implements AutoCloseable {
    private final Queue<Status> answers;
    private final List<Taken> taken = new CopyOnWriteArrayList<>();
    private final Server server;

    TakingCollector(Status... answers) throws IOException {
        this.answers = new ConcurrentLinkedQueue<>(List.of(answers));
        this.server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .directExecutor()
                .fallbackHandlerRegistry(new Any())
                .build()
                .start();
    }

    /**
     * What came.
     *
     * @param words the message, where its bytes are not letters something else
     */
    record Taken(Metadata headers, String words) {
        /** Returns the value of a header, or null if it was not there. */
        @Nullable
        String said(String header) {
            return headers.get(Metadata.Key.of(header, Metadata.ASCII_STRING_MARSHALLER));
        }
    }

    List<Taken> taken() {
        return taken;
    }

    /** Returns how to reach it. */
    Collector where(Map<String, String> headers, boolean isCompressed) {
        return new Collector(
                true,
                URI.create("http://127.0.0.1:" + server.getPort()),
                headers,
                isCompressed,
                Duration.ofSeconds(10),
                null);
    }

    private final class Any extends HandlerRegistry {
        @Override
        public ServerMethodDefinition<?, ?> lookupMethod(String name, @Nullable String authority) {
            var method = MethodDescriptor.<byte[], byte[]>newBuilder()
                    .setType(MethodDescriptor.MethodType.UNARY)
                    .setFullMethodName(name)
                    .setRequestMarshaller(new GrpcExports.Bytes())
                    .setResponseMarshaller(new GrpcExports.Bytes())
                    .build();
            return ServerMethodDefinition.create(method, this::take);
        }

        private ServerCall.Listener<byte[]> take(ServerCall<byte[], byte[]> call, Metadata headers) {
            call.request(2);
            return new ServerCall.Listener<>() {
                @Override
                public void onMessage(byte[] message) {
                    taken.add(new Taken(headers, new String(message, StandardCharsets.ISO_8859_1)));
                }

                @Override
                public void onHalfClose() {
                    Status next = answers.poll();
                    Status answer = next == null ? Status.OK : next;
                    if (answer.isOk()) {
                        call.sendHeaders(new Metadata());
                        call.sendMessage(new byte[0]);
                    }
                    call.close(answer, new Metadata());
                }
            };
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
