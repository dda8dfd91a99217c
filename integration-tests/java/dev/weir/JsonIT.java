package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.testing.Http;
import dev.weir.testing.WeirProcess;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page {@code /json}, asked as curl would ask it. */
final class JsonIT {
    private static final String RULES = """
        domain: edge
        descriptors:
          - { key: path, rate_limit: { unit: year, requests_per_unit: 2, name: pages } }
        """;

    private static WeirProcess weir;

    @BeforeAll
    static void start() {
        weir = WeirProcess.start(Map.of("edge.yaml", RULES));
    }

    @AfterAll
    static void end() {
        weir.close();
    }

    @Test
    void answers_200_within_the_limit_and_429_beyond() throws Exception {
        for (int left = 1; left >= 0; left--) {
            var response = Http.post(weir.http("/json"), asking("/a", ""));
            assertThat(response.statusCode()).isEqualTo(200);
            var body = new ObjectMapper().readTree(response.body());
            assertThat(body.get("overallCode").asText()).isEqualTo("OK");
            var status = body.get("statuses").get(0);
            assertThat(status.at("/currentLimit/requestsPerUnit").asInt()).isEqualTo(2);
            assertThat(status.at("/currentLimit/unit").asText()).isEqualTo("YEAR");
            assertThat(status.at("/currentLimit/name").asText()).isEqualTo("pages");
            assertThat(status.path("limitRemaining").asInt(0)).isEqualTo(left);
            assertThat(status.get("durationUntilReset").asText()).matches("\\d+s");
        }
        var refused = Http.post(weir.http("/json"), asking("/a", ""));
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(new ObjectMapper()
                        .readTree(refused.body())
                        .get("overallCode")
                        .asText())
                .isEqualTo("OVER_LIMIT");
    }

    @Test
    void counts_the_hits_that_it_is_told() {
        assertThat(Http.post(weir.http("/json"), asking("/b", ", \"hitsAddend\": 2"))
                        .statusCode())
                .isEqualTo(200);
        assertThat(Http.post(weir.http("/json"), asking("/b", "")).statusCode()).isEqualTo(429);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "domain=edge",
                "[]",
                "{\"domain\": \"edge\"}",
                "{\"domain\": \"edge\", \"descriptors\": [{\"entries\": [{\"key\": 7}]}], \"nonsense\": 1}",
                "{\"descriptors\": [{\"entries\": [{\"key\": \"path\", \"value\": \"/\"}]}]}"
            })
    void answers_400_with_a_sentence_to_what_is_no_request(String body) {
        var response = Http.post(weir.http("/json"), body);
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).isNotBlank().doesNotContain("\tat ").doesNotContain("Exception");
    }

    @Test
    void answers_400_to_a_browser() {
        assertThat(Http.get(weir.http("/json")).statusCode()).isEqualTo(400);
    }

    private static String asking(String path, String more) {
        return """
            {"domain": "edge", "descriptors": [{"entries": [{"key": "path", "value": "%s"}]}]%s}
            """.formatted(path, more);
    }
}
