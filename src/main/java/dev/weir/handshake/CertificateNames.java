package dev.weir.handshake;

import java.net.InetAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The names that a certificate is for, as Go reads them: DNS names, in which a star is one whole first label, and addresses.
 * Its subject is no name.
 */
final class CertificateNames {
    private static final int DNS = 2;
    private static final int ADDRESS = 7;

    private CertificateNames() {}

    static boolean has(X509Certificate certificate, String wanted) throws CertificateParsingException {
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        return names != null && has(names, wanted);
    }

    /** Returns whether one of the names is the one that is wanted; each is its kind, by a number, and its text. */
    static boolean has(Collection<List<?>> names, String wanted) {
        InetAddress address = address(wanted);
        for (List<?> name : names) {
            int kind = (Integer) name.get(0);
            String text = String.valueOf(name.get(1));
            if (address == null
                    ? kind == DNS && isMatch(text, wanted)
                    : kind == ADDRESS && address.equals(address(text))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isMatch(String pattern, String wanted) {
        String lower = pattern.toLowerCase(Locale.ROOT);
        String name = wanted.toLowerCase(Locale.ROOT);
        int dot = name.indexOf('.');
        return lower.equals(name) || (dot > 0 && lower.equals("*" + name.substring(dot)));
    }

    /** Returns the address that a text spells, or null: nothing is ever looked up. */
    private static @Nullable InetAddress address(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException _) {
            return null; // then it is a name
        }
    }
}
