package dev.weir.bench;

import dev.weir.bench.request.Route;
import dev.weir.handshake.Http2Tls;
import dev.weir.tls.ClientTls;
import dev.weir.tls.ServerNames;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;

/**
 * Puts TLS under connections. The handshake is over before the service greets us, and so before the first request: it is no part
 * of any latency.
 */
final class Encryption {
    private final SslContext context;
    private final String name;
    private final int port;

    private Encryption(SslContext context, String name, int port) {
        this.context = context;
        this.name = name;
        this.port = port;
    }

    /** Prepares it for connections to the host of a route, whose certificate must be for that name or the one that is asked for. */
    static Encryption of(ClientTls tls, Route route) {
        var builder = SslContextBuilder.forClient()
                .endpointIdentificationAlgorithm("HTTPS")
                .trustManager(tls.trust());
        if (tls.own() != null) {
            builder.keyManager(tls.own());
        }
        return new Encryption(Http2Tls.build(builder), tls.nameAt(route.host()), route.port());
    }

    ChannelHandler under(Connection connection) {
        return new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
                var tls = context.newHandler(channel.alloc(), name, port);
                ServerNames.sendAhead(tls.engine());
                channel.pipeline().addLast(tls, connection);
            }
        };
    }
}
