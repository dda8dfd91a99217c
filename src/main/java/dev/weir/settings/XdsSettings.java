package dev.weir.settings;

import dev.weir.settings.table.Environment;
import dev.weir.settings.table.IdentityRows;
import dev.weir.settings.table.Setting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where rules come from in place of files: a control plane that pushes them.
 *
 * @param isUsed whether they do
 * @param server the control plane's address
 * @param nodeId who asks
 * @param nodeMetadata more about who asks
 * @param headers sent with each stream, by their names in lower case; may hold secrets
 * @param maxMessageBytes how large a response may be; 0 for gRPC's own bound
 * @param tls empty to speak in the clear
 * @param connectRetry how long to wait where no connection came about
 * @param backoff how long to wait where a stream ended
 */
public record XdsSettings(
        boolean isUsed,
        String server,
        String nodeId,
        Map<String, String> nodeMetadata,
        Map<String, String> headers,
        int maxMessageBytes,
        Optional<Tls> tls,
        Duration connectRetry,
        Backoff backoff) {

    public XdsSettings {
        nodeMetadata = Map.copyOf(nodeMetadata);
        headers = Map.copyOf(headers);
    }

    /**
     * The files of TLS, and whom to expect.
     *
     * @param authorities empty for those whom Java trusts
     * @param chain empty, as {@code key} then is, for no certificate of ours
     * @param serverName empty for the host of the address
     */
    public record Tls(Optional<Path> authorities, Optional<Path> chain, Optional<Path> key, String serverName) {}

    /**
     * How waits grow.
     *
     * @param first after one failure, at most
     * @param longest after any number of them
     * @param growth what they are multiplied by, at least 1
     * @param spread by which part of itself chance may shorten any wait, from 0 to 1
     */
    public record Backoff(Duration first, Duration longest, double growth, double spread) {}

    static List<Setting<?>> rows() {
        return XdsRows.rows();
    }

    static void check(Environment environment) {
        if (environment.read(XdsRows.USE_TLS)) {
            var _ = XdsRows.IDENTITY.checkBoth(environment);
        }
    }

    static XdsSettings of(Environment environment) {
        double factor = environment.read(XdsRows.RANDOM_FACTOR);
        boolean isGrowth = factor > 1;
        double spread = isGrowth ? 0.5 : factor;
        return new XdsSettings(
                environment.read(XdsRows.CONFIG_TYPE),
                environment.read(XdsRows.SERVER_URL),
                environment.read(XdsRows.NODE_ID),
                environment.read(XdsRows.NODE_METADATA),
                environment.read(XdsRows.HEADERS),
                environment.read(XdsRows.MAX_MSG_SIZE),
                environment.read(XdsRows.USE_TLS) ? Optional.of(tls(environment)) : Optional.empty(),
                environment.read(XdsRows.CONNECT_RETRY),
                new Backoff(
                        environment.read(XdsRows.BACKOFF_INITIAL),
                        environment.read(XdsRows.BACKOFF_MAX),
                        isGrowth ? factor : 2,
                        environment.read(XdsRows.JITTER) ? spread : 0));
    }

    private static Tls tls(Environment environment) {
        return new Tls(
                given(environment, XdsRows.CACERT),
                given(environment, XdsRows.CLIENT_CERT),
                given(environment, XdsRows.CLIENT_KEY),
                environment.read(XdsRows.SAN));
    }

    private static Optional<Path> given(Environment environment, Setting<Path> setting) {
        return Optional.of(environment.read(setting)).filter(IdentityRows::isGiven);
    }

    /** Without the headers' values. */
    @Override
    public String toString() {
        return "XdsSettings[isUsed=" + isUsed + ", server=" + server + ", nodeId=" + nodeId + ", headers="
                + headers.keySet() + ", tls=" + tls + "]";
    }
}
