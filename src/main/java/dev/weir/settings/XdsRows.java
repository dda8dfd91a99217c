package dev.weir.settings;

import dev.weir.settings.table.Feature;
import dev.weir.settings.table.IdentityRows;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.Rows;
import dev.weir.settings.table.SentHeader;
import dev.weir.settings.table.Setting;
import dev.weir.settings.table.Setting.Group;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The variables of rules over xDS. */
final class XdsRows {
    private static final Pattern SERVER =
            Pattern.compile("(dns:///)?(\\[[0-9A-Fa-f:.]+]|[^\\s/:@\\[\\]_]+):([0-9]{1,5})");
    private static final int LARGEST_PORT = 65_535;
    private static final Kind<Duration> WAIT = Kind.capped(Duration.ofMillis(1), Duration.ofHours(24));
    private static final Rows ROWS = new Rows(Group.XDS);
    private static final Rows OF_XDS = ROWS.of(Feature.XDS);

    static final Setting<Boolean> CONFIG_TYPE = ROWS.add(
            "CONFIG_TYPE",
            "FILE",
            Kind.word(List.of("file", "grpc_xds_sotw"), List.of(), "grpc_xds_sotw"::equals),
            "Where rules come from: files, or a control plane.");
    static final Setting<String> SERVER_URL = OF_XDS.add(
            "CONFIG_GRPC_XDS_SERVER_URL",
            "localhost:18000",
            Kind.of(
                    "`host:port` (a host with `_` in its name, which gRPC does not take, needs another one)",
                    text -> isAddress(text) ? text : null),
            "Where the control plane listens.");
    static final Setting<String> NODE_ID =
            OF_XDS.add("CONFIG_GRPC_XDS_NODE_ID", "default", Kind.TEXT, "Who asks, as the control plane knows it.");
    static final Setting<Map<String, String>> NODE_METADATA = OF_XDS.add(
            "CONFIG_GRPC_XDS_NODE_METADATA",
            "",
            Kind.of("`key=value,key=value`", XdsRows::metadata),
            "More about who asks. What is no `key=value` is passed over.");
    static final Setting<Map<String, String>> HEADERS = OF_XDS.add(
            "CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS",
            "",
            Kind.of("`name:value,name:value`, with no colon in a value", XdsRows::headers),
            "Sent with each stream. A secret.");
    static final Setting<Integer> MAX_MSG_SIZE = OF_XDS.add(
            "XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES",
            "0",
            Kind.number(0, Integer.MAX_VALUE),
            "How large a response may be; 0 is 4 MiB.");

    static final Setting<Boolean> USE_TLS =
            OF_XDS.add("CONFIG_GRPC_XDS_SERVER_USE_TLS", "false", Kind.SWITCH, "TLS to the control plane.");
    static final Setting<Path> CACERT = OF_XDS.add(
            "CONFIG_GRPC_XDS_SERVER_TLS_CACERT",
            "",
            Kind.PATH,
            "Who may have signed its certificate, a PEM file. Empty: those whom Java trusts; they are not trusted beside"
                    + " those in the file.");
    static final Setting<String> SAN = OF_XDS.add(
            "CONFIG_GRPC_XDS_SERVER_TLS_SAN",
            "",
            Kind.TEXT,
            "The name that its certificate must have. Empty: the host of its address.");
    static final Setting<Path> CLIENT_CERT = OF_XDS.add(
            "CONFIG_GRPC_XDS_CLIENT_TLS_CERT",
            "",
            Kind.PATH,
            "Our own certificate and those that lead to an authority, a PEM file. Empty: none.");
    static final Setting<Path> CLIENT_KEY = OF_XDS.add(
            "CONFIG_GRPC_XDS_CLIENT_TLS_KEY",
            "",
            Kind.PATH,
            "The key of our certificate, a PEM file (PKCS #8, PKCS #1 or SEC 1) without a password.");

    /** The files are read when the client is made. */
    static final IdentityRows IDENTITY = new IdentityRows(CLIENT_CERT, CLIENT_KEY);

    static final Setting<Duration> CONNECT_RETRY = OF_XDS.add(
            "CONFIG_GRPC_XDS_SERVER_CONNECT_RETRY_INTERVAL",
            "3s",
            WAIT,
            "How long to wait at most before trying again where no connection came about.");
    static final Setting<Duration> BACKOFF_INITIAL = OF_XDS.add(
            "XDS_CLIENT_BACKOFF_INITIAL_INTERVAL",
            "10s",
            WAIT,
            "How long to wait at most after a stream ended; longer each time, until rules come again.");
    static final Setting<Duration> BACKOFF_MAX =
            OF_XDS.add("XDS_CLIENT_BACKOFF_MAX_INTERVAL", "60s", WAIT, "The longest of these waits.");
    static final Setting<Double> RANDOM_FACTOR = OF_XDS.add(
            "XDS_CLIENT_BACKOFF_RANDOM_FACTOR",
            "0.5",
            Kind.FACTOR,
            "Up to 1: by which part of itself chance may shorten a wait; waits double. Above 1: what waits are multiplied by,"
                    + " as in the Go service (whose own default never lets them grow); chance may halve them.");
    static final Setting<Boolean> JITTER =
            OF_XDS.add("XDS_CLIENT_BACKOFF_JITTER", "true", Kind.SWITCH, "Let chance shorten waits.");

    private XdsRows() {}

    static List<Setting<?>> rows() {
        return ROWS.all();
    }

    private static boolean isAddress(String text) {
        var address = SERVER.matcher(text);
        if (!address.matches()) {
            return false;
        }
        int port = Integer.parseInt(address.group(3));
        return port >= 1 && port <= LARGEST_PORT;
    }

    private static Map<String, String> metadata(String text) {
        Map<String, String> metadata = new LinkedHashMap<>();
        for (String pair : text.split(",", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                metadata.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return metadata;
    }

    private static @Nullable Map<String, String> headers(String text) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String pair : text.isBlank() ? new String[0] : text.split(",", -1)) {
            String[] parts = pair.split(":", -1);
            if (parts.length != 2 || !SentHeader.isName(parts[0]) || !SentHeader.isValue(parts[1])) {
                return null;
            }
            headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
        }
        return headers;
    }
}
