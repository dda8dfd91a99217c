package dev.weir.handshake;

import dev.weir.tls.Authorities;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts certificates that are signed by an authority, if both are valid now, and for the name that is wanted of all callers. Java
 * does not look at the dates of authorities, nor at those of a certificate where the file of authorities holds that very one.
 */
final class CallerTrust extends X509ExtendedTrustManager {
    private final List<X509Certificate> authorities;
    private final String name;
    private final InstantSource clock;

    // Several threads may find that an authority has expired, and come to the same.
    private volatile Trusted trusted;

    private CallerTrust(List<X509Certificate> authorities, String name, InstantSource clock) {
        this.authorities = List.copyOf(authorities);
        this.name = name;
        this.clock = clock;
        this.trusted = Trusted.in(this.authorities);
    }

    /** Returns the trust in authorities, one at least; an empty name is any. */
    static CallerTrust in(TrustManagerFactory authorities, String name, InstantSource clock) {
        return new CallerTrust(List.of(manager(authorities).getAcceptedIssuers()), name, clock);
    }

    /**
     * Who is trusted for a while.
     *
     * @param until when the first of the authorities expires
     */
    private record Trusted(X509ExtendedTrustManager manager, Instant until) {

        static Trusted in(List<X509Certificate> authorities) {
            var until = authorities.stream()
                    .map(authority -> authority.getNotAfter().toInstant())
                    .min(Comparator.naturalOrder());
            return new Trusted(CallerTrust.manager(Authorities.of(authorities)), until.orElseThrow());
        }
    }

    private static X509ExtendedTrustManager manager(TrustManagerFactory factory) {
        for (TrustManager one : factory.getTrustManagers()) {
            if (one instanceof X509ExtendedTrustManager trust) {
                return trust;
            }
        }
        throw new IllegalStateException("every Java has a way to trust certificates");
    }

    /** Returns who trusts what authorities have signed that are valid still. */
    private X509ExtendedTrustManager valid() throws CertificateException {
        var now = clock.instant();
        var valid = trusted;
        if (valid.until.isBefore(now)) {
            var left = authorities.stream()
                    .filter(authority -> !Authorities.hasExpired(authority, now))
                    .toList();
            if (left.isEmpty()) {
                throw new CertificateException("every authority has expired");
            }
            valid = Trusted.in(left);
            trusted = valid;
        }
        return valid.manager;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        chain[0].checkValidity(Date.from(clock.instant()));
        if (!name.isEmpty() && !CertificateNames.has(chain[0], name)) {
            throw new CertificateException("it is not for " + name);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        valid().checkClientTrusted(chain, type, engine);
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        valid().checkClientTrusted(chain, type, socket);
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        valid().checkClientTrusted(chain, type);
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
        throw new IllegalStateException("callers are no servers");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
        throw new IllegalStateException("callers are no servers");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
        throw new IllegalStateException("callers are no servers");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trusted.manager.getAcceptedIssuers();
    }
}
