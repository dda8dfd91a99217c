package dev.weir.grpc;

import dev.weir.limit.Unit;
import dev.weir.linux.SystemErrors;
import dev.weir.request.Request;
import dev.weir.tls.ClientTls;
import dev.weir.tls.ServerNames;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.nio.channels.ClosedChannelException;
import java.security.InvalidKeyException;
import java.security.SignatureException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Asks a running rate limit service, as Envoy would. For the command line; blocks. */
public final class RateLimitClient implements AutoCloseable {
    private static final String NO_TLS = "not an SSL/TLS record";

    private final String address;
    private final boolean isInTheClear;
    private final ManagedChannel channel;

    private RateLimitClient(String address, @Nullable ClientTls tls) {
        this.address = address;
        this.isInTheClear = tls == null;
        // In the path of a URI the brackets of an IPv6 address must not stand as they are.
        var path = address.replace("[", "%5B").replace("]", "%5D");
        var builder = NettyChannelBuilder.forTarget("dns:///" + path);
        if (tls == null) {
            builder.usePlaintext();
        } else {
            String host = address.substring(0, Math.max(0, address.lastIndexOf(':')));
            builder.sslContext(context(tls, ServerNames.of(tls.nameAt(host))));
            if (tls.name() != null) {
                builder.overrideAuthority(tls.name());
            }
        }
        this.channel = builder.build();
    }

    /**
     * Returns a client of the service at {@code host:port}; it connects when it is asked.
     *
     * @param tls null to ask in the clear
     * @throws AskFailedException if gRPC knows no such host
     */
    public static RateLimitClient of(String address, @Nullable ClientTls tls) throws AskFailedException {
        try {
            return new RateLimitClient(address, tls);
        } catch (IllegalArgumentException e) { // of its resolver, for names with _ in them for instance
            throw new AskFailedException("gRPC takes no host with such a name: " + address + " (" + e.getMessage()
                    + "); ask its IP address");
        }
    }

    private static SslContext context(ClientTls tls, @Nullable SNIServerName name) {
        var builder = GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
                .trustManager(tls.trust());
        if (tls.own() != null) {
            builder.keyManager(tls.own());
        }
        if (name != null) {
            builder.serverName(name);
        }
        try {
            return builder.build();
        } catch (SSLException e) {
            throw new IllegalStateException("the files are in order", e);
        }
    }

