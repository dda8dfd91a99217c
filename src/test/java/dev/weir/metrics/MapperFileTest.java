package dev.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of mappings may stay if it gives the names that Weir gives anyway. */
final class MapperFileTest {
    @TempDir
    private Path folder;

    @Test
    void the_default_names_are_known() throws IOException {
        assertThat(MapperFile.foreignNames(file("""
                mappings:
                  - match: "ratelimit.service.rate_limit.*.*.near_limit"
                    name: "ratelimit_service_rate_limit_near_limit"
                    timer_type: "histogram"
                    labels:
                      domain: "$1"
                      key1: "$2"
                  - {match: "ratelimit_server.*.response_time", name: ratelimit_service_response_time_seconds}
                """))).isEmpty();
    }

    @Test
    void any_other_name_is_told() throws IOException {
        assertThat(MapperFile.foreignNames(file("""
                mappings:
                - name: limits_near   # ours
                  match: "ratelimit.service.rate_limit.*.*.near_limit"
                - {"match": "x.*", "name": "limits_x"}
                """))).containsExactly("limits_near", "limits_x");
    }

    @Test
    void what_is_dropped_and_what_is_a_comment_gives_no_name() throws IOException {
        assertThat(MapperFile.foreignNames(file("""
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
                """))).isEmpty();
    }

    @Test
    void a_label_that_is_not_given_is_told() throws IOException {
        assertThat(MapperFile.foreignNames(file("""
                mappings:
                  - match: "ratelimit.service.rate_limit.*.*.*.*.near_limit"
                    name: "ratelimit_service_rate_limit_near_limit"
                    labels: {domain: "$1", key1: "$2", key3: "$4"}
                """))).containsExactly("the label key3");
    }

    @Test
    void a_file_without_mappings_gives_none() throws IOException {
        assertThat(MapperFile.foreignNames(file(""))).isEmpty();
        assertThat(MapperFile.foreignNames(file("mappings:\n"))).isEmpty();
        assertThatThrownBy(() -> MapperFile.foreignNames(file("mappings: [")))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("is not valid YAML");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("mapper.yaml"), text);
    }
}
