package dev.weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A request whose head was read, and of whose body comes the rest.
 *
 * @param page that answers it
 * @param method by which it asks
 * @param parameters of the query
 * @param authorization what the caller says who wants more than everybody may
 * @param mostBytes of the body that the page wants to see
 * @param takesGzip whether its caller takes an answer that is packed
 * @param isOld whether it is one of HTTP/1.0, which is answered in kind
 * @param staysHere whether its caller wants to ask more on the same connection
 * @param body what the page wants of it
 */
record Asked(
        Page page,
        HttpMethod method,
        Map<String, String> parameters,
        Authorization authorization,
        int mostBytes,
        boolean takesGzip,
        boolean isOld,
        boolean staysHere,
        ByteArrayOutputStream body) {
    private static final int MOST_PARAMETERS = 16;

    /** Among the codings of a list, and not with the weight of what is not wanted (RFC 9110, section 12.5.3). */
    private static final Pattern GZIP = Pattern.compile(
            "(^|,)\\s*+(x-)?gzip\\s*+(?!;\\s*+q=0(\\.0*+)?\\s*+($|,))($|[,;])", Pattern.CASE_INSENSITIVE);

    /**
     * Reads the head of a request.
     *
     * @throws IllegalArgumentException if its target is none
     */
    static Asked of(HttpRequest request, Pages pages) {
        var target = new QueryStringDecoder(target(request.uri()), StandardCharsets.UTF_8, true, MOST_PARAMETERS);
        var page = pages.of(target.path());
        var authorization = new Authorization(request.headers().get(HttpHeaderNames.AUTHORIZATION, ""));
        return new Asked(
                page,
                request.method(),
                parameters(target),
                authorization,
                page.reads(authorization) ? page.mostBytes() : 0,
                request.headers().getAll(HttpHeaderNames.ACCEPT_ENCODING).stream()
                        .anyMatch(GZIP.asPredicate()),
                request.protocolVersion().equals(HttpVersion.HTTP_1_0),
                HttpUtil.isKeepAlive(request),
                new ByteArrayOutputStream(0));
    }

    /** A proxy may be given the whole address (RFC 9112, section 3.2.2). */
    private static String target(String uri) {
        if (uri.startsWith("/") || uri.equals("*")) {
            return uri;
        }
        int scheme = uri.indexOf("://");
        if (scheme < 0) {
            throw new IllegalArgumentException("neither a path nor an address");
        }
        int start = scheme + "://".length();
        while (start < uri.length() && uri.charAt(start) != '/' && uri.charAt(start) != '?') {
            start++;
        }
        return uri.startsWith("/", start) ? uri.substring(start) : "/" + uri.substring(start);
    }

    /** Of a query that cannot be read, or says one name twice, all is the value of no name: most pages look at no query. */
    private static Map<String, String> parameters(QueryStringDecoder target) {
        try {
            var named = target.parameters().entrySet();
            if (named.stream().allMatch(one -> one.getValue().size() == 1)) {
                return named.stream()
                        .collect(Collectors.toUnmodifiableMap(
                                Map.Entry::getKey, one -> one.getValue().getFirst()));
            }
        } catch (IllegalArgumentException _) {
            // then it goes as one that says a name twice
        }
        return Map.of("", target.rawQuery());
    }

    /** Keeps what the page wants to see of the next part of the body, and returns whether there is room for it. */
    boolean keep(ByteBuf part, Crowd crowd) {
        int bytes = Math.min(mostBytes - body.size(), part.readableBytes());
        if (bytes > 0) {
            if (!crowd.holdsBody(bytes)) {
                return false;
            }
            byte[] kept = new byte[bytes];
            part.getBytes(part.readerIndex(), kept);
            body.writeBytes(kept);
        }
        return true;
    }

    Question question(String from) {
        return new Question(method.name(), parameters, authorization, from, body.toByteArray());
    }
}
