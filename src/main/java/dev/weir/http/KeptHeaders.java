package dev.weir.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.util.AsciiString;
import java.util.List;

/**
 * Of the headers of a request those that say how it is read and answered, and who asks; of hosts, only how many it names. The others
 * are looked at and forgotten: a line of four bytes is an object of a hundred, and a thousand callers may be in the middle of theirs.
 */
final class KeptHeaders extends DefaultHttpHeaders {
    private static final int MOST_LINES = 128;
    private static final int MOST_BYTES = 256;
    private static final AsciiString HOST = HttpHeaderNames.HOST;
    private static final AsciiString LENGTH = HttpHeaderNames.CONTENT_LENGTH;
    private static final AsciiString AUTHORIZATION = HttpHeaderNames.AUTHORIZATION;
    private static final AsciiString CODINGS = HttpHeaderNames.ACCEPT_ENCODING;
    private static final DefaultHttpHeadersFactory RULES = DefaultHttpHeadersFactory.headersFactory();

    private final List<String> kept;
    private int lines;

    private KeptHeaders(List<String> kept) {
        super(RULES.getNameValidator(), RULES.getValueValidator());
        this.kept = kept;
    }

    /** Returns what makes headers that keep those with these names; with none it is for trailers. */
    static HttpHeadersFactory named(String... names) {
        List<String> kept = List.of(names);
        return new HttpHeadersFactory() {
            @Override
            public HttpHeaders newHeaders() {
                return new KeptHeaders(kept);
            }

            @Override
            public HttpHeaders newEmptyHeaders() {
                return new KeptHeaders(kept);
            }
        };
    }

    /** The one by which the decoder adds what it reads. */
    @Override
    public HttpHeaders add(CharSequence name, Object value) {
        String text = String.valueOf(value);
        if (++lines > MOST_LINES) {
            throw new TooLongHttpHeaderException("more than " + MOST_LINES + " lines");
        }
        for (String one : kept) {
            if (AsciiString.contentEqualsIgnoreCase(one, name) && !isForOthers(name, text)) {
                return addKept(name, text);
            }
        }
        RULES.getNameValidator().validateName(name);
        RULES.getValueValidator().validate(text);
        return this;
    }

    /** A long one is a proxy's before us: no page would let its caller in, nor is it a reason to turn one away. So are codings. */
    private static boolean isForOthers(CharSequence name, String value) {
        return value.length() > MOST_BYTES
                && (AUTHORIZATION.contentEqualsIgnoreCase(name) || CODINGS.contentEqualsIgnoreCase(name));
    }

    private HttpHeaders addKept(CharSequence name, String value) {
        if (HOST.contentEqualsIgnoreCase(name)) { // how many there are is all that matters, and one may be long
            RULES.getValueValidator().validate(value);
            return super.add(name, "");
        }
        if (value.length() > MOST_BYTES) {
            throw new TooLongHttpHeaderException("more than " + MOST_BYTES + " bytes of " + name);
        }
        if (LENGTH.contentEqualsIgnoreCase(name) && contains(name) && !value.equals(get(name))) {
            throw new IllegalArgumentException("two lengths"); // of HTTP/1.0 Netty takes the first
        }
        return super.add(name, value);
    }
}
