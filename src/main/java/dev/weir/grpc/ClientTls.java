package dev.weir.grpc;

import dev.weir.tls.Authorities;
import dev.weir.tls.Identity;
import dev.weir.tls.PemException;
import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Whom a client over TLS trusts, and who it is. */
public final class ClientTls {
    private final ChannelCredentials credentials;

    private ClientTls(ChannelCredentials credentials) {
        this.credentials = credentials;
    }

    /**
     * Reads the files.
     *
     * @param authority who must have signed the service's certificate, or null for whom Java trusts
     * @param certificate the client's own, or null to show none
     * @param key of that certificate, or null where there is none
     * @throws PemException if a file cannot be used
     */
    public static ClientTls of(@Nullable Path authority, @Nullable Path certificate, @Nullable Path key)
            throws PemException {
        var trust = authority == null ? Authorities.ofJava() : Authorities.only(authority);
        var tls = TlsChannelCredentials.newBuilder().trustManager(trust.getTrustManagers());
        if (certificate != null && key != null) {
            tls.keyManager(Identity.read(certificate, key).factory().getKeyManagers());
        }
        return new ClientTls(tls.build());
    }

    ChannelCredentials credentials() {
        return credentials;
    }
}
