package dev.weir.handshake;

import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import javax.net.ssl.SSLException;

/**
 * What TLS is made of where HTTP/2 is spoken over it, on either side: Java's own, and HTTP/2 agreed on in the handshake, which fails
 * for who names other protocols alone.
 */
public final class Http2Tls {
    private static final ApplicationProtocolConfig HTTP_2 = new ApplicationProtocolConfig(
            Protocol.ALPN,
            SelectorFailureBehavior.FATAL_ALERT,
            SelectedListenerFailureBehavior.FATAL_ALERT,
            ApplicationProtocolNames.HTTP_2);

    /**
     * Sessions to be resumed that one side keeps, of a few kilobytes each. Java would keep 20,480, half of the heap, of callers
     * who speak TLS 1.2 and take no tickets; all others carry their session themselves.
     */
    private static final int SESSIONS = 1_000;

    private Http2Tls() {}

    /** Returns what connections begin with, by a builder that knows whom to trust and who we are. */
    public static SslContext build(SslContextBuilder builder) {
        try {
            return builder.sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3", "TLSv1.2")
                    .ciphers(
                            Http2SecurityUtil.CIPHERS,
                            SupportedCipherSuiteFilter.INSTANCE) // RFC 9113 forbids most others
                    .applicationProtocolConfig(HTTP_2)
                    .sessionCacheSize(SESSIONS)
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException("the files are in order", e);
        }
    }
}
