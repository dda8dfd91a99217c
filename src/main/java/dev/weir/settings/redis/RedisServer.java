package dev.weir.settings.redis;

import dev.weir.settings.redis.RedisSettings.Address;
import dev.weir.settings.redis.RedisSettings.Credentials;
import dev.weir.settings.table.WrongValueException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of the addresses in {@code REDIS_URL}. Read by hand: {@link java.net.URI} refuses hosts with an underscore, which
 * compose files are full of, and passwords with a raw sign in them. What the parts mean is what the Go service's Redis
 * library takes them for.
 *
 * @param scheme what stands before the host, empty if nothing does
 * @param address where it listens
 * @param credentials empty texts for what it does not say
 * @param database 0 if it says none
 */
record RedisServer(String scheme, Address.Tcp address, Credentials credentials, int database) {
    static final int REDIS_PORT = 6379;
    static final int SENTINEL_PORT = 26_379;

    private static final String PLAIN = "redis://";
    private static final String TLS = "rediss://";
    private static final Pattern HOST_AND_PORT =
            Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[^\\s:/@,?#\\[\\]]+)(?::(\\d{1,5}))?");
    private static final Pattern DATABASE = Pattern.compile("\\d{0,4}");
    private static final List<String> QUERY = List.of("db", "username", "password");

    /**
     * Reads one address.
     *
     * @param presetPort the port of one that has a scheme and no port
     */
    static RedisServer parse(String text, int presetPort) throws WrongValueException {
        for (String scheme : List.of(PLAIN, TLS)) {
            if (text.startsWith(scheme)) {
                return parseUrl(scheme, text.substring(scheme.length()), presetPort);
            }
        }
        return new RedisServer("", address(text, -1), Credentials.NONE, 0);
    }

    boolean isTls() {
        return scheme.equals(TLS);
    }

    /** Returns whether the other one differs in nothing but its address. */
    boolean isReachedLike(RedisServer other) {
        return scheme.equals(other.scheme) && credentials.equals(other.credentials) && database == other.database;
    }

    private static RedisServer parseUrl(String scheme, String rest, int presetPort) throws WrongValueException {
        int question = rest.indexOf('?');
        Map<String, String> query = query(question < 0 ? "" : rest.substring(question + 1));
        String head = question < 0 ? rest : rest.substring(0, question);
        int at = head.lastIndexOf('@');
        String place = head.substring(at + 1);
        int slash = place.indexOf('/');
        String path = slash < 0 ? "" : place.substring(slash + 1);
        return new RedisServer(
                scheme,
                address(slash < 0 ? place : place.substring(0, slash), presetPort),
                credentials(at < 0 ? "" : head.substring(0, at), query),
                database(path.isEmpty() ? query.getOrDefault("db", "") : path));
    }

    private static Address.Tcp address(String text, int presetPort) throws WrongValueException {
        Matcher matcher = HOST_AND_PORT.matcher(text);
        int port = !matcher.matches() ? -1 : matcher.group(2) == null ? presetPort : Integer.parseInt(matcher.group(2));
        if (port < 1 || port > 65_535) {
            throw wrong();
        }
        return new Address.Tcp(matcher.group(1).replaceAll("[\\[\\]]", ""), port);
    }

    private static int database(String text) throws WrongValueException {
        if (!DATABASE.matcher(text).matches()) {
            throw wrong();
        }
        return text.isEmpty() ? 0 : Integer.parseInt(text);
    }

    /** What stands before the host wins over the query. */
    private static Credentials credentials(String text, Map<String, String> query) throws WrongValueException {
        int colon = text.indexOf(':');
        String user = decoded((colon < 0 ? text : text.substring(0, colon)).replace("+", "%2B"));
        return new Credentials(
                user.isEmpty() ? query.getOrDefault("username", "") : user,
                colon < 0
                        ? query.getOrDefault("password", "")
                        : decoded(text.substring(colon + 1).replace("+", "%2B")));
    }

    private static Map<String, String> query(String text) throws WrongValueException {
        Map<String, String> query = new HashMap<>();
        for (String pair : text.isEmpty() ? new String[0] : text.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            if (equals < 0 || !QUERY.contains(name) || text.indexOf('#') >= 0 || query.containsKey(name)) {
                throw new WrongValueException(
                        "give behind the `?` only `db`, `username` and `password`, each once as `name=value`, and a `?` of a"
                                + " password as `%3F`");
            }
            query.put(name, decoded(pair.substring(equals + 1)));
        }
        return query;
    }

    private static String decoded(String text) throws WrongValueException {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            throw new WrongValueException("give a `%` in a user or a password as `%25`");
        }
    }

    private static WrongValueException wrong() {
        return new WrongValueException("give " + RedisUrl.KIND.allowed());
    }
}
