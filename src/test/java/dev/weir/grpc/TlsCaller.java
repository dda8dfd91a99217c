package dev.weir.grpc;

import dev.weir.testing.SignedFiles.Pair;
import dev.weir.tls.Authorities;
import dev.weir.tls.Identity;
import dev.weir.tls.PemException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Puts TLS around the sockets of a caller.
 *
 * @param context whom it trusts and who it is
 * @param version of TLS, the only one it speaks
 * @param protocols that it offers by ALPN
 */
record TlsCaller(SSLContext context, String version, List<String> protocols) {

    /** Returns a caller that shows no certificate. */
    static TlsCaller trusting(Path authority) {
        return new TlsCaller(context(authority, null), "TLSv1.3", List.of("h2"));
    }

    /** Returns a caller that shows a certificate, be it one that has expired. */
    TlsCaller as(Path authority, Pair own) {
        return new TlsCaller(context(authority, own), version, protocols);
    }

    TlsCaller by(String otherVersion) {
        return new TlsCaller(context, otherVersion, protocols);
    }

    TlsCaller offering(String... others) {
        return new TlsCaller(context, version, List.of(others));
    }

    private static SSLContext context(Path authority, @Nullable Pair own) {
        try {
            var context = SSLContext.getInstance("TLS");
            KeyManager[] keys = own == null ? null : identity(own).factory().getKeyManagers();
            context.init(keys, Authorities.only(authority).getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | PemException | IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Identity identity(Pair own) throws GeneralSecurityException, IOException {
        byte[] key = Base64.getMimeDecoder().decode(Files.readString(own.key()).replaceAll("-----[A-Z ]+-----", ""));
        try (var certificates = Files.newInputStream(own.certificate())) {
            var chain = CertificateFactory.getInstance("X.509").generateCertificates(certificates).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            return new Identity(chain, KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key)));
        }
    }

    /** Returns a socket that has shaken hands, or what came of it. */
    SSLSocket around(Socket tcp) throws IOException {
        var socket = (SSLSocket) context.getSocketFactory().createSocket(tcp, "127.0.0.1", tcp.getPort(), true);
        socket.setSoTimeout(30_000);
        var parameters = socket.getSSLParameters();
        parameters.setProtocols(new String[] {version});
        parameters.setApplicationProtocols(protocols.toArray(String[]::new));
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    RawFrames connect(int port) throws IOException {
        return RawFrames.connect(this::around, port);
    }

    /** Returns whom the service shows itself as on a new connection. */
    String nameAt(int port) throws IOException {
        try (var socket = around(new Socket(InetAddress.getLoopbackAddress(), port))) {
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .getSubjectX500Principal()
                    .getName();
        }
    }
}
