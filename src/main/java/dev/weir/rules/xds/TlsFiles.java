package dev.weir.rules.xds;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLException;

/** Reads the files of TLS, and says in one sentence which of them is not as it must be. */
final class TlsFiles {
    private static final String AUTHORITIES = "CONFIG_GRPC_XDS_SERVER_TLS_CACERT";
    private static final String CHAIN = "CONFIG_GRPC_XDS_CLIENT_TLS_CERT";
    private static final String KEY = "CONFIG_GRPC_XDS_CLIENT_TLS_KEY";

    private TlsFiles() {}

    /**
     * Returns what a connection needs. It runs on Java's own TLS: a line for some kilobytes an hour needs no native code,
     * which some file systems that nobody may write to could not load.
     *
     * @throws XdsException if a file is missing, holds something else, or has expired
     */
    static SslContext read(XdsOptions.Tls tls) throws XdsException {
        var builder = GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK);
        if (tls.authorities() != null) {
            builder.trustManager(certificates(AUTHORITIES, tls.authorities()));
        }
        if (tls.chain() != null && tls.key() != null) {
            var chain = certificates(CHAIN, tls.chain());
            checkTime(chain[0], tls.chain());
            var key = key(tls.key());
            checkPair(chain[0], key, tls);
            builder.keyManager(key, chain);
        }
        try {
            return builder.build();
        } catch (SSLException e) {
            throw new XdsException("TLS to the control plane cannot be set up: " + e.getMessage());
        }
    }

    private static X509Certificate[] certificates(String variable, Path file) throws XdsException {
        byte[] content = content(variable, file);
        try {
            var found = CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(content));
            if (!found.isEmpty()) {
                return found.toArray(X509Certificate[]::new);
            }
        } catch (CertificateException _) {
            // not PEM, or not all of it: said below
        }
        throw new XdsException(named(variable, file) + ", which holds no certificate in PEM");
    }

    private static PrivateKey key(Path file) throws XdsException {
        String pem = new String(content(KEY, file), StandardCharsets.ISO_8859_1);
        try {
            return PrivateKeys.read(pem);
        } catch (GeneralSecurityException e) {
            throw new XdsException(named(KEY, file) + ", which " + e.getMessage());
        }
    }

    private static byte[] content(String variable, Path file) throws XdsException {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException _) {
            throw new XdsException(named(variable, file) + ", and there is no such file");
        } catch (IOException e) {
            throw new XdsException(named(variable, file) + ", which cannot be read (" + e + ")");
        }
    }

    private static void checkTime(X509Certificate certificate, Path file) throws XdsException {
        try {
            certificate.checkValidity();
        } catch (CertificateExpiredException _) {
            throw new XdsException(named(CHAIN, file) + ", which expired at "
                    + certificate.getNotAfter().toInstant());
        } catch (CertificateNotYetValidException _) {
            throw new XdsException(named(CHAIN, file) + ", which is not valid before "
                    + certificate.getNotBefore().toInstant());
        }
    }

    /** Signs and verifies: a pair of which only one half was replaced would else fail in the middle of a handshake. */
    private static void checkPair(X509Certificate certificate, PrivateKey key, XdsOptions.Tls tls) throws XdsException {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        boolean isPair;
        try {
            var signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(certificate.getSignature());
            var verifying = Signature.getInstance(algorithm);
            verifying.initVerify(certificate.getPublicKey());
            verifying.update(certificate.getSignature());
            isPair = verifying.verify(signing.sign());
        } catch (GeneralSecurityException _) {
            isPair = false; // not even of the same kind
        }
        if (!isPair) {
            throw new XdsException(
                    KEY + " names " + tls.key() + ", which is not the key of the certificate in " + tls.chain());
        }
    }

    private static String named(String variable, Path file) {
        return variable + " names " + file;
    }
}
