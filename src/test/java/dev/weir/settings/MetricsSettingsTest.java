package dev.weir.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.settings.table.SettingsException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is counted, and who is told. */
final class MetricsSettingsTest {

    @Test
    void nobody_is_told_unless_asked() throws SettingsException {
        MetricsSettings metrics = metrics(Map.of());
        assertThat(metrics.nearRatio()).isEqualTo(0.8f);
        assertThat(metrics.maxSeries()).isEqualTo(10_000);
        assertThat(metrics.prometheus()).isNull();
    }

    @ParameterizedTest(name = "PROMETHEUS_ADDR={0}")
    @CsvSource({
        "'',9090,0.0.0.0",
        ":19001,19001,0.0.0.0",
        "127.0.0.1:0,0,127.0.0.1",
        "[::1]:9,9,::1",
        "localhost:9090,9090,localhost"
    })
    void prometheus_has_an_address_as_go_writes_it(String address, int port, String host) throws SettingsException {
        var prometheus = metrics(Map.of("USE_PROMETHEUS", "true", "PROMETHEUS_ADDR", address))
                .prometheus();
        assertThat(prometheus)
                .isEqualTo(new MetricsSettings.Prometheus(new Servers.Listener(host, port), "/metrics", null, false));
    }

    @Test
    void disabled_statistics_open_no_port() throws SettingsException {
        assertThat(metrics(Map.of("USE_PROMETHEUS", "true", "DISABLE_STATS", "true"))
                        .prometheus())
                .isNull();
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "NEAR_LIMIT_RATIO|1.5|NEAR_LIMIT_RATIO is \"1.5\": give a number from 0 to 1.",
                "NEAR_LIMIT_RATIO|''|NEAR_LIMIT_RATIO is empty: give a number from 0 to 1.",
                "PROMETHEUS_ADDR|9090|PROMETHEUS_ADDR is \"9090\": give `host:port` or `:port`.",
                "PROMETHEUS_ADDR|:65536|PROMETHEUS_ADDR is \":65536\": give `host:port` or `:port`.",
                "PROMETHEUS_PATH|metrics|PROMETHEUS_PATH is \"metrics\": give a path that begins with `/`, or nothing.",
            })
    void a_wrong_value_is_told(String name, String value, String message) {
        assertThatThrownBy(() -> metrics(Map.of(name, value)))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(message);
    }

    private static MetricsSettings metrics(Map<String, String> variables) throws SettingsException {
        return Settings.read(variables).metrics();
    }
}
