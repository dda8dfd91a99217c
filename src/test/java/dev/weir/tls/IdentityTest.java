package dev.weir.tls;

import static dev.weir.testing.SignedFiles.pem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.testing.SignedFiles;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A certificate and its key in PEM files, in the forms in which operators have them, and each way in which they are not. */
final class IdentityTest {
    private static final String HOST = "weir.example";
    private static final String AUTHORITY = "CN=Authority of the tests";
    private final SignedFiles certificates = SignedFiles.create();

    @AfterEach
    void end() {
        certificates.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"ecp256", "ecp384", "rsa2048", "ed25519"})
    void a_pair_is_read(Algorithm algorithm) throws PemException {
        var pair = certificates.sign("weir", HOST, algorithm);
        var identity = Identity.read(pair.certificate(), pair.key());
        assertThat(identity.chain().getFirst().getSubjectX500Principal()).hasToString("CN=weir");
        assertThat(identity.factory().getKeyManagers()).isNotEmpty();
    }

    @Test
    void a_key_in_the_older_form_of_rsa_is_read() throws Exception {
        var older = certificates.signOlder("weir", HOST);
        byte[] key = Identity.read(older.certificate(), certificates.file("weir.key"))
                .key()
                .getEncoded();
        assertThat(Identity.read(older.certificate(), older.key()).key().getEncoded())
                .isEqualTo(key);
    }

    @Test
    void a_key_in_the_older_form_of_elliptic_curves_is_read() throws Exception {
        var pair = certificates.sign("weir", HOST, Algorithm.ecp256);
        var key = Identity.read(pair.certificate(), pair.key()).key();
        var secret = "%064x".formatted(((ECPrivateKey) key).getS());
        byte[] inner = HexFormat.of().parseHex("30310201010420" + secret + "a00a06082a8648ce3d030107");
        String parameters = pem("EC PARAMETERS", HexFormat.of().parseHex("06082a8648ce3d030107"));
        var older = certificates.write("older.key", parameters + pem("EC PRIVATE KEY", inner));
        assertThat(Identity.read(pair.certificate(), older).chain()).isNotEmpty();

        byte[] nameless = HexFormat.of().parseHex("30250201010420" + secret);
        var without = certificates.write("nameless.key", pem("EC PRIVATE KEY", nameless));
        assertRefused(pair.certificate(), without, without, "the key does not name its curve; give it in PKCS#8 form");
        var torn = certificates.write("torn.key", pem("EC PRIVATE KEY", Arrays.copyOf(inner, 20)));
        assertThat(catchThrowableOfType(PemException.class, () -> Identity.read(pair.certificate(), torn)))
                .isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "3010020101" + "0484fffffffa" + "0000000000", // back to where it begins
                "3010020101" + "a08470000000" + "0000000000", // 1.8 GB
                "3010020101" + "a0847fffffff" + "0000000000", // beyond what an int holds, with what is before it
                "300a020101" + "a006" + "0000000000"
            })
    void a_key_whose_parts_are_not_as_long_as_they_say_cannot_be_read(String hex) {
        var pair = certificates.sign("weir", HOST);
        var odd = certificates.write(
                "odd.key", pem("EC PRIVATE KEY", HexFormat.of().parseHex(hex)));
        assertRefused(pair.certificate(), odd, odd, "the file holds a private key that cannot be read");
    }

    @Test
    void a_curve_that_java_does_not_sign_with_is_told_as_that() throws Exception {
        var pair = certificates.sign("weir", HOST, Algorithm.ecp256);
        var key = Identity.read(pair.certificate(), pair.key()).key();
        var secret = "%064x".formatted(((ECPrivateKey) key).getS());
        byte[] ofSecp256k1 = HexFormat.of().parseHex("302e0201010420" + secret + "a00706052b8104000a");
        var odd = certificates.write("odd.key", pem("EC PRIVATE KEY", ofSecp256k1));
        assertRefused(
                pair.certificate(),
                odd,
                odd,
                "Java cannot sign with such a key; give one of RSA, Ed25519, P-256, P-384 or P-521");
    }

    @Test
    void a_pair_may_stand_in_one_file() throws Exception {
        var pair = certificates.sign("weir", HOST);
        var both = certificates.write("both.pem", Files.readString(pair.key()) + Files.readString(pair.certificate()));
        assertThat(Identity.read(both, both).chain()).isNotEmpty();
    }

    @Test
    void what_cannot_be_used_is_told_with_its_file() throws IOException {
        var pair = certificates.sign("weir", HOST);
        var other = certificates.sign("other", HOST, Algorithm.rsa2048);
        var expired = certificates.signExpired("expired", HOST);
        var missing = certificates.file("missing.pem");
        var locked = certificates.write("locked.key", pem("ENCRYPTED PRIVATE KEY", new byte[] {1}));
        var odd = certificates.write("odd.key", pem("PRIVATE KEY", new byte[] {1}));
        var broken = certificates.write("broken.pem", pem("CERTIFICATE", new byte[] {1}));
        var unreadable = certificates.write("text.pem", "-----BEGIN CERTIFICATE-----\nA\n-----END CERTIFICATE-----\n");
        assertRefused(missing, pair.key(), missing, "there is no such file");
        assertRefused(pair.certificate(), missing, missing, "there is no such file");
        assertRefused(pair.key(), pair.key(), pair.key(), "the file holds no certificate in PEM form");
        assertRefused(
                pair.certificate(),
                pair.certificate(),
                pair.certificate(),
                "the file holds no private key in PEM form that is not locked");
        assertRefused(pair.certificate(), locked, locked, "the key is locked with a password; give one that is not");
        assertRefused(pair.certificate(), odd, odd, "the file holds a private key that is neither RSA, EC nor Ed25519");
        assertRefused(broken, pair.key(), broken, "the file holds a certificate that cannot be read");
        assertRefused(unreadable, pair.key(), unreadable, "what stands under CERTIFICATE is not Base64");
        assertRefused(
                pair.certificate(),
                other.key(),
                other.key(),
                "the key does not belong to the certificate in " + pair.certificate());
        var failure =
                catchThrowableOfType(PemException.class, () -> Identity.read(expired.certificate(), expired.key()));
        assertThat(failure.reason()).startsWith("the certificate has expired, on 20");
    }

    @Test
    void a_chain_out_of_order_is_told_with_what_to_do() throws Exception {
        var pair = certificates.sign("weir", HOST);
        String own = Files.readString(pair.certificate());
        String authority = Files.readString(certificates.authority());
        String advice = "; give our own first, then the one that signed it, and so on, each once";
        assertChainRefused(
                pair,
                authority + own,
                "certificate 2 in it (CN=weir) is not the one that signed the one before (" + AUTHORITY + ")" + advice);
        assertChainRefused(
                pair,
                own + own,
                "certificate 2 in it (CN=weir) is not the one that signed the one before (" + AUTHORITY + ")" + advice);
        assertChainRefused(
                pair,
                own + authority + authority,
                "certificate 3 in it (%s) is not the one that signed the one before (%s)"
                                .formatted(AUTHORITY, AUTHORITY)
                        + advice);
        var whole = certificates.write("whole.pem", own + authority);
        assertThat(Identity.read(whole, pair.key()).factory().getKeyManagers()).isNotEmpty();
    }

    @Test
    void authorities_of_a_file_stand_beside_those_that_java_knows_or_alone() throws PemException {
        var file = certificates.authority();
        var ofFile = issuers(Authorities.only(file));
        assertThat(ofFile).hasSize(1);
        assertThat(issuers(Authorities.with(file)))
                .containsAll(ofFile)
                .containsAll(issuers(Authorities.ofJava()))
                .hasSizeGreaterThan(1);
        var missing = certificates.file("missing.pem");
        assertThat(catchThrowableOfType(PemException.class, () -> Authorities.check(missing)))
                .hasMessage("there is no such file");
        assertThat(catchThrowableOfType(PemException.class, () -> Authorities.only(missing)))
                .hasMessage("there is no such file");
    }

    @Test
    void an_authority_that_has_expired_is_not_believed_beside_its_successor() throws PemException {
        try (var late = SignedFiles.create(Duration.ofHours(-1))) {
            var both = certificates.write(
                    "both.pem", certificates.textOf(late.authority()) + certificates.textOf(certificates.authority()));
            var valid = issuers(Authorities.only(certificates.authority()));
            assertThat(issuers(Authorities.only(both))).isEqualTo(valid);
            assertThat(issuers(Authorities.with(both)))
                    .containsAll(valid)
                    .hasSameSizeAs(issuers(Authorities.with(certificates.authority())));
            assertThat(catchThrowableOfType(PemException.class, () -> Authorities.only(late.authority())))
                    .hasMessageStartingWith("the certificate has expired, on 20");
        }
    }

    private static List<X509Certificate> issuers(TrustManagerFactory trusted) {
        return Arrays.stream(trusted.getTrustManagers())
                .flatMap(manager -> Arrays.stream(((X509TrustManager) manager).getAcceptedIssuers()))
                .toList();
    }

    private void assertChainRefused(SignedFiles.Pair pair, String chain, String reason) {
        var file = certificates.write("chain.pem", chain);
        assertRefused(file, pair.key(), file, reason);
    }

    private static void assertRefused(Path certificate, Path key, Path guilty, String reason) {
        var failure = catchThrowableOfType(PemException.class, () -> Identity.read(certificate, key));
        assertThat(failure.file()).isEqualTo(guilty);
        assertThat(failure.reason()).isEqualTo(reason);
    }
}
