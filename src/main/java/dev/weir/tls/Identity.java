package dev.weir.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;

/**
 * Who we are to the other side: a certificate, the chain behind it, and the key that proves that it is ours.
 *
 * @param chain the certificate, then the one that signed it, and so on
 */
public record Identity(List<X509Certificate> chain, PrivateKey key) {
    private static final char[] NO_PASSWORD = {};
    private static final byte[] SAMPLE = {1};

    public Identity {
        chain = List.copyOf(chain);
    }

    /**
     * Reads an identity from two files, which may be one and the same.
     *
     * @throws PemException if one of them cannot be used, the chain is out of order, the certificate is not valid now, or the
     *     key belongs to another one
     */
    public static Identity read(Path certificateFile, Path keyFile) throws PemException {
        Pem certificates = Pem.read(certificateFile, PemException.Part.CERTIFICATES);
        Pem keys = Pem.read(keyFile, PemException.Part.KEY);
        var identity = new Identity(certificates.certificates(), PrivateKeys.first(keys));
        checkOrder(certificates, identity.chain);
        X509Certificate own = identity.chain.getFirst();
        if (!Pem.isValidNow(own)) {
            throw certificates.notValid(own);
        }
        if (!isPair(own.getPublicKey(), identity.key, signed(keys, identity.key))) {
            throw keys.mistake("the key does not belong to the certificate in "
                    + (keyFile.equals(certificateFile) ? "the same file" : certificateFile));
        }
        return identity;
    }

    /** Java shows only a chain in which each certificate is followed by the one that signed it. */
    private static void checkOrder(Pem file, List<X509Certificate> chain) throws PemException {
        for (int i = 1; i < chain.size(); i++) {
            var signer = chain.get(i);
            var expected = chain.get(i - 1).getIssuerX500Principal();
            if (!signer.getSubjectX500Principal().equals(expected) || chain.indexOf(signer) < i) {
                throw file.mistake("certificate %d in it (%s) is not the one that signed the one before (%s);"
                                .formatted(i + 1, signer.getSubjectX500Principal(), expected)
                        + " give our own first, then the one that signed it, and so on, each once");
            }
        }
    }

    /** Returns what shows this identity to who asks for it. */
    public KeyManagerFactory factory() {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setKeyEntry("own", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
            var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, NO_PASSWORD);
            return factory;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("a store in memory takes a key", e);
        }
    }

    /** Java reads keys of more curves than it signs with. */
    private static byte[] signed(Pem file, PrivateKey secret) throws PemException {
        try {
            var signature = Signature.getInstance(algorithm(secret));
            signature.initSign(secret);
            signature.update(SAMPLE);
            return signature.sign();
        } catch (GeneralSecurityException _) {
            throw file.mistake("Java cannot sign with such a key; give one of RSA, Ed25519, P-256, P-384 or P-521");
        }
    }

    /** What the one signs the other must find good. */
    private static boolean isPair(PublicKey open, PrivateKey secret, byte[] signed) {
        try {
            var signature = Signature.getInstance(algorithm(secret));
            signature.initVerify(open);
            signature.update(SAMPLE);
            return signature.verify(signed);
        } catch (GeneralSecurityException _) {
            return false; // they are not even of one kind
        }
    }

    private static String algorithm(PrivateKey secret) {
        return switch (secret.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> secret.getAlgorithm();
        };
    }
}
