package dev.weir.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.SignedFiles;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;

/** A factory that was handed over once gives what is in force when it is asked. */
final class NewestTest {

    @Test
    void who_asks_again_is_shown_the_newest_certificate() throws PemException {
        try (var files = SignedFiles.create()) {
            var inForce = new AtomicReference<>(identity(files, "first"));
            var factory = Newest.identity(inForce::get);
            assertThat(nameIn(factory)).isEqualTo("CN=first");
            inForce.set(identity(files, "second"));
            assertThat(nameIn(factory)).isEqualTo("CN=second");
        }
    }

    @Test
    void who_asks_again_trusts_the_newest_authority_alone() throws PemException {
        try (var one = SignedFiles.create();
                var other = SignedFiles.create()) {
            var inForce = new AtomicReference<>(Authorities.only(one.authority()));
            var factory = Newest.authorities(inForce::get);
            X509Certificate before = onlyTrusted(factory);
            inForce.set(Authorities.only(other.authority()));
            assertThat(onlyTrusted(factory)).isNotEqualTo(before);
        }
    }

    private static KeyManagerFactory identity(SignedFiles files, String name) throws PemException {
        var pair = files.sign(name, "weir.example");
        return Identity.read(pair.certificate(), pair.key()).factory();
    }

    private static String nameIn(KeyManagerFactory factory) {
        assertThat(factory.getKeyManagers()).singleElement().isInstanceOf(X509KeyManager.class);
        var keys = (X509KeyManager) factory.getKeyManagers()[0];
        String alias = keys.getClientAliases("EC", null)[0];
        return keys.getCertificateChain(alias)[0].getSubjectX500Principal().getName();
    }

    private static X509Certificate onlyTrusted(TrustManagerFactory factory) {
        assertThat(factory.getTrustManagers()).singleElement().isInstanceOf(X509TrustManager.class);
        var issuers = ((X509TrustManager) factory.getTrustManagers()[0]).getAcceptedIssuers();
        assertThat(issuers).hasSize(1);
        return issuers[0];
    }
}
