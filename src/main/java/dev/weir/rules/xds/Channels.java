package dev.weir.rules.xds;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.stub.MetadataUtils;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Connections to the control plane. */
final class Channels {
    /** Servers of gRPC may end a connection on which they are pinged more often than every five minutes. */
    private static final long MINUTES_BETWEEN_PINGS = 6;

    private static final long SECONDS_FOR_AN_ECHO = 20;

    private Channels() {}

    /**
     * Returns a channel; it connects when a stream is opened on it, and notices a connection that died silently.
     *
     * @param tls null to speak in the clear
     * @param thread on which everything is told
     */
    static ManagedChannel open(XdsOptions options, @Nullable SslContext tls, Executor thread) {
        String server = options.server();
        var builder = NettyChannelBuilder.forTarget(server.contains("://") ? server : "dns:///" + server)
                .executor(thread)
                .keepAliveTime(MINUTES_BETWEEN_PINGS, TimeUnit.MINUTES)
                .keepAliveTimeout(SECONDS_FOR_AN_ECHO, TimeUnit.SECONDS)
                .disableRetry()
                .intercept(MetadataUtils.newAttachHeadersInterceptor(headers(options)));
        if (options.maxMessageBytes() > 0) {
            builder.maxInboundMessageSize(options.maxMessageBytes());
        }
        if (options.tls() == null || tls == null) {
            return builder.usePlaintext().build();
        }
        builder.sslContext(tls);
        if (!options.tls().serverName().isEmpty()) {
            builder.overrideAuthority(options.tls().serverName());
        }
        return builder.build();
    }

    private static Metadata headers(XdsOptions options) {
        var headers = new Metadata();
        options.headers().forEach((name, value) -> {
            if (name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
                headers.put(
                        Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER), value.getBytes(StandardCharsets.UTF_8));
            } else {
                headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
            }
        });
        return headers;
    }
}
