package dev.weir.testing;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** ShouldRateLimit as no generated code calls it: with bytes that need be no message, and as many of them as one likes. */
public final class RawCall {
    private RawCall() {}

    /** Sends the messages, says that these are all, and returns how the call ended. */
    public static Status send(Caller caller, byte[]... messages) {
        var method = RateLimitServiceGrpc.getShouldRateLimitMethod().toBuilder(new Bytes(), new Bytes())
                // The client's own code would refuse to send anything but one message on a unary call.
                .setType(MethodType.BIDI_STREAMING)
                .build();
        return send(caller, method, messages);
    }

    private static Status send(Caller caller, MethodDescriptor<byte[], byte[]> method, byte[]... messages) {
        var options = CallOptions.DEFAULT.withDeadlineAfter(Caller.PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        var call = caller.channel().newCall(method, options);
        var ended = new CompletableFuture<Status>();
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        ended.complete(status);
                    }
                },
                new Metadata());
        call.request(1);
        for (var message : messages) {
            call.sendMessage(message);
        }
        call.halfClose();
        return ended.join();
    }

    /** Hands messages through as they are. */
    private static final class Bytes implements Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
