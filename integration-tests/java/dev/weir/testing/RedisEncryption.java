package dev.weir.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * TLS of a real Redis that lets nobody in without a certificate.
 *
 * @param own what Redis shows, to its clients and to its like
 * @param authority who must have signed what they show
 */
public record RedisEncryption(SignedFiles.Pair own, Path authority) {

    /** Lets an authority sign a certificate for a Redis on this machine. */
    public static RedisEncryption by(SignedFiles authority) {
        return new RedisEncryption(authority.sign("redis", "127.0.0.1"), authority.authority());
    }

    /**
     * Returns the environment of a Weir that shows a certificate.
     *
     * @param store where Redis is
     * @param client what Weir shows
     * @param trusted whom Weir trusts
     */
    public static Map<String, String> environment(Map<String, String> store, SignedFiles.Pair client, Path trusted) {
        var environment = new HashMap<>(store);
        environment.put("REDIS_TLS", "true");
        environment.put("REDIS_TLS_CACERT", trusted.toString());
        environment.put("REDIS_TLS_CLIENT_CERT", client.certificate().toString());
        environment.put("REDIS_TLS_CLIENT_KEY", client.key().toString());
        return environment;
    }

    /** Returns who is connected to a Redis without TLS, but for the test that asks. */
    public static List<String> clientsInTheClear(RedisServer redis) {
        var clients = String.valueOf(redis.command("CLIENT", "LIST"))
                .lines()
                .filter(line -> line.contains(" laddr=" + redis.address() + " "))
                .toList();
        return clients.stream().filter(line -> !line.contains(" cmd=client")).toList();
    }

    /** Returns the first version of this machine that is built with TLS. */
    static RedisVersion version() {
        return RedisVersions.here().stream()
                .filter(RedisEncryption::isBuiltWithTls)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no redis-server with TLS is here"));
    }

    private static boolean isBuiltWithTls(RedisVersion version) {
        try (var _ = RedisServer.start(version, "--tls-port", "0")) {
            return true;
        } catch (AssertionError _) {
            return false; // without TLS the word is unknown, and ends the start
        }
    }

    /** Returns arguments of redis-server, which its sentinels know too. */
    String[] arguments(int port, String... more) {
        var all = new ArrayList<>(List.of("--tls-port", Integer.toString(port), "--tls-auth-clients", "yes"));
        all.addAll(List.of("--tls-cert-file", own.certificate().toString()));
        all.addAll(List.of("--tls-key-file", own.key().toString()));
        all.addAll(List.of("--tls-ca-cert-file", authority.toString()));
        return Stream.concat(all.stream(), Stream.of(more)).toArray(String[]::new);
    }
}
