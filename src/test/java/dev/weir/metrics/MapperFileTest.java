package dev.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file of mappings may stay if it gives the names that Weir gives anyway. */
final class MapperFileTest {
    @TempDir
    private Path folder;

    @Test
    void the_default_names_are_known() throws IOException {
        assertThat(foreignNames("""
                mappings:
                  - match: "ratelimit.service.rate_limit.*.*.near_limit"
                    name: "ratelimit_service_rate_limit_near_limit"
                    timer_type: "histogram"
                    labels:
                      domain: "$1"
                      key1: "$2"
                  - {match: "ratelimit_server.*.response_time", name: ratelimit_service_response_time_seconds}
                """)).isEmpty();
    }

    @Test
    void any_other_name_is_told() throws IOException {
        assertThat(foreignNames("""
                mappings:
                - name: limits_near   # ours
                  match: "ratelimit.service.rate_limit.*.*.near_limit"
                - {"match": "x.*", "name": "limits_x"}
                """)).containsExactly("limits_near", "limits_x");
    }

    @Test
    void what_is_dropped_and_what_is_a_comment_gives_no_name() throws IOException {
        assertThat(foreignNames("""
                # name: limits_old
                mappings:
                  - match: "ratelimit.service.call.should_rate_limit.*"
                    name: "ratelimit_service_should_rate_limit_error"
                    match_metric_type: counter
                    labels:
                      err_type: "$1"
                  - match: "."
                    match_type: "regex"
                    action: "drop"
                    name: "dropped"
                """)).isEmpty();
    }

    @Test
    void a_label_that_is_not_given_is_told() throws IOException {
        assertThat(foreignNames("""
                mappings:
                  - match: "ratelimit.service.rate_limit.*.*.*.*.near_limit"
                    name: "ratelimit_service_rate_limit_near_limit"
                    labels: {domain: "$1", key1: "$2", key3: "$4"}
                """)).containsExactly("the label key3");
    }

    @Test
    void a_file_without_mappings_gives_none() throws IOException {
        assertThat(foreignNames("")).isEmpty();
        assertThat(foreignNames("mappings:\n")).isEmpty();
        assertThatThrownBy(() -> foreignNames("mappings: ["))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("is not valid YAML");
    }

    @Test
    void a_name_that_no_mapping_changes_may_be_mapped_to_itself() throws IOException {
        var file = file("""
                mappings:
                  - match: "ratelimit.service.global_shadow_mode"
                    name: "ratelimit_service_global_shadow_mode"
                  - match: "ratelimit.service.config_load_success"
                    name: "ratelimit_service_config_load_success"
                    match_metric_type: counter
                """);
        assertThat(file.foreignNames()).isEmpty();
        assertThat(file.unheeded()).isEmpty();
    }

    @Test
    void what_the_default_mapping_says_is_done_in_all_the_ways_to_write_it() throws IOException {
        assertThat(unheeded("""
                mappings:
                  - match: "ratelimit.service.rate_limit.*.*.over_limit"
                    name: "ratelimit_service_rate_limit_over_limit"
                    timer_type: "histogram"
                    labels: {domain: "$1", key1: "$2"}
                  - match: 'ratelimit\\.service\\.rate_limit\\.([^\\.]*)\\.([^\\.]*)\\.([^\\.]*)(\\..*)?\\.over_limit'
                    match_type: regex
                    name: "ratelimit_service_rate_limit_over_limit"
                    labels: {domain: "$1", key1: "$2", key2: "${3}"}
                  - match: "ratelimit.service.rate_limit.*.*.*.*.over_limit"
                    name: "ratelimit_service_rate_limit_over_limit"
                    labels: {domain: "$1", key1: "$2", key2: "$3"}
                  - match: "ratelimit.service.rate_limit.edge.*.over_limit"
                    name: "ratelimit_service_rate_limit_over_limit"
                    labels: {domain: "edge", key1: "$1"}
                  - match: "ratelimit_server.*.response_time"
                    name: "ratelimit_service_response_time_seconds"
                    timer_type: histogram
                    labels: {grpc_method: "$1"}
                  - match: "ratelimit_server.*.total_requests"
                    name: "ratelimit_service_total_requests"
                    labels: {grpc_method: "$1"}
                  - match: "ratelimit.service.call.should_rate_limit.*"
                    name: "ratelimit_service_should_rate_limit_error"
                    labels: {err_type: "$1"}
                """)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "ratelimit.service.rate_limit.*.*.over_limit | over_limit | labels: {domain: web, key1: $2}",
                "ratelimit.service.rate_limit.*.*.over_limit | over_limit | labels: {domain: $2, key1: $1}",
                "ratelimit.service.rate_limit.*.*.over_limit | over_limit | labels: {domain: $1}",
                "ratelimit.service.rate_limit.*.*.over_limit | near_limit | labels: {domain: $1, key1: $2}",
                "ratelimit.service.*.*.*.over_limit | over_limit | labels: {domain: $2, key1: $3}",
                "ratelimit.service.rate_limit.*.*.over_limit | over_limit | labels: {domain: $1, key1: $2}, buckets: [1]",
                "ratelimit.service.rate_limit.*.*.over_limit | over_limit | labels: {domain: $1, key1: $2}, timer_type: summary",
                "(shop)[.](.*)[.]over_limit | over_limit | labels: {domain: $1, key1: $2}, match_type: regex",
                "no[.]such[.]name | over_limit | match_type: regex",
                "( | over_limit | match_type: regex"
            })
    void what_it_says_otherwise_under_these_names_is_told(String match, String stat, String rest) throws IOException {
        assertThat(unheeded("""
                mappings:
                  - {match: '%s', name: ratelimit_service_rate_limit_%s, %s}
                """.formatted(match, stat, rest))).containsExactly("the mapping of " + match);
    }

    @Test
    void what_holds_for_all_mappings_is_told() throws IOException {
        assertThat(unheeded("defaults: {timer_type: histogram, buckets: [0.1, 1]}\nmappings: []\n"))
                .containsExactly("defaults");
    }

    private List<String> foreignNames(String text) throws IOException {
        return file(text).foreignNames();
    }

    private List<String> unheeded(String text) throws IOException {
        return file(text).unheeded();
    }

    private MapperFile file(String text) throws IOException {
        return MapperFile.read(Files.writeString(folder.resolve("mapper.yaml"), text));
    }
}
