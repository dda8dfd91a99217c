package dev.weir.handshake;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When the certificates expire that new connections begin with.
 *
 * @param service the first of the service's own and those behind it: each of them is needed
 * @param authority the last of those that may have signed a caller's, for one that has expired may stand beside its
 *     successor; null if callers need no certificate
 */
public record Expiry(Instant service, @Nullable Instant authority) {

    static Expiry of(List<X509Certificate> chain, X509Certificate... authorities) {
        return new Expiry(
                ends(chain.stream()).min(Comparator.naturalOrder()).orElseThrow(),
                ends(Arrays.stream(authorities)).max(Comparator.naturalOrder()).orElse(null));
    }

    private static Stream<Instant> ends(Stream<X509Certificate> certificates) {
        return certificates.map(certificate -> certificate.getNotAfter().toInstant());
    }
}
