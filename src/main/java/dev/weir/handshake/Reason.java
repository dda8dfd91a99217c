package dev.weir.handshake;

import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;

/** Why a handshake failed, in a few words. */
final class Reason {
    private static final int MAX_CHARS = 200;

    private Reason() {}

    /** Returns the words; what callers sent can neither make them long nor more than a line. */
    static String of(Throwable failure) {
        Throwable root = failure;
        boolean isCertificate = false;
        while (root.getCause() != null) {
            root = root.getCause();
            isCertificate |= root instanceof CertificateException;
        }
        String words = line(String.valueOf(root.getMessage()));
        return switch (root) {
            case NotSslRecordException _ -> "it does not speak TLS"; // its message is all that the caller said
            case SslHandshakeTimeoutException _ ->
                "it did not end the handshake within " + Handshakes.MAX_SECONDS + " s";
            case CertificateExpiredException _ -> "its certificate has expired (" + words + ")";
            default -> isCertificate ? "its certificate is not trusted: " + words : words;
        };
    }

    private static String line(String text) {
        String start = text.substring(0, Math.min(text.length(), MAX_CHARS));
        return start.codePoints()
                .map(point -> Character.isISOControl(point) ? ' ' : point)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
