package dev.weir.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Whose signature under a certificate is believed. */
public final class Authorities {
    private Authorities() {}

    /** Returns the authorities that this Java knows. */
    public static TrustManagerFactory ofJava() {
        return trusting((KeyStore) null);
    }

    /** Returns these authorities and no others. Java asks of one no more than its name and its key: dates are the caller's affair. */
    public static TrustManagerFactory of(List<X509Certificate> authorities) {
        return trusting(authorities);
    }

    /**
     * Returns the authorities of a file that have not expired, and no others.
     *
     * @throws PemException if the file holds none that is valid now
     */
    public static TrustManagerFactory only(Path file) throws PemException {
        return trusting(read(file));
    }

    /**
     * Returns the authorities that this Java knows, and those of a file that have not expired.
     *
     * @throws PemException if the file holds none that is valid now
     */
    public static TrustManagerFactory with(Path file) throws PemException {
        var all = new ArrayList<>(read(file));
        for (TrustManager manager : ofJava().getTrustManagers()) {
            if (manager instanceof X509TrustManager known) {
                all.addAll(List.of(known.getAcceptedIssuers()));
            }
        }
        return trusting(all);
    }

    /**
     * Looks whether the file can be used.
     *
     * @throws PemException if it cannot
     */
    public static void check(Path file) throws PemException {
        var _ = read(file);
    }

    /** One that has expired may stay in the file beside its successor, and one whose time has not come yet beside its predecessor. */
    private static List<X509Certificate> read(Path file) throws PemException {
        Pem pem = Pem.read(file, PemException.Part.CERTIFICATES);
        List<X509Certificate> certificates = pem.certificates();
        if (certificates.stream().noneMatch(Pem::isValidNow)) {
            throw pem.notValid(certificates.getFirst());
        }
        var now = Instant.now();
        return certificates.stream()
                .filter(certificate -> !hasExpired(certificate, now))
                .toList();
    }

    /** Returns whether a certificate was valid at most until before this instant. */
    public static boolean hasExpired(X509Certificate certificate, Instant now) {
        return certificate.getNotAfter().toInstant().isBefore(now);
    }

    private static TrustManagerFactory trusting(List<X509Certificate> certificates) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (X509Certificate certificate : certificates) {
                store.setCertificateEntry(Integer.toString(store.size()), certificate);
            }
            return trusting(store);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("a store in memory takes certificates", e);
        }
    }

    private static TrustManagerFactory trusting(@Nullable KeyStore store) {
        try {
            var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has a way to trust", e);
        }
    }
}
