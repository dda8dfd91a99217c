package dev.weir.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.settings.XdsSettings.Backoff;
import dev.weir.settings.XdsSettings.Tls;
import dev.weir.settings.table.SettingsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The variables of rules over xDS, as the Go service reads them. */
final class XdsSettingsTest {
    private static final String HEADERS = "CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS";
    private static final String FACTOR = "XDS_CLIENT_BACKOFF_RANDOM_FACTOR";

    @Test
    void rules_come_from_files_unless_told_otherwise() throws Exception {
        var xds = read(Map.of());
        assertThat(xds.isUsed()).isFalse();
        assertThat(xds.server()).isEqualTo("localhost:18000");
        assertThat(xds.nodeId()).isEqualTo("default");
        assertThat(xds.nodeMetadata()).isEmpty();
        assertThat(xds.headers()).isEmpty();
        assertThat(xds.tls()).isEmpty();
        assertThat(xds.connectRetry()).hasSeconds(3);
        assertThat(xds.backoff()).isEqualTo(new Backoff(Duration.ofSeconds(10), Duration.ofSeconds(60), 2, 0.5));
        assertThat(read(Map.of("CONFIG_TYPE", "FILE")).isUsed()).isFalse();
        assertThat(read(Map.of("CONFIG_TYPE", "GRPC_XDS_SOTW")).isUsed()).isTrue();
    }

    @Test
    void metadata_are_pairs_and_what_is_none_is_passed_over() throws Exception {
        assertThat(read(Map.of("CONFIG_GRPC_XDS_NODE_METADATA", "zone=eu-1,odd,=none,query=a=b,empty="))
                        .nodeMetadata())
                .isEqualTo(Map.of("zone", "eu-1", "query", "a=b", "empty", ""));
    }

    @Test
    void headers_are_pairs_without_a_colon_in_a_value_and_are_never_shown() throws Exception {
        var settings = Settings.read(Map.of(HEADERS, "Authorization:Bearer sesame,x-zone:"));
        assertThat(settings.xds().headers()).isEqualTo(Map.of("authorization", "Bearer sesame", "x-zone", ""));
        assertThat(settings.toString()).doesNotContain("sesame");
        for (String wrong : List.of("url:http://sesame", "sesame", "a b:sesame", "a:1,", "a:sésame")) {
            assertThat(mistakes(Map.of("CONFIG_TYPE", "GRPC_XDS_SOTW", HEADERS, wrong)))
                    .containsExactly(
                            HEADERS + " is not shown here: give `name:value,name:value`, with no colon in a value.");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0.5, true, 2, 0.5",
        "0.5, false, 2, 0",
        "0, true, 2, 0",
        "1, 1, 2, 1",
        "1.5, true, 1.5, 0.5",
        "3, false, 3, 0"
    })
    void a_factor_up_to_one_spreads_waits_and_one_beyond_lets_them_grow(
            String factor, String jitter, double growth, double spread) throws Exception {
        var backoff = read(Map.of(FACTOR, factor, "XDS_CLIENT_BACKOFF_JITTER", jitter))
                .backoff();
        assertThat(backoff.growth()).isEqualTo(growth);
        assertThat(backoff.spread()).isEqualTo(spread);
    }

    @Test
    void a_wait_of_more_than_a_day_is_a_day() throws Exception {
        assertThat(read(Map.of("XDS_CLIENT_BACKOFF_MAX_INTERVAL", "1000h"))
                        .backoff()
                        .longest())
                .hasHours(24);
    }

    @Test
    void tls_is_off_until_it_is_switched_on() throws Exception {
        String ca = "CONFIG_GRPC_XDS_SERVER_TLS_CACERT";
        String use = "CONFIG_GRPC_XDS_SERVER_USE_TLS";
        assertThat(read(Map.of(ca, "/certs/ca.crt")).tls()).isEmpty();
        assertThat(read(Map.of(use, "true")).tls())
                .contains(new Tls(Optional.empty(), Optional.empty(), Optional.empty(), ""));
        var all = Map.of(
                use,
                "true",
                ca,
                "/certs/ca.crt",
                "CONFIG_GRPC_XDS_CLIENT_TLS_CERT",
                "/certs/tls.crt",
                "CONFIG_GRPC_XDS_CLIENT_TLS_KEY",
                "/certs/tls.key",
                "CONFIG_GRPC_XDS_SERVER_TLS_SAN",
                "envoy-gateway");
        assertThat(read(all).tls())
                .contains(new Tls(
                        Optional.of(Path.of("/certs/ca.crt")),
                        Optional.of(Path.of("/certs/tls.crt")),
                        Optional.of(Path.of("/certs/tls.key")),
                        "envoy-gateway"));
    }

