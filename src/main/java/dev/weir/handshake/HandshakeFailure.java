package dev.weir.handshake;

import dev.weir.words.OneLine;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Why a caller got no connection; its words also tell why one to a service broke.
 *
 * @param kind one of a few
 * @param words that fit behind a colon; what callers sent can neither make them long nor more than a line
 */
public record HandshakeFailure(Kind kind, String words) {
    // Java has no types for these.
    private static final String NO_CERTIFICATE = "Empty client certificate chain";
    private static final List<String> ALERTS = List.of("Received fatal alert", "plaintext alert received");

    /** Some callers close the connection, and tell nobody why. */
    static final HandshakeFailure LEFT = new HandshakeFailure(Kind.CALLER, "it left during the handshake");

    /** What kinds of reasons there are. */
    public enum Kind {
        /** It does not speak TLS. */
        CLEAR,
        /** It shows no certificate, or one that is not trusted. */
        CERTIFICATE,
        /** It broke the handshake off; mostly it does not trust the service's certificate. */
        CALLER,
        /** It did not end the handshake in time. */
        TIMEOUT,
        /** Mostly there is no version, cipher or protocol in common. */
        OTHER
    }

    /** Returns why a handshake failed, or what became of a connection later. */
    public static HandshakeFailure of(Throwable failure) {
        Throwable root = failure;
        boolean isCertificate = root instanceof CertificateException;
        while (root.getCause() != null) {
            root = root.getCause();
            isCertificate |= root instanceof CertificateException;
        }
        String words = OneLine.of(String.valueOf(root.getMessage()));
        return switch (root) {
            case NotSslRecordException _ ->
                new HandshakeFailure(Kind.CLEAR, "it does not speak TLS"); // its message is all that the caller said
            case SslHandshakeTimeoutException _ ->
                new HandshakeFailure(
                        Kind.TIMEOUT, "it did not end the handshake within " + Handshakes.MAX_SECONDS + " s");
            case SSLPeerUnverifiedException _ ->
                new HandshakeFailure(Kind.CERTIFICATE, "it shows no certificate"); // its message says less
            case CertificateExpiredException _ ->
                new HandshakeFailure(Kind.CERTIFICATE, "its certificate has expired (" + words + ")");
            default ->
                isCertificate
                        ? new HandshakeFailure(Kind.CERTIFICATE, "its certificate is not trusted: " + words)
                        : new HandshakeFailure(kind(words), words);
        };
    }

    private static Kind kind(String words) {
        if (words.contains(NO_CERTIFICATE)) {
            return Kind.CERTIFICATE;
        }
        return ALERTS.stream().anyMatch(words::contains) ? Kind.CALLER : Kind.OTHER;
    }
}
