package dev.weir.settings;

import dev.weir.settings.table.Environment;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.Rows;
import dev.weir.settings.table.Setting;
import dev.weir.settings.table.Setting.Group;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What holds for callers over gRPC, beside where they are listened for.
 *
 * @param maxAge after which a connection is told to go; zero is never
 * @param grace after which it is then broken off; zero is never
 * @param maxConnections how many connections there may be; 0 for as many as there is room for
 * @param socket path of the Unix socket to listen on in place of host and port; empty is none
 * @param tls how connections are encrypted, or null if they are not
 */
public record GrpcSettings(
        Duration maxAge,
        Duration grace,
        int maxConnections,
        String socket,
        @Nullable CallerTls tls) {
    private static final Kind<Duration> UP_TO_TEN_YEARS = Kind.capped(Duration.ZERO, Duration.ofDays(3650));
    private static final Kind<String> SOCKET = Kind.of(
            "the path of a socket (an abstract one, with `@`, cannot be had), or nothing",
            text -> isPath(text) ? text : null);
    private static final Rows ROWS = new Rows(Group.SERVERS);

    private static final Setting<String> GRPC_UDS = ROWS.add(
            "GRPC_UDS",
            "",
            SOCKET,
            "The path of a Unix socket where gRPC listens in place of `GRPC_HOST` and `GRPC_PORT`.");
    private static final Setting<Duration> GRPC_MAX_CONNECTION_AGE = ROWS.add(
            "GRPC_MAX_CONNECTION_AGE",
            "24h",
            UP_TO_TEN_YEARS,
            "When a connection is told to go (GOAWAY), up to a tenth sooner or later; `0`: never.");
    private static final Setting<Duration> GRPC_MAX_CONNECTION_AGE_GRACE = ROWS.add(
            "GRPC_MAX_CONNECTION_AGE_GRACE",
            "1h",
            UP_TO_TEN_YEARS,
            "How long its calls may then take to end before it is closed; `0`: as long as they like.");

    private static final Setting<Integer> GRPC_MAX_CONNECTIONS = ROWS.add(
            "GRPC_MAX_CONNECTIONS",
            "0",
            Kind.number(0, 1_000_000),
            "How many connections there may be; more are closed at once. `0`: as many as fit into a quarter of the heap, and"
                    + " leave files to open for all else.");

    /** On Linux Go listens at a name that begins so and is no file; Java cannot, and would make a file of it. */
    private static boolean isPath(String text) {
        return text.indexOf('\0') < 0 && !text.startsWith("@");
    }

    static List<Setting<?>> rows() {
        return ROWS.all();
    }

    static GrpcSettings of(Environment environment) {
        return new GrpcSettings(
                environment.read(GRPC_MAX_CONNECTION_AGE),
                environment.read(GRPC_MAX_CONNECTION_AGE_GRACE),
                environment.read(GRPC_MAX_CONNECTIONS),
                environment.read(GRPC_UDS),
                CallerTls.of(environment));
    }
}