    @Test
    void a_certificate_needs_its_key_and_a_key_its_certificate() throws Exception {
        String certificate = "CONFIG_GRPC_XDS_CLIENT_TLS_CERT";
        String key = "CONFIG_GRPC_XDS_CLIENT_TLS_KEY";
        assertThat(read(Map.of(certificate, "/certs/tls.crt")).tls())
                .as("nobody reads it")
                .isEmpty();
        String use = "CONFIG_GRPC_XDS_SERVER_USE_TLS";
        assertThat(mistakes(Map.of("CONFIG_TYPE", "GRPC_XDS_SOTW", use, "true", certificate, "/certs/tls.crt")))
                .containsExactly(key + " is empty: give the key of the certificate in `" + certificate + "`.");
        assertThat(mistakes(Map.of("CONFIG_TYPE", "GRPC_XDS_SOTW", use, "true", key, "/certs/tls.key")))
                .containsExactly(certificate + " is empty: give the certificate of the key in `" + key + "`.");
    }

    @ParameterizedTest
    @CsvSource({
        "CONFIG_TYPE, GRPC_XDS_DELTA",
        "CONFIG_GRPC_XDS_SERVER_URL, envoy-gateway",
        "CONFIG_GRPC_XDS_SERVER_URL, envoy_gateway:18001",
        "CONFIG_GRPC_XDS_SERVER_URL, http://envoy-gateway:18001",
        "CONFIG_GRPC_XDS_SERVER_URL, envoy-gateway:99999",
        "CONFIG_GRPC_XDS_SERVER_URL, envoy-gateway:65536",
        "CONFIG_GRPC_XDS_SERVER_URL, envoy-gateway:0",
        "CONFIG_GRPC_XDS_SERVER_CONNECT_RETRY_INTERVAL, 3",
        "CONFIG_GRPC_XDS_SERVER_USE_TLS, yes",
        "XDS_CLIENT_BACKOFF_INITIAL_INTERVAL, 0s",
        "XDS_CLIENT_BACKOFF_MAX_INTERVAL, -1s",
        "XDS_CLIENT_BACKOFF_RANDOM_FACTOR, -0.5",
        "XDS_CLIENT_BACKOFF_RANDOM_FACTOR, NaN",
        "XDS_CLIENT_BACKOFF_JITTER, ''",
        "XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES, 4MB",
        "FORCE_START_WITHOUT_INITIAL_CONFIG, maybe"
    })
    void a_wrong_value_stops_the_start(String name, String wrong) {
        var variables = new HashMap<>(Map.of("CONFIG_TYPE", "GRPC_XDS_SOTW"));
        variables.put(name, wrong);
        assertThat(mistakes(variables)).singleElement().asString().startsWith(name + " is ");
    }

    @Test
    void a_wrong_value_is_only_told_where_rules_come_from_files() throws Exception {
        var settings = Settings.read(Map.of(
                "CONFIG_GRPC_XDS_SERVER_URL",
                "envoy-gateway",
                "CONFIG_GRPC_XDS_SERVER_USE_TLS",
                "true",
                "CONFIG_GRPC_XDS_CLIENT_TLS_CERT",
                "/certs/tls.crt",
                HEADERS,
                "sesame"));
        assertThat(settings.pardoned())
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).endsWith("; not used, for rules come from files (`CONFIG_TYPE`)"))
                .noneSatisfy(line -> assertThat(line).contains("sesame"));
    }

    @ParameterizedTest
    @CsvSource({"envoy-gateway:18001", "[::1]:18001", "dns:///envoy-gateway.system.svc:65535"})
    void a_control_plane_is_named_by_host_and_port(String server) throws Exception {
        assertThat(read(Map.of("CONFIG_GRPC_XDS_SERVER_URL", server)).server()).isEqualTo(server);
    }

    private static XdsSettings read(Map<String, String> variables) throws SettingsException {
        return Settings.read(variables).xds();
    }

    private static List<String> mistakes(Map<String, String> variables) {
        return catchThrowableOfType(SettingsException.class, () -> Settings.read(variables))
                .mistakes();
    }
}
