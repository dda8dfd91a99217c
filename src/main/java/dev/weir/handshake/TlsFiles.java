package dev.weir.handshake;

import dev.weir.tls.Authorities;
import dev.weir.tls.Identity;
import dev.weir.tls.PemException;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
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

    /** Returns all of them. */
    List<Path> all() {
        return authority == null ? List.of(certificate, key) : List.of(certificate, key, authority);
    }

    /**
     * Reads the files.
     *
     * @param clock by which certificates of callers are valid
     * @throws PemException if one of them cannot be used
     */
    TlsMaterial read(InstantSource clock) throws PemException {
        var identity = Identity.read(certificate, key);
        var builder = SslContextBuilder.forServer(identity.factory());
        X509Certificate[] authorities = {};
        if (authority != null) {
            var trust = CallerTrust.in(Authorities.only(authority), callerName, clock);
            builder.clientAuth(ClientAuth.REQUIRE).trustManager(trust);
            authorities = trust.getAcceptedIssuers();
        }
        return new TlsMaterial(Http2Tls.build(builder), Expiry.of(identity.chain(), authorities));
    }
}
