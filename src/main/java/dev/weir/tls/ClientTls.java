package dev.weir.tls;

import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Whom a client over TLS trusts, and who it is.
 *
 * @param trust in who signed the service's certificate
 * @param own shows the client's certificate, or null to show none
 * @param name that the service's certificate must have and that is sent ahead (SNI), or null for the host that is asked
 */
public record ClientTls(
        TrustManagerFactory trust,
        @Nullable KeyManagerFactory own,
        @Nullable String name) {
    /** How Java says it of an address and of a name. */
    private static final List<String> NO_NAME = List.of("subject alternative", "No name matching");

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
        return trusting(authority == null ? Authorities.ofJava() : Authorities.only(authority), certificate, key);
    }

    /**
     * Reads the files of a client that knows already whom it trusts.
     *
     * @param certificate the client's own, or null to show none
     * @param key of that certificate, or null where there is none
     * @throws PemException if a file cannot be used
     */
    public static ClientTls trusting(TrustManagerFactory trust, @Nullable Path certificate, @Nullable Path key)
            throws PemException {
        return new ClientTls(
                trust,
                certificate == null || key == null
                        ? null
                        : Identity.read(certificate, key).factory(),
                null);
    }

    /**
     * Returns the same for a service with another name than the host that is asked.
     *
     * @param other null for that of the host
     */
    public ClientTls named(@Nullable String other) {
        return new ClientTls(trust, own, other);
    }

    /** Returns whether a handshake that failed with these words found a certificate for another name. */
    public static boolean isForAnotherName(String words) {
        return NO_NAME.stream().anyMatch(words::contains);
    }

    /** Returns the name that the certificate of a service at this host must have. */
    public String nameAt(String host) {
        return name == null ? host : name;
    }
}
