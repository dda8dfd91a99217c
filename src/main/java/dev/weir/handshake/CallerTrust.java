package dev.weir.handshake;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Date;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts certificates that another trusts, if they are valid now and for the name that is wanted of all callers. Java takes
 * a certificate without a look at its dates where the file of authorities holds that very one.
 */
final class CallerTrust extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager inner;
    private final String name;
    private final InstantSource clock;

    private CallerTrust(X509ExtendedTrustManager inner, String name, InstantSource clock) {
        this.inner = inner;
        this.name = name;
        this.clock = clock;
    }

    /** Returns the trust in authorities; an empty name is any. */
    static CallerTrust in(TrustManagerFactory authorities, String name, InstantSource clock) {
        for (TrustManager one : authorities.getTrustManagers()) {
            if (one instanceof X509ExtendedTrustManager trust) {
                return new CallerTrust(trust, name, clock);
            }
        }
        throw new IllegalStateException("every Java has a way to trust certificates");
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        chain[0].checkValidity(Date.from(clock.instant()));
        if (!name.isEmpty() && !CertificateNames.has(chain[0], name)) {
            throw new CertificateException("it is not for " + name);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        inner.checkClientTrusted(chain, type, engine);
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        inner.checkClientTrusted(chain, type, socket);
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        inner.checkClientTrusted(chain, type);
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
        return inner.getAcceptedIssuers();
    }
}
