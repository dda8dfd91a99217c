package dev.weir.settings.otlp;

import dev.weir.settings.table.Kind;
import dev.weir.settings.table.SentHeader;
import dev.weir.settings.table.WrongValueException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Names with values in one text, as OpenTelemetry writes them. */
final class Pairs {
    static final Kind<Map<String, String>> ANY =
            Kind.of("`name=value,name=value`, with `%` before the code of a sign", Pairs::read);

    /** What is wrong is told without the text, and so without names: what stands before `=` may be a secret, too. */
    static final Kind<Map<String, String>> HEADERS =
            new Kind<>(ANY.allowed() + "; names and values as headers have them, in ASCII", Pairs::headers);

    /** Java's client refuses them or HTTP/2 forbids them; each belongs to the connection. */
    private static final Set<String> OF_CONNECTION = Set.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "keep-alive",
            "proxy-connection",
            "te",
            "transfer-encoding",
            "upgrade");

    /** To gRPC, such a header is in Base64. */
    private static final String BINARY = "-bin";

    private Pairs() {}

    private static @Nullable Map<String, String> read(String text) {
        var pairs = new LinkedHashMap<String, String>();
        for (String pair : text.split(",", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                try {
                    // A plus stands for itself here, in contrast to forms.
                    String value = pair.substring(equals + 1).strip().replace("+", "%2B");
                    pairs.put(pair.substring(0, equals).strip(), URLDecoder.decode(value, StandardCharsets.UTF_8));
                } catch (IllegalArgumentException _) {
                    return null; // the kind says what is allowed
                }
            } else if (!pair.isBlank()) {
                return null;
            }
        }
        return pairs;
    }

    private static Map<String, String> headers(String text) throws WrongValueException {
        Map<String, String> headers = ANY.parse(text);
        for (var header : headers.entrySet()) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (!SentHeader.isName(name)) {
                throw new WrongValueException("give names of headers: of letters, digits, `-`, `_` and `.`");
            }
            if (OF_CONNECTION.contains(name)) {
                throw new WrongValueException("take `" + name + "` out, which belongs to the connection");
            }
            if (name.endsWith(BINARY)) {
                throw new WrongValueException("give names that do not end in `" + BINARY + "`");
            }
            if (!SentHeader.isValue(header.getValue())) {
                throw new WrongValueException(
                        "a value has a sign that no header may have, most likely a line break (`%0A`): take it out");
            }
        }
        return headers;
    }
}
