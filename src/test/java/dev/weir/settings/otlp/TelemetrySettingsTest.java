package dev.weir.settings.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.settings.Settings;
import dev.weir.settings.table.SettingsException;
import dev.weir.telemetry.Collector;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the variables of OpenTelemetry mean. */
final class TelemetrySettingsTest {
    @Test
    void nothing_is_sent_where_nothing_is_said() throws Exception {
        var telemetry = Settings.read(Map.of()).telemetry();
        assertThat(telemetry.tracing()).isNull();
        assertThat(telemetry.metrics()).isNull();
    }

    @Test
    void the_defaults_are_those_of_the_go_service() throws Exception {
        var telemetry = Settings.read(Map.of("TRACING_ENABLED", "true")).telemetry();
        assertThat(Objects.requireNonNull(telemetry.tracing()).share()).isEqualTo(1);
        assertThat(telemetry.attributes())
                .containsEntry("service.name", "RateLimit")
                .containsEntry("service.namespace", "")
                .hasEntrySatisfying("service.instance.id", id -> assertThat(id).hasSize(36));
    }

    @Test
    void group_and_replica_are_those_of_all_attributes_unless_variables_of_their_own_say_more() throws Exception {
        var variables = new HashMap<>(Map.of(
                "TRACING_ENABLED", "true",
                "OTEL_RESOURCE_ATTRIBUTES", "service.namespace=shop,service.instance.id=pod-1,zone=a"));
        assertThat(Settings.read(variables).telemetry().attributes())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "service.name", "RateLimit",
                        "service.namespace", "shop",
                        "service.instance.id", "pod-1",
                        "zone", "a"));
        variables.put("TRACING_SERVICE_NAMESPACE", "bank");
        variables.put("TRACING_SERVICE_INSTANCE_ID", "pod-2");
        assertThat(Settings.read(variables).telemetry().attributes())
                .containsEntry("service.namespace", "bank")
                .containsEntry("service.instance.id", "pod-2");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // protocol, for both, for traces -> address
                "http, -, -, http://localhost:4318/v1/traces",
                "'', -, -, http://localhost:4318/v1/traces",
                "grpc, -, -, http://localhost:4317",
                "http, http://c:1, -, http://c:1/v1/traces",
                "http, https://c/otlp/, -, https://c/otlp/v1/traces",
                "grpc, http://c:1, -, http://c:1",
                "http, http://c:1, http://d:2/my, http://d:2/my",
            })
    void an_address_is_completed_for_http_only(String protocol, String both, String own, String address)
            throws Exception {
        var variables = new HashMap<String, String>();
        variables.put("TRACING_EXPORTER_PROTOCOL", protocol);
        if (both != null) {
            variables.put("OTEL_EXPORTER_OTLP_ENDPOINT", both);
        }
        if (own != null) {
            variables.put("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", own);
        }
        assertThat(collector(variables).address()).isEqualTo(URI.create(address));
    }

    @Test
    void headers_are_unpacked_and_those_of_traces_win() throws Exception {
        var both = Map.of("OTEL_EXPORTER_OTLP_HEADERS", "a=1, b=Basic%20x+y=");
        assertThat(collector(both).headers()).isEqualTo(Map.of("a", "1", "b", "Basic x+y="));
        var own = new HashMap<>(both);
        own.put("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "c=3");
        assertThat(collector(own).headers()).isEqualTo(Map.of("c", "3"));
    }

    @ParameterizedTest
    @CsvSource({
        "TRACING_ENABLED, perhaps",
        "TRACING_EXPORTER_PROTOCOL, carrier-pigeon",
        "TRACING_SAMPLING_RATE, few",
        "TRACING_SAMPLING_RATE, NaN",
        "OTEL_METRIC_EXPORT_INTERVAL, often",
        "OTEL_EXPORTER_OTLP_PROTOCOL, http/json",
        "OTEL_EXPORTER_OTLP_ENDPOINT, collector:4317",
        "OTEL_EXPORTER_OTLP_ENDPOINT, http://localhost:99999",
        "OTEL_EXPORTER_OTLP_ENDPOINT, http://localhost:0",
        "OTEL_EXPORTER_OTLP_TIMEOUT, 10s",
        "OTEL_RESOURCE_ATTRIBUTES, novalue",
    })
    void a_wrong_value_stops_the_start(String name, String text) {
        assertThatThrownBy(() -> Settings.read(sending(name, text)))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith(name + " is \"" + text + "\": give ");
    }

    /** Clusters set OpenTelemetry's variables for all of their pods, whatever those send. */
    @ParameterizedTest
    @CsvSource({
        "OTEL_METRICS_EXPORTER, prometheus, no metrics are sent",
        "OTEL_METRICS_EXPORTER, 'prometheus,console', no metrics are sent",
        "OTEL_METRICS_EXPORTER, oltp, no metrics are sent",
        "OTEL_METRIC_EXPORT_INTERVAL, 60s, no metrics are sent",
        "OTEL_EXPORTER_OTLP_PROTOCOL, http/json, no metrics are sent",
        "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT, collector:4317, no metrics are sent",
        "OTEL_EXPORTER_OTLP_ENDPOINT, collector:4317, nothing is sent",
        "OTEL_EXPORTER_OTLP_TIMEOUT, 10s, nothing is sent",
        "OTEL_EXPORTER_OTLP_COMPRESSION, zstd, nothing is sent",
        "OTEL_RESOURCE_ATTRIBUTES, a, nothing is sent",
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, collector:4317, no spans are sent",
        "TRACING_EXPORTER_PROTOCOL, http/protobuf, no spans are sent",
        "TRACING_SAMPLING_RATE, few, no spans are sent",
    })
    void a_wrong_value_is_only_told_where_nothing_is_sent(String name, String text, String why) throws Exception {
        var settings = Settings.read(Map.of(name, text));
        assertThat(settings.telemetry().tracing()).isNull();
        assertThat(settings.telemetry().metrics()).isNull();
        assertThat(settings.pardoned())
                .singleElement()
                .asString()
                .startsWith(name + " is \"" + text + "\": give ")
                .contains("; not used, for " + why);
    }

    @Test
    void another_exporter_of_metrics_is_none_to_us_and_spans_are_sent_all_the_same() throws Exception {
        var settings = Settings.read(Map.of("TRACING_ENABLED", "true", "OTEL_METRICS_EXPORTER", "prometheus"));
        assertThat(settings.telemetry().tracing()).isNotNull();
        assertThat(settings.telemetry().metrics()).isNull();
        assertThat(settings.pardoned())
                .containsExactly(
                        "OTEL_METRICS_EXPORTER is \"prometheus\": give `none` or `otlp`, or a list with `otlp` in it,"
                                + " or nothing for `none`; not used, for no metrics are sent to a collector (`OTEL_METRICS_EXPORTER` is not `otlp`)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            otlp,prometheus | `prometheus`
            Console, OTLP , custom | `console`, `custom`
            none,otlp | `none`
            """)
    void a_list_of_exporters_with_otlp_sends_metrics_and_the_others_are_told(String list, String others)
            throws Exception {
        var settings = Settings.read(Map.of("OTEL_METRICS_EXPORTER", list));
        assertThat(settings.telemetry().metrics()).isNotNull();
        assertThat(settings.pardoned()).isEmpty();
        assertThat(settings.remarks())
                .containsExactly("OTEL_METRICS_EXPORTER is \"" + list
                        + "\": metrics are sent by `otlp` alone, and not by " + others);
    }

    @ParameterizedTest
    @CsvSource({"otlp, true", "' otlp,', true", "none, false", "' , ', false", "'none,', false"})
    void a_list_of_one_exporter_is_told_nothing_of(String list, boolean isSending) throws Exception {
        var settings = Settings.read(Map.of("OTEL_METRICS_EXPORTER", list));
        assertThat(settings.telemetry().metrics() != null).isEqualTo(isSending);
        assertThat(settings.pardoned()).isEmpty();
        assertThat(settings.remarks()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "OTEL_EXPORTER_OTLP_ENDPOINT, http://me:hidden@c:1",
        "OTEL_EXPORTER_OTLP_ENDPOINT, http://c:1/#hidden",
        "OTEL_EXPORTER_OTLP_HEADERS, hidden"
    })
    void a_secret_is_not_shown_whether_it_is_used_or_not(String name, String text) throws Exception {
        assertThatThrownBy(() -> Settings.read(sending(name, text)))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith(name + " is ")
                .hasMessageNotContaining("hidden");
        assertThat(Settings.read(Map.of(name, text)).pardoned())
                .singleElement()
                .asString()
                .startsWith(name + " is ")
                .doesNotContain("hidden");
    }

    /** Over HTTP, Java's client would name the value in what the log tells of it; over gRPC, a library would write its bytes. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            Authorization=Bearer%20s3cr3t%0A, a value has a sign that no header may have%V
            Authorization=s3cr3t%C5%81, a value has a sign that no header may have%V
            Authorization=s3cr3t%C3%A9, a value has a sign that no header may have%V
            s3cr3t%20key=1, "give names of headers: of letters, digits, `-`, `_` and `.`"
            s3cr3t key=1, "give names of headers: of letters, digits, `-`, `_` and `.`"
            :path=s3cr3t, "give names of headers: of letters, digits, `-`, `_` and `.`"
            " =s3cr3t", "give names of headers: of letters, digits, `-`, `_` and `.`"
            Host=s3cr3t, "take `host` out, which belongs to the connection"
            connection=s3cr3t, "take `connection` out, which belongs to the connection"
            Content-Length=s3cr3t, "take `content-length` out, which belongs to the connection"
            s3cr3t-bin=1, give names that do not end in `-bin`
            s3cr3t, "give `name=value,name=value`, with `%` before the code of a sign"
            """)
    void a_header_that_cannot_be_sent_stops_the_start_and_is_not_shown(String text, String advice) {
        var told = advice.replace("%V", ", most likely a line break (`%0A`): take it out");
        for (String signal : List.of("", "TRACES_", "METRICS_")) {
            var name = "OTEL_EXPORTER_OTLP_" + signal + "HEADERS";
            assertThatThrownBy(() -> Settings.read(sending(name, "a=1," + text)))
                    .isInstanceOf(SettingsException.class)
                    .hasMessage(name + " is not shown here: " + told + ".");
        }
    }

    private static Map<String, String> sending(String name, String text) {
        var variables = new HashMap<>(Map.of("TRACING_ENABLED", "true", "OTEL_METRICS_EXPORTER", "otlp"));
        variables.put(name, text);
        return variables;
    }

    private static Collector collector(Map<String, String> variables) throws SettingsException {
        var all = new HashMap<>(variables);
        all.put("TRACING_ENABLED", "true");
        return Objects.requireNonNull(Settings.read(all).telemetry().tracing()).collector();
    }
}
