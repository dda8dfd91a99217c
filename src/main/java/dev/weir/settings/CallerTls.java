package dev.weir.settings;

import dev.weir.settings.table.Environment;
import dev.weir.settings.table.IdentityRows;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.Rows;
import dev.weir.settings.table.Setting;
import dev.weir.settings.table.Setting.Group;
import dev.weir.tls.Authorities;
import dev.weir.tls.PemException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How connections of callers are encrypted. The files were there, and in order, when the settings were read.
 *
 * @param certificate the service's own, with those that lead from it to an authority
 * @param key of that certificate
 * @param authority who must have signed the certificates that callers show, or null if they need not show any
 * @param callerName a name that those must be for; empty for any
 */
public record CallerTls(
        Path certificate, Path key, @Nullable Path authority, String callerName) {
    private static final Rows ROWS = new Rows(Group.CALLER_TLS);

    private static final Setting<Boolean> GRPC_SERVER_USE_TLS = ROWS.add(
            "GRPC_SERVER_USE_TLS",
            "false",
            Kind.SWITCH,
            "TLS 1.2 and 1.3 for callers over gRPC, at a Unix socket too; without it they speak in the clear.");
    private static final Setting<Path> GRPC_SERVER_TLS_CERT = ROWS.add(
            "GRPC_SERVER_TLS_CERT",
            "",
            Kind.PATH,
            "The file of the service's certificate, and of those that lead from it to an authority.");
    private static final Setting<Path> GRPC_SERVER_TLS_KEY = ROWS.add(
            "GRPC_SERVER_TLS_KEY",
            "",
            Kind.PATH,
            "The file of its key (PKCS #8, PKCS #1 or SEC 1), not locked with a password.");
    private static final Setting<Path> GRPC_CLIENT_TLS_CACERT = ROWS.add(
            "GRPC_CLIENT_TLS_CACERT",
            "",
            Kind.PATH,
            "The file of the authorities that must have signed a caller's certificate; nobody else is trusted. Empty: callers"
                    + " need none.");
    private static final Setting<String> GRPC_CLIENT_TLS_SAN = ROWS.add(
            "GRPC_CLIENT_TLS_SAN",
            "",
            Kind.TEXT,
            "A DNS name or an address that a caller's certificate must be for. Empty: any.");
    private static final IdentityRows IDENTITY = new IdentityRows(GRPC_SERVER_TLS_CERT, GRPC_SERVER_TLS_KEY);

    static List<Setting<?>> rows() {
        return ROWS.all();
    }

    /** Returns what the variables say, and keeps what is wrong with the files; null, and no file is read, without TLS. */
    static @Nullable CallerTls of(Environment environment) {
        if (!environment.read(GRPC_SERVER_USE_TLS)) {
            remarkForgotten(environment);
            return null;
        }
        Path certificate = environment.read(GRPC_SERVER_TLS_CERT);
        Path key = environment.read(GRPC_SERVER_TLS_KEY);
        if (!IdentityRows.isGiven(certificate) && !IdentityRows.isGiven(key)) {
            environment.contradict(
                    GRPC_SERVER_TLS_CERT,
                    "`GRPC_SERVER_USE_TLS` needs a certificate, and its key in `GRPC_SERVER_TLS_KEY`");
        }
        IDENTITY.checkFiles(environment);
        return new CallerTls(certificate, key, authority(environment), environment.read(GRPC_CLIENT_TLS_SAN));
    }

    /** Who says where the files are means to use them, unless the switch says otherwise. */
    private static void remarkForgotten(Environment environment) {
        if (!environment.isGiven(GRPC_SERVER_USE_TLS)) {
            Stream.of(GRPC_SERVER_TLS_CERT, GRPC_SERVER_TLS_KEY, GRPC_CLIENT_TLS_CACERT, GRPC_CLIENT_TLS_SAN)
                    .filter(environment::isGiven)
                    .findFirst()
                    .ifPresent(given -> environment.remark(
                            given, "callers speak in the clear all the same, for GRPC_SERVER_USE_TLS is not set"));
        }
    }

    private static @Nullable Path authority(Environment environment) {
        Path file = environment.read(GRPC_CLIENT_TLS_CACERT);
        if (!IdentityRows.isGiven(file)) {
            if (!environment.read(GRPC_CLIENT_TLS_SAN).isEmpty()) {
                environment.contradict(
                        GRPC_CLIENT_TLS_CACERT,
                        "a name in `GRPC_CLIENT_TLS_SAN` proves nothing unless an authority vouches for it: name its file");
            }
            return null;
        }
        try {
            Authorities.check(file);
        } catch (PemException e) {
            environment.contradict(GRPC_CLIENT_TLS_CACERT, e.reason());
        }
        return file;
    }
}
