package dev.weir.rules.xds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Keys as Java, Go and openssl write them. What Go writes for RSA is tried by {@link XdsTlsTest}. */
final class PrivateKeysTest {

    @Test
    void keys_in_the_envelope_of_java_are_read() throws Exception {
        for (String algorithm : new String[] {"RSA", "EC", "Ed25519"}) {
            var key = KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate();
            assertThat(PrivateKeys.read(pem("PRIVATE KEY", key.getEncoded()))).isEqualTo(key);
        }
    }

    @Test
    void an_ec_key_without_the_envelope_is_read_if_it_names_its_curve() throws Exception {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        var key = (ECPrivateKey) generator.generateKeyPair().getPrivate();
        // SEC 1: version 1, 32 bytes of key, and the curve 1.2.840.10045.3.1.7
        String curve = "A00A06082A8648CE3D030107";
        String head = "020101" + "0420";
        byte[] scalar = scalar(key.getS());
        String named = "3031" + head + HexFormat.of().formatHex(scalar) + curve;
        String parameters = pem("EC PARAMETERS", HexFormat.of().parseHex("06082A8648CE3D030107"));
        var read = PrivateKeys.read(
                parameters + pem("EC PRIVATE KEY", HexFormat.of().parseHex(named)));
        assertThat(((ECPrivateKey) read).getS()).isEqualTo(key.getS());

        String nameless = "3025" + head + HexFormat.of().formatHex(scalar);
        assertRefused(
                pem("EC PRIVATE KEY", HexFormat.of().parseHex(nameless)),
                "holds an EC key that does not name its curve; store it as PKCS #8");
        assertRefused(
                pem("EC PRIVATE KEY", HexFormat.of().parseHex("30")),
                "holds an EC key that does not name its curve; store it as PKCS #8");
    }

    @Test
    void what_is_no_key_is_refused_with_a_sentence() {
        assertRefused("", "holds no private key in PEM");
        assertRefused(pem("CERTIFICATE", new byte[] {1}), "holds no private key in PEM");
        assertRefused(
                pem("ENCRYPTED PRIVATE KEY", new byte[] {1}),
                "holds a private key that is encrypted; store it without a password");
        assertRefused(pem("DSA PRIVATE KEY", new byte[] {1}), "holds a private key of an unknown kind, DSA");
        assertRefused(pem("PRIVATE KEY", new byte[] {1}), "holds no private key that Java can read: RSA, EC, EdDSA");
    }

    private static void assertRefused(String pem, String sentence) {
        assertThatThrownBy(() -> PrivateKeys.read(pem))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessage(sentence);
    }

    private static byte[] scalar(BigInteger number) {
        byte[] bytes = number.toByteArray();
        int size = Math.min(32, bytes.length);
        return ByteBuffer.allocate(32)
                .put(32 - size, bytes, bytes.length - size, size)
                .array();
    }

    private static String pem(String kind, byte[] content) {
        String body = Base64.getMimeEncoder().encodeToString(content);
        return "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n";
    }
}
