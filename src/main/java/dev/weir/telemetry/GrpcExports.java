package dev.weir.telemetry;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.grpc.netty.shaded.io.netty.handler.ssl.JdkSslContext;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.GrpcResponse;
import io.opentelemetry.sdk.common.export.GrpcSender;
import io.opentelemetry.sdk.common.export.GrpcSenderConfig;
import io.opentelemetry.sdk.common.export.GrpcStatusCode;
import io.opentelemetry.sdk.common.export.MessageWriter;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/** Exports over gRPC, one message each. One that the collector does not take is sent again if the policy says so. */
final class GrpcExports implements GrpcSender {
    private final GrpcSenderConfig config;
    private final ManagedChannel channel;
    private final MethodDescriptor<byte[], byte[]> method;

    GrpcExports(GrpcSenderConfig config) {
        this.config = config;
        this.channel = channel(config);
        this.method = MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(config.getFullMethodName())
                .setRequestMarshaller(new Bytes())
                .setResponseMarshaller(new Bytes())
                .build();
    }

    private static ManagedChannel channel(GrpcSenderConfig config) {
        URI endpoint = config.getEndpoint();
        SSLContext tls = config.getSslContext();
        boolean isTls = endpoint.getScheme().equals("https");
        int port = endpoint.getPort() >= 0 ? endpoint.getPort() : isTls ? 443 : 80;
        var builder = NettyChannelBuilder.forAddress(endpoint.getHost(), port).directExecutor();
        if (config.getRetryPolicy() == null) {
            builder.disableRetry();
        } else {
            builder.enableRetry().defaultServiceConfig(retrying(config.getRetryPolicy()));
        }
        if (!isTls) {
            builder.usePlaintext();
        } else if (tls != null) {
            builder.sslContext(http2(tls));
        }
        return builder.build();
    }

    /** In the form of a service config (gRFC A6), whose numbers are doubles. */
    private static Map<String, Object> retrying(RetryPolicy policy) {
        return Map.of(
                "methodConfig",
                List.of(Map.of(
                        "name",
                        List.of(Map.of()),
                        "retryPolicy",
                        Map.of(
                                "maxAttempts", (double) policy.getMaxAttempts(),
                                "initialBackoff", seconds(policy.getInitialBackoff()),
                                "maxBackoff", seconds(policy.getMaxBackoff()),
                                "backoffMultiplier", policy.getBackoffMultiplier(),
                                "retryableStatusCodes", List.of("UNAVAILABLE")))));
    }

    private static String seconds(Duration wait) {
        return wait.toMillis() / 1e3 + "s";
    }

    private static JdkSslContext http2(SSLContext tls) {
        var protocol = new ApplicationProtocolConfig(
                ApplicationProtocolConfig.Protocol.ALPN,
                ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                "h2");
        return new JdkSslContext(
                tls, true, null, IdentityCipherSuiteFilter.INSTANCE, protocol, ClientAuth.NONE, null, false);
    }

    @Override
    public void send(MessageWriter writer, Consumer<GrpcResponse> onResponse, Consumer<Throwable> onError) {
        var message = new ByteArrayOutputStream(writer.getContentLength());
        try {
            writer.writeMessage(message);
        } catch (IOException e) {
            onError.accept(e);
            return;
        }
        // Left alone, the channel waits longer after each failed attempt, up to two minutes, and a collector that is
        // back hears nothing until then. Where it is connected this would ask DNS each time.
        if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
            channel.resetConnectBackoff();
        }
        var options = CallOptions.DEFAULT.withDeadlineAfter(config.getTimeout().toNanos(), TimeUnit.NANOSECONDS);
        if (config.getCompressor() != null) {
            options = options.withCompression(config.getCompressor().getEncoding());
        }
        ClientCalls.asyncUnaryCall(
                withHeaders().newCall(method, options), message.toByteArray(), new Answer(onResponse, onError));
    }

    private Channel withHeaders() {
        var headers = new Metadata();
        config.getHeadersSupplier()
                .get()
                .forEach((name, values) -> values.forEach(
                        value -> headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value)));
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    @Override
    public CompletableResultCode shutdown() {
        channel.shutdownNow();
        return CompletableResultCode.ofSuccess();
    }

    /** Waits for how an export ends. */
    private static final class Answer implements StreamObserver<byte[]>, GrpcResponse {
        private final Consumer<GrpcResponse> onResponse;
        private final Consumer<Throwable> onError;
        private byte[] message = {};

        Answer(Consumer<GrpcResponse> onResponse, Consumer<Throwable> onError) {
            this.onResponse = onResponse;
            this.onError = onError;
        }

        @Override
        public void onNext(byte[] bytes) {
            message = bytes;
        }

        @Override
        public void onError(Throwable failure) {
            onError.accept(failure);
        }

        @Override
        public void onCompleted() {
            onResponse.accept(this);
        }

        @Override
        public GrpcStatusCode getStatusCode() {
            return GrpcStatusCode.OK;
        }

        @Override
        public String getStatusDescription() {
            return "";
        }

        @Override
        public byte[] getResponseMessage() {
            return message;
        }
    }

    /** Messages as the bytes that they are. */
    static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] bytes) {
            return new ByteArrayInputStream(bytes);
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
