package dev.weir.settings.redis;

import dev.weir.settings.redis.RedisSettings.Address;
import dev.weir.settings.redis.RedisSettings.Credentials;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.WrongValueException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What {@code REDIS_URL} says. Read by hand: {@link java.net.URI} refuses hosts with an underscore, which compose files
 * are full of, and passwords with a raw sign in them.
 *
 * @param master the name before a list of sentinels; empty if there is none
 * @param addresses one, or those of a comma-separated list
 * @param credentials empty texts for what it does not say
 * @param database the number behind the slash, 0 if there is none
 * @param isTls whether it says that connections are encrypted
 */
record RedisUrl(String master, List<Address> addresses, Credentials credentials, int database, boolean isTls) {
    static final Kind<RedisUrl> KIND = new Kind<>(
            "`host:port` (of a cluster `host:port,host:port`, of sentinels `master,host:port,host:port`),"
                    + " `redis://[user:password@]host[:port][/database]` or `rediss://` for TLS, or the path of a socket",
            RedisUrl::parse);

    private static final int REDIS_PORT = 6379;
    private static final Pattern HOST_AND_PORT =
            Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[^\\s:/@,\\[\\]]+)(?::(\\d{1,5}))?");
    private static final Pattern DATABASE = Pattern.compile("/?|/\\d{1,4}");
    private static final Pattern NAME = Pattern.compile("[^\\s:/@,\\[\\]]+");
    private static final String SCHEME = "redis://";
    private static final String TLS_SCHEME = "rediss://";

    static RedisUrl parse(String text) throws WrongValueException {
        RedisUrl url;
        if (text.startsWith("/") || text.startsWith("./") || text.startsWith("../")) {
            url = new RedisUrl("", List.of(new Address.Socket(text)), Credentials.NONE, 0, false);
        } else if (text.startsWith(SCHEME)) {
            url = parseUrl(text.substring(SCHEME.length()), false);
        } else if (text.startsWith(TLS_SCHEME)) {
            url = parseUrl(text.substring(TLS_SCHEME.length()), true);
        } else {
            url = parseList(text);
        }
        if (url == null) {
            throw new WrongValueException("give " + KIND.allowed());
        }
        return url;
    }

    private static @Nullable RedisUrl parseList(String text) {
        var addresses = new ArrayList<Address>();
        List<String> parts = List.of(text.split(",", -1));
        boolean hasMaster = parts.size() > 1 && NAME.matcher(parts.getFirst()).matches();
        for (String part : hasMaster ? parts.subList(1, parts.size()) : parts) {
            var address = address(part.strip(), -1);
            if (address == null) {
                return null;
            }
            addresses.add(address);
        }
        return new RedisUrl(hasMaster ? parts.getFirst() : "", addresses, Credentials.NONE, 0, false);
    }

    private static @Nullable RedisUrl parseUrl(String rest, boolean isTls) {
        int at = rest.lastIndexOf('@');
        String place = rest.substring(at + 1);
        int slash = place.indexOf('/');
        String database = slash < 0 ? "" : place.substring(slash);
        var address = address(slash < 0 ? place : place.substring(0, slash), REDIS_PORT);
        if (address == null || !DATABASE.matcher(database).matches()) {
            return null;
        }
        try {
            var credentials = at < 0 ? Credentials.NONE : credentials(rest.substring(0, at));
            int number = database.length() < 2 ? 0 : Integer.parseInt(database.substring(1));
            return new RedisUrl("", List.of(address), credentials, number, isTls);
        } catch (IllegalArgumentException _) {
            return null; // a broken %-sequence: the caller says what is allowed
        }
    }

    private static Credentials credentials(String text) {
        int colon = text.indexOf(':');
        return colon < 0
                ? new Credentials(decoded(text), "")
                : new Credentials(decoded(text.substring(0, colon)), decoded(text.substring(colon + 1)));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static @Nullable Address address(String text, int presetPort) {
        Matcher matcher = HOST_AND_PORT.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        int port = matcher.group(2) == null ? presetPort : Integer.parseInt(matcher.group(2));
        String host = matcher.group(1).replaceAll("[\\[\\]]", "");
        return port < 1 || port > 65_535 ? null : new Address.Tcp(host, port);
    }
}
