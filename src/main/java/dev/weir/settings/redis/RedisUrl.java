package dev.weir.settings.redis;

import dev.weir.settings.redis.RedisSettings.Address;
import dev.weir.settings.redis.RedisSettings.Credentials;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.WrongValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What {@code REDIS_URL} says.
 *
 * @param master the name before a list of sentinels; empty if there is none
 * @param addresses one, or those of a comma-separated list
 * @param credentials empty texts for what it does not say; all addresses say the same
 * @param database which they say, 0 if they say none
 * @param isTls whether they say that connections are encrypted
 */
record RedisUrl(String master, List<Address> addresses, Credentials credentials, int database, boolean isTls) {
    static final Kind<RedisUrl> KIND = new Kind<>(
            "`host:port` (of a cluster `host:port,host:port`, of sentinels `master,host:port,host:port`),"
                    + " `redis://[user:password@]host[:port][/database]` in place of every `host:port`, `rediss://` for TLS,"
                    + " or the path of a socket",
            RedisUrl::parse);

    private static final Pattern MASTER = Pattern.compile("[^\\s:/@?#\\[\\]]+");
    private static final Pattern SOCKET = Pattern.compile("\\.{0,2}/");
    /** A path is shown in the log, so what may be an address with a password, slashes before it, is none. */
    private static final Pattern ADDRESS_IN_PATH = Pattern.compile("(?s)://|\\?|(//|:).*@|@.*:");

    static RedisUrl parse(String text) throws WrongValueException {
        if (SOCKET.matcher(text).lookingAt() && !ADDRESS_IN_PATH.matcher(text).find()) {
            return new RedisUrl("", List.of(new Address.Socket(text)), Credentials.NONE, 0, false);
        }
        List<String> parts = List.of(text.split(",", -1));
        if (parts.size() > 1 && parts.stream().anyMatch(RedisUrl::isLackingScheme)) {
            throw new WrongValueException(
                    "give every address with its scheme, and percent-encode a comma that belongs to a password");
        }
        boolean hasMaster = parts.size() > 1 && MASTER.matcher(parts.getFirst()).matches();
        List<RedisServer> servers = new ArrayList<>();
        for (String part : hasMaster ? parts.subList(1, parts.size()) : parts) {
            servers.add(
                    RedisServer.parse(part.strip(), hasMaster ? RedisServer.SENTINEL_PORT : RedisServer.REDIS_PORT));
        }
        RedisServer first = servers.getFirst();
        if (servers.stream().anyMatch(server -> !server.isReachedLike(first))) {
            throw new WrongValueException("give every address the same scheme, user, password and database");
        }
        return new RedisUrl(
                hasMaster ? parts.getFirst() : "",
                servers.stream().<Address>map(RedisServer::address).toList(),
                first.credentials(),
                first.database(),
                first.isTls());
    }

    private static boolean isLackingScheme(String part) {
        return part.indexOf('@') >= 0 && !part.contains("://");
    }
}
