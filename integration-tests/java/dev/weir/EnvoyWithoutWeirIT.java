package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Edge;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client sees when Weir is gone: the operator's choice, written into the filter as failure_mode_deny. */
final class EnvoyWithoutWeirIT {
    private static final String RULES = """
            domain: edge
            descriptors:
              - { key: path, value: /login, rate_limit: { unit: year, requests_per_unit: 1000 } }
            """;

    @ParameterizedTest
    @CsvSource({"true, 500, 0", "false, 200, 1"})
    void a_weir_that_stopped_is_answered_for_by_the_failure_mode(boolean denies, int status, int allowed) {
        try (var edge = Edge.start(RULES, Map.of(), denies)) {
            assertThat(edge.get("/login").statusCode()).isEqualTo(200);
            assertThat(edge.stat("error")).isZero();

            edge.weir().stop();

            assertThat(edge.get("/login").statusCode()).isEqualTo(status);
            assertThat(edge.stat("error")).isEqualTo(1);
            assertThat(edge.stat("failure_mode_allowed")).isEqualTo(allowed);
            assertThat(edge.stat("over_limit")).isZero();
        }
    }
}