    /**
     * Asks one question.
     *
     * @throws AskFailedException if there was no answer within the timeout, or the answer was an error or no verdict
     */
    public Answer ask(Request request, Duration timeout) throws AskFailedException {
        var heard = new Heard();
        try {
            return answer(RateLimitServiceGrpc.newBlockingStub(channel)
                    .withInterceptors(heard)
                    .withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS)
                    .shouldRateLimit(RequestWriter.message(request)));
        } catch (StatusRuntimeException e) {
            throw new AskFailedException(failure(e.getStatus(), heard, timeout));
        }
    }

    private String failure(Status status, Heard heard, Duration timeout) {
        var code = status.getCode();
        if (heard.isAnswered) {
            String words = status.getDescription();
            return "the service at " + address + " answered " + code + (words == null ? "" : ": " + words);
        }
        return switch (code) {
            case DEADLINE_EXCEEDED ->
                "the service at " + address + " did not answer within " + timeout.toMillis() + " ms";
            case UNAVAILABLE ->
                "the service at " + address + " is not available: " + reason(status)
                        + (isInTheClear && !heard.isSent && wasHungUp(status) ? "; does it want TLS (--tls)?" : "");
            default ->
                isNoGrpc(status)
                        ? "what listens at " + address + " speaks no gRPC; is it GRPC_PORT (8081)? (" + code + ": "
                                + reason(status) + ")"
                        : "the call to " + address + " failed: " + code + ": " + reason(status);
        };
    }

    /** Whether somebody took the connection and ended it. Who does so before he greets may wait for a handshake. */
    private static boolean wasHungUp(Status status) {
        Throwable root = rootOf(status);
        return root == null
                || root instanceof ClosedChannelException
                || String.valueOf(root.getMessage()).contains("reset");
    }

    private static @Nullable Throwable rootOf(Status status) {
        Throwable root = status.getCause();
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    /** Whether the library could not make sense of what it read. A proxy's refusal and a reset it does understand. */
    private static boolean isNoGrpc(Status status) {
        return switch (status.getCode()) {
            case UNKNOWN, UNIMPLEMENTED -> true;
            // Only the description tells a reset, or the end of a connection that comes with a code of HTTP/2.
            case INTERNAL -> !String.valueOf(status.getDescription()).contains("HTTP/2 error code");
            default -> false;
        };
    }

    /**
     * Whether the service greeted, so that the call was sent, and whether it said itself how the call ended: a library that could
     * not reach it makes up the same codes.
     */
    private static final class Heard extends ClientStreamTracer.Factory implements ClientInterceptor {
        private volatile boolean isSent;
        private volatile boolean isAnswered;

        @Override
        public <A, B> ClientCall<A, B> interceptCall(MethodDescriptor<A, B> method, CallOptions options, Channel next) {
            return next.newCall(method, options.withStreamTracerFactory(this));
        }

        @Override
        public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
            return new ClientStreamTracer() {
                @Override
                public void outboundHeaders() {
                    isSent = true;
                }

                @Override
                public void inboundTrailers(Metadata trailers) {
                    isAnswered = true;
                }
            };
        }
    }

    /** What the network said, where it did; else what the library makes of it. */
    private static String reason(Status status) {
        Throwable root = rootOf(status);
        String message = root == null ? null : root.getMessage();
        if (root == null || message == null) {
            // A connection that was closed in a handshake has a cause without a word; in its description, what follows
            // the first line is the library's own affair.
            return String.valueOf(status.getDescription()).lines().findFirst().orElse("");
        }
        return switch (root) {
            // All that the service said would follow, in hexadecimal.
            case SSLException _ when message.startsWith(NO_TLS) -> "it does not speak TLS";
            // Java does not show a certificate of another authority than those that the service names.
            case SSLException _
            when isAlert(message, "CERTIFICATE_REQUIRED") ->
                "it wants a certificate of who asks, signed by an authority that it trusts (--cert, --key)";
            case SSLException _
            when isAlert(message, "CERTIFICATE", "UNKNOWN_CA") ->
                "it does not take the certificate that it is shown (--cert): its log says why";
            // The last two are of another authority with the name of one that is trusted.
            case CertPathBuilderException _, SignatureException _, InvalidKeyException _ ->
                "its certificate is not signed by an authority that is trusted here (--ca)";
            case CertificateExpiredException _ -> "its certificate has expired (" + message + ")";
            case CertificateNotYetValidException _ -> "its certificate is not valid yet (" + message + ")";
            case CertificateException _
            when ClientTls.isForAnotherName(message) -> "its certificate is for another name: " + message + " (--name)";
            case CertPathValidatorException _, CertificateException _ -> "its certificate is not trusted: " + message;
            default -> SystemErrors.words(message);
        };
    }

    /** Java writes the alerts of TLS in small letters, OpenSSL in capitals. */
    private static boolean isAlert(String message, String... some) {
        String words = message.toUpperCase(Locale.ROOT);
        return words.contains("ALERT") && Stream.of(some).anyMatch(words::contains);
    }

    private Answer answer(RateLimitResponse response) throws AskFailedException {
        boolean isOver = switch (response.getOverallCode()) {
            case OK -> false;
            case OVER_LIMIT -> true;
            case UNKNOWN, UNRECOGNIZED ->
                throw new AskFailedException("the service at " + address
                        + " gave an answer without a verdict: its overall code is " + response.getOverallCodeValue());
        };
        return new Answer(
                isOver,
                response.getStatusesList().stream().map(RateLimitClient::status).toList());
    }

    private static Answer.Status status(RateLimitResponse.DescriptorStatus status) {
        return new Answer.Status(
                status.getCode() == RateLimitResponse.Code.OVER_LIMIT,
                status.hasCurrentLimit() ? limit(status.getCurrentLimit()) : null,
                Integer.toUnsignedLong(status.getLimitRemaining()),
                status.getDurationUntilReset().getSeconds());
    }

    private static Answer.Limit limit(RateLimitResponse.RateLimit limit) {
        return new Answer.Limit(
                Integer.toUnsignedLong(limit.getRequestsPerUnit()),
                Unit.ofNumber(limit.getUnitValue()),
                limit.getName());
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
