package dev.weir.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.metrics.statsd.StatsdOptions;
import dev.weir.settings.table.SettingsException;
import java.time.Duration;
import java.util.List;
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

    @Test
    void statsd_is_told_unless_somebody_else_is() throws SettingsException {
        assertThat(metrics(Map.of()).statsd())
                .containsExactly(new StatsdOptions(
                        "localhost", 8125, false, false, Map.of(), Map.of(), List.of(), Duration.ofSeconds(10)));
        assertThat(metrics(Map.of("USE_STATSD", "false")).statsd()).isEmpty();
        assertThat(metrics(Map.of("USE_PROMETHEUS", "true")).statsd()).isEmpty();
        assertThat(metrics(Map.of("DISABLE_STATS", "true")).statsd()).isEmpty();
        assertThat(metrics(Map.of("USE_PROMETHEUS", "true", "USE_STATSD", "true"))
                        .statsd())
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"50ms, 50", "24h, 86400000"})
    void statsd_is_told_as_often_or_as_rarely_as_one_likes(String interval, long millis) throws SettingsException {
        assertThat(metrics(Map.of("STATS_FLUSH_INTERVAL", interval)).statsd())
                .singleElement()
                .satisfies(told -> assertThat(told.flush()).hasMillis(millis));
    }

    @Test
    void a_ratio_above_one_is_taken() throws SettingsException {
        assertThat(metrics(Map.of("NEAR_LIMIT_RATIO", "1.5")).nearRatio()).isEqualTo(1.5f);
    }

    @Test
    void dogstatsd_has_rules_for_names() throws SettingsException {
        var told = metrics(Map.of(
                        "USE_DOG_STATSD", "true",
                        "STATSD_HOST", "agent",
                        "STATSD_PORT", "tcp://10.0.0.2:9125",
                        "EXTRA_TAGS", "zone:a,app:x",
                        "USE_DOG_STATSD_MOGRIFIERS", "hits",
                        "DOG_STATSD_MOGRIFIER_HITS_PATTERN", "^x\\.(?P<rest>[[:alpha:]]*)$",
                        "DOG_STATSD_MOGRIFIER_HITS_NAME", "y.$1",
                        "DOG_STATSD_MOGRIFIER_HITS_TAGS", "rest:$1"))
                .statsd();
        assertThat(told).singleElement().satisfies(dog -> {
            assertThat(dog.isDog()).isTrue();
            assertThat(dog.isUdp()).isTrue();
            assertThat(dog.host() + ":" + dog.port()).isEqualTo("agent:8125");
            assertThat(dog.tags()).isEqualTo(Map.of("zone", "a", "app", "x"));
            assertThat(dog.mogrifiers()).singleElement().satisfies(mogrifier -> {
                assertThat(mogrifier.pattern().matcher("x.abc").find()).isTrue();
                assertThat(mogrifier.pattern().matcher("x.123").find()).isFalse();
                assertThat(mogrifier.name()).isEqualTo("y.$1");
                assertThat(mogrifier.tags()).isEqualTo(Map.of("rest", "$1"));
            });
        });
    }

    @Test
    void dogstatsd_alone_is_told_what_datadogs_environment_says() throws SettingsException {
        var variables = Map.of(
                "USE_STATSD", "true",
                "USE_DOG_STATSD", "true",
                "DD_VERSION", "7",
                "DD_SERVICE", "",
                "DD_ENV", "pro\nd",
                "DD_ENTITY_ID", "pod-uid-1");
        assertThat(metrics(variables).statsd())
                .extracting(StatsdOptions::datadogTags)
                .map(Map::toString)
                .containsExactly("{}", "{dd.internal.entity_id=pod-uid-1, env=prod, version=7}");
    }

    @Test
    void a_tag_of_which_a_side_is_empty_is_none() throws SettingsException {
        assertThat(metrics(Map.of("EXTRA_TAGS", "env:,zone:a,:b")).statsd())
                .singleElement()
                .satisfies(told -> assertThat(told.tags()).isEqualTo(Map.of("zone", "a")));
    }

    @Test
    void a_rule_for_names_that_is_not_whole_is_told() {
        assertThatThrownBy(() -> metrics(Map.of(
                        "USE_DOG_STATSD", "true",
                        "USE_DOG_STATSD_MOGRIFIERS", "HITS",
                        "DOG_STATSD_MOGRIFIER_HITS_PATTERN", "(",
                        "DOG_STATSD_MOGRIFIER_HITS_TAGS", "rest")))
                .hasMessageContaining("DOG_STATSD_MOGRIFIER_HITS_PATTERN is \"(\": give a regular expression of RE2.")
                .hasMessageContaining("DOG_STATSD_MOGRIFIER_HITS_NAME is")
                .hasMessageContaining("set it, for `USE_DOG_STATSD_MOGRIFIERS` names it.")
                .hasMessageContaining("DOG_STATSD_MOGRIFIER_HITS_TAGS is \"rest\": give `key:value,key:value`.");
    }

    @Test
    void what_a_rule_for_names_lacks_is_told_as_not_set() {
        assertThatThrownBy(() -> metrics(Map.of("USE_DOG_STATSD", "true", "USE_DOG_STATSD_MOGRIFIERS", "foo")))
                .hasMessage(
                        "DOG_STATSD_MOGRIFIER_FOO_NAME is not set: set it, for `USE_DOG_STATSD_MOGRIFIERS` names it.\n"
                                + "DOG_STATSD_MOGRIFIER_FOO_PATTERN is not set: set it, for `USE_DOG_STATSD_MOGRIFIERS` names it.");
    }

    @Test
    void rules_for_names_are_not_looked_at_where_dogstatsd_is_not_told() throws SettingsException {
        var settings = Settings.read(
                Map.of("USE_DOG_STATSD_MOGRIFIERS", "HITS,MISSES", "DOG_STATSD_MOGRIFIER_HITS_PATTERN", "("));
        assertThat(settings.metrics().statsd())
                .singleElement()
                .satisfies(told -> assertThat(told.isDog()).isFalse());
        assertThat(settings.pardoned()).isEmpty();
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource({
        "PROMETHEUS_ADDR, 0.0.0.0, Prometheus does not read the counts",
        "PROMETHEUS_PATH, metrics, Prometheus does not read the counts",
        "STATSD_PROTOCOL, http, statsd is not told",
        "STATSD_PORT, many, neither statsd nor DogStatsD is told",
        "STATS_FLUSH_INTERVAL, 0, neither statsd nor DogStatsD is told",
        "EXTRA_TAGS, zone, neither statsd nor DogStatsD is told",
    })
    void a_wrong_value_is_only_told_where_nobody_is(String name, String value, String why) throws SettingsException {
        assertThat(Settings.read(Map.of("USE_STATSD", "false", name, value)).pardoned())
                .singleElement()
                .asString()
                .startsWith(name + " is \"" + value + "\": give ")
                .contains("; not used, for " + why + " (");
        assertThat(Settings.read(Map.of("USE_PROMETHEUS", "true", "DISABLE_STATS", "true", name, value))
                        .pardoned())
                .hasSize(1);
    }

    @Test
    void dogstatsd_has_no_protocol_to_choose_but_a_port() throws SettingsException {
        assertThat(Settings.read(Map.of("USE_DOG_STATSD", "true", "STATSD_PROTOCOL", "http"))
                        .pardoned())
                .hasSize(1);
        assertThatThrownBy(() -> metrics(Map.of("USE_DOG_STATSD", "true", "STATSD_PORT", "many")))
                .hasMessageStartingWith("STATSD_PORT is \"many\": ");
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "NEAR_LIMIT_RATIO|-0.5|NEAR_LIMIT_RATIO is \"-0.5\": give a number from 0 up.",
                "NEAR_LIMIT_RATIO|NaN|NEAR_LIMIT_RATIO is \"NaN\": give a number from 0 up.",
                "NEAR_LIMIT_RATIO|1e40|NEAR_LIMIT_RATIO is \"1e40\": give a number from 0 up.",
                "NEAR_LIMIT_RATIO|''|NEAR_LIMIT_RATIO is empty: give a number from 0 up.",
                "STATS_FLUSH_INTERVAL|0|STATS_FLUSH_INTERVAL is \"0\": give a duration from 1ms; longer than 87600h is that.",
                "STATS_FLUSH_INTERVAL|-1s|STATS_FLUSH_INTERVAL is \"-1s\": give a duration from 1ms; longer than 87600h is that.",
                "PROMETHEUS_ADDR|9090|PROMETHEUS_ADDR is \"9090\": give `host:port` or `:port`.",
                "PROMETHEUS_ADDR|:65536|PROMETHEUS_ADDR is \":65536\": give `host:port` or `:port`.",
                "PROMETHEUS_PATH|metrics|PROMETHEUS_PATH is \"metrics\": give a path that begins with `/`, or nothing.",
            })
    void a_wrong_value_is_told(String name, String value, String message) {
        assertThatThrownBy(() -> metrics(Map.of("USE_PROMETHEUS", "true", "USE_STATSD", "true", name, value)))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(message);
    }

    private static MetricsSettings metrics(Map<String, String> variables) throws SettingsException {
        return Settings.read(variables).metrics();
    }
}
