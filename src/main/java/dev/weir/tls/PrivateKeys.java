package dev.weir.tls;

import java.io.ByteArrayOutputStream;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * Reads private keys: PKCS#8, and the two older forms that OpenSSL and cert-manager write, which lack nothing but an outer
 * layer that names the algorithm.
 */
final class PrivateKeys {
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");
    private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");
    private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");
    private static final byte[] VERSION_0 = {2, 1, 0};

    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final int CURVE = 0xA0;

    private PrivateKeys() {}

    /** Returns the first key of the file. */
    static PrivateKey first(Pem pem) throws PemException {
        for (Pem.Block block : pem.blocks()) {
            switch (block.label()) {
                case "PRIVATE KEY" -> {
                    return decoded(pem, pem.bytes(block));
                }
                case "RSA PRIVATE KEY" -> {
                    return decoded(pem, wrapped(RSA, pem.bytes(block)));
                }
                case "EC PRIVATE KEY" -> {
                    byte[] key = pem.bytes(block);
                    return decoded(pem, wrapped(element(SEQUENCE, EC, curve(pem, key)), key));
                }
                case "ENCRYPTED PRIVATE KEY" ->
                    throw pem.mistake("the key is locked with a password; give one that is not");
                default -> {} // certificates, and the parameters that OpenSSL writes before a key of an elliptic curve
            }
        }
        throw pem.mistake("the file holds no private key in PEM form that is not locked");
    }

    private static PrivateKey decoded(Pem pem, byte[] bytes) throws PemException {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
            } catch (InvalidKeySpecException _) {
                // of another algorithm, or of none: the end of the loop says so
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java has " + algorithm, e);
            }
        }
        throw pem.mistake("the file holds a private key that is neither RSA, EC nor Ed25519");
    }

    private static byte[] wrapped(byte[] algorithm, byte[] key) {
        return element(SEQUENCE, VERSION_0, algorithm, element(OCTETS, key));
    }

    /** Returns the name of the curve: in the sequence of version, key, name and public key. */
    private static byte[] curve(Pem pem, byte[] key) throws PemException {
        try {
            int at = contentOf(key, 0);
            while (at < key.length) {
                int length = lengthOf(key, at); // whatever the file says: it may lead back, or far beyond the key
                int content = Objects.checkFromIndexSize(contentOf(key, at), length, key.length);
                int end = content + length;
                if ((key[at] & 0xFF) == CURVE) {
                    return Arrays.copyOfRange(key, content, end);
                }
                at = end;
            }
        } catch (IndexOutOfBoundsException _) {
            throw pem.mistake("the file holds a private key that cannot be read");
        }
        throw pem.mistake("the key does not name its curve; give it in PKCS#8 form");
    }

    private static byte[] element(int tag, byte[]... parts) {
        var content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        int length = content.size();
        var bytes = new ByteArrayOutputStream();
        bytes.write(tag);
        if (length > 0xFF) {
            bytes.write(0x82); // two bytes of length follow
            bytes.write(length >> 8);
        } else if (length > 0x7F) {
            bytes.write(0x81);
        }
        bytes.write(length);
        bytes.writeBytes(content.toByteArray());
        return bytes.toByteArray();
    }

    private static int contentOf(byte[] bytes, int at) {
        int first = bytes[at + 1] & 0xFF;
        return at + 2 + (first < 0x80 ? 0 : first - 0x80);
    }

    private static int lengthOf(byte[] bytes, int at) {
        int first = bytes[at + 1] & 0xFF;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = at + 2; i < contentOf(bytes, at); i++) {
            length = (length << 8) | (bytes[i] & 0xFF);
        }
        return length;
    }
}
