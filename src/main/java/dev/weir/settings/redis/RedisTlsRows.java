package dev.weir.settings.redis;

import dev.weir.settings.redis.RedisSettings.Tls;
import dev.weir.settings.table.Environment;
import dev.weir.settings.table.IdentityRows;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.Rows;
import dev.weir.settings.table.Setting;
import dev.weir.tls.Authorities;
import dev.weir.tls.PemException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The variables that tell whom to trust and who we are where connections to Redis are encrypted. */
final class RedisTlsRows {
    private final Setting<Path> authority;
    private final Setting<Path> certificate;
    private final Setting<Path> key;
    private final Setting<Boolean> isSkippingName;

    RedisTlsRows(Rows rows) {
        authority = rows.add(
                "REDIS_TLS_CACERT",
                "",
                Kind.PATH,
                "Authorities to trust beside those that Java knows: a PEM file. This and the next three hold for all of"
                        + " Redis, its sentinels too.");
        certificate = rows.add(
                "REDIS_TLS_CLIENT_CERT",
                "",
                Kind.PATH,
                "Our own certificate, and those of its authorities behind it, for a Redis that asks for it: a PEM file.");
        key = rows.add("REDIS_TLS_CLIENT_KEY", "", Kind.PATH, "Its key: a PEM file, not locked with a password.");
        isSkippingName = rows.add(
                "REDIS_TLS_SKIP_HOSTNAME_VERIFICATION",
                "false",
                Kind.SWITCH,
                "Take Redis's certificate also if it is for another host; who signed it is looked at all the same.");
    }

    /** Returns what the variables say, and keeps what is wrong with the files. Only for who encrypts: else they may be missing. */
    Tls read(Environment environment) {
        Path authorityFile = given(environment, authority);
        if (authorityFile != null) {
            try {
                Authorities.check(authorityFile);
            } catch (PemException e) {
                environment.contradict(authority, e.reason());
            }
        }
        new IdentityRows(certificate, key).checkFiles(environment);
        return new Tls(
                authorityFile,
                given(environment, certificate),
                given(environment, key),
                !environment.read(isSkippingName));
    }

    /** Says that Redis is spoken to in the clear where somebody has said whom to trust or who we are. */
    void remarkUnused(Environment environment) {
        Stream.of(authority, certificate, key)
                .filter(environment::isGiven)
                .findFirst()
                .ifPresent(given -> environment.remark(
                        given,
                        "Redis is spoken to in the clear all the same, for there is neither REDIS_TLS=true nor a URL with"
                                + " rediss://"));
    }

    private static @Nullable Path given(Environment environment, Setting<Path> row) {
        Path path = environment.read(row);
        return IdentityRows.isGiven(path) ? path : null;
    }
}
