package dev.weir.handshake;

import dev.weir.tls.Authorities;
import dev.weir.tls.Identity;
import dev.weir.tls.PemException;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What TLS towards callers is made of.
 *
 * @param certificate file of the service's certificate, with those that lead from it to an authority
 * @param key file of its key
 * @param authority file of who must have signed the certificates of callers, or null if they need not show any
 * @param callerName a name that those must be for; empty for any
 */
public record TlsFiles(Path certificate, Path key, @Nullable Path authority, String callerName) {

    /** Returns what tells whether a file has changed, however that was done: what is in each, or why it cannot be read. */
    List<String> digests() {
        return Stream.of(certificate, key, authority == null ? certificate : authority)
                .map(TlsFiles::digest)
                .toList();
    }

    private static String digest(Path file) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            return HexFormat.of().formatHex(digest);
        } catch (IOException e) {
            return e.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has it", e);
        }
    }

    /**
     * Reads the files.
     *
     * @throws PemException if one of them cannot be used
     */
    InForce read() throws PemException {
        var identity = Identity.read(certificate, key);
        var builder = SslContextBuilder.forServer(identity.factory());
        X509Certificate[] authorities = {};
        if (authority != null) {
            var trust = CallerTrust.in(Authorities.only(authority), callerName);
            builder.clientAuth(ClientAuth.REQUIRE).trustManager(trust);
            authorities = trust.getAcceptedIssuers();
        }
        return new InForce(Http2Tls.build(builder), Expiry.of(identity.chain(), authorities));
    }
}
