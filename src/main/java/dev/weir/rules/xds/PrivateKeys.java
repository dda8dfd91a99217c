package dev.weir.rules.xds;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Private keys in PEM, in the three ways in which they are written.
 *
 * <p>Java reads PKCS #8 only. Go, and with it Envoy Gateway and many others, writes RSA keys as PKCS #1 and others as
 * SEC 1; around either goes the envelope that PKCS #8 prescribes, and what is inside stays as it is.
 */
final class PrivateKeys {
    private static final Pattern PEM =
            Pattern.compile("-----BEGIN ([A-Z]+ )?PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    // DER: the algorithm as PKCS #8 names it, and the tags around it.
    private static final byte[] RSA = {
        0x30, 13, 6, 9, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 13, 1, 1, 1, 5, 0
    };
    private static final byte[] EC = {6, 7, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 2, 1};
    private static final byte[] VERSION = {2, 1, 0};
    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 4;
    private static final int PARAMETERS = 0xA0;

    private PrivateKeys() {}

    /**
     * Returns the first private key in a PEM text.
     *
     * @throws GeneralSecurityException if there is none that can be read; the message says why, to stand behind "which"
     */
    static PrivateKey read(String pem) throws GeneralSecurityException {
        var found = PEM.matcher(pem);
        if (!found.find()) {
            throw new InvalidKeySpecException("holds no private key in PEM");
        }
        byte[] key = Base64.getMimeDecoder().decode(found.group(2));
        @Nullable String kind = found.group(1);
        byte[] enveloped = switch (kind == null ? "" : kind) {
            case "" -> key;
            case "RSA " -> envelope(RSA, key);
            case "EC " -> envelope(der(SEQUENCE, EC, curve(key)), key);
            case "ENCRYPTED " ->
                throw new InvalidKeySpecException("holds a private key that is encrypted; store it without a password");
            default -> throw new InvalidKeySpecException("holds a private key of an unknown kind, " + kind.strip());
        };
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(enveloped));
            } catch (InvalidKeySpecException _) {
                // of another algorithm, or of none: the last line says so
            }
        }
        throw new InvalidKeySpecException("holds no private key that Java can read: " + String.join(", ", ALGORITHMS));
    }

    private static byte[] envelope(byte[] algorithm, byte[] key) {
        return der(SEQUENCE, VERSION, algorithm, der(OCTETS, key));
    }

    /** Finds the name of the curve, which stands behind the version and the key itself. */
    private static byte[] curve(byte[] key) throws InvalidKeySpecException {
        try {
            int at = contentOf(key, 0); // into the sequence
            at = end(key, at); // past the version
            at = end(key, at); // past the key
            if (at < key.length && (key[at] & 0xFF) == PARAMETERS) {
                return Arrays.copyOfRange(key, contentOf(key, at), end(key, at));
            }
        } catch (ArrayIndexOutOfBoundsException _) {
            // cut short: it does not name its curve either
        }
        throw new InvalidKeySpecException("holds an EC key that does not name its curve; store it as PKCS #8");
    }

    /** Writes tag, length and parts. */
    private static byte[] der(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        var buffer = ByteBuffer.allocate(length + 4).put((byte) tag);
        if (length < 0x80) {
            buffer.put((byte) length);
        } else if (length < 0x100) {
            buffer.put((byte) 0x81).put((byte) length);
        } else {
            buffer.put((byte) 0x82).putShort((short) length);
        }
        for (byte[] part : parts) {
            buffer.put(part);
        }
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private static int contentOf(byte[] der, int at) {
        int length = der[at + 1] & 0xFF;
        return at + 2 + (length < 0x80 ? 0 : length - 0x80);
    }

    private static int end(byte[] der, int at) {
        int content = contentOf(der, at);
        int length = der[at + 1] & 0xFF;
        if (length >= 0x80) {
            length = 0;
            for (int i = at + 2; i < content; i++) {
                length = length << 8 | (der[i] & 0xFF);
            }
        }
        return content + length;
    }
}
