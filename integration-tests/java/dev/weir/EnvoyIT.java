package dev.weir;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Edge;
import dev.weir.testing.Eventually;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a client sees whose Envoy asks Weir, end to end. The limits are per year, so that no window ends during a test; each
 * test has paths or users of its own, because they all share one Envoy, one Weir and its counters.
 */
@ParameterizedClass
@EnumSource(EnvoyIT.Backend.class)
final class EnvoyIT {
    private static final long YEAR = 31_536_000;
    private static final String RETRY_AFTER = "LIMIT_RETRY_AFTER_HEADER";
    private static final int PLENTY = 1_000_000;

    private static final Map<Backend, Edge> EDGES = new EnumMap<>(Backend.class);
    private static final Deque<AutoCloseable> OPENED = new ArrayDeque<>();

    private final Edge edge;

    /** Where the counters are. */
    enum Backend {
        MEMORY,
        REDIS
    }

    EnvoyIT(Backend backend) {
        edge = EDGES.computeIfAbsent(backend, EnvoyIT::open);
    }

    @AfterAll
    static void end() throws Exception {
        EDGES.clear();
        while (!OPENED.isEmpty()) {
            OPENED.pop().close();
        }
    }

    @Test
    void lets_pass_what_is_within_the_limit_and_answers_429_to_the_rest() {
        long before = edge.upstream().requests();
        for (int left = 2; left >= 0; left--) {
            var response = edge.get("/login");
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("x-envoy-ratelimited")).isEmpty();
            assertThat(header(response, "x-ratelimit-remaining")).isEqualTo(Integer.toString(left));
        }
        var refused = edge.get("/login");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(header(refused, "x-envoy-ratelimited")).isEqualTo("true");
        assertThat(header(refused, "x-ratelimit-remaining")).isEqualTo("0");
        assertThat(edge.upstream().requests())
                .as("the refused one never came through")
                .isEqualTo(before + 3);
    }

    @Test
    void tells_the_client_every_limit_and_when_the_tightest_starts_anew() {
        long longest = YEAR - Math.floorMod(Instant.now().getEpochSecond(), YEAR);
        var response = edge.get("/told");
        long shortest = YEAR - Math.floorMod(Instant.now().getEpochSecond(), YEAR);
        assertThat(header(response, "x-ratelimit-limit"))
                .isEqualTo("7, 7;w=31536000;name=\"told\", 1000000;w=31536000");
        assertThat(header(response, "x-ratelimit-remaining")).isEqualTo("6");
        assertThat(Long.parseLong(header(response, "x-ratelimit-reset"))).isBetween(shortest, longest);
    }

    @Test
    void tells_a_client_that_is_refused_once_when_to_come_back() {
        assertThat(edge.get("/once").headers().allValues("retry-after")).isEmpty();
        long longest = YEAR - Math.floorMod(Instant.now().getEpochSecond(), YEAR);
        var refused = edge.get("/once");
        long shortest = YEAR - Math.floorMod(Instant.now().getEpochSecond(), YEAR);
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().allValues("retry-after"))
                .singleElement()
                .satisfies(seconds -> assertThat(Long.parseLong(seconds)).isBetween(shortest, longest));
    }

    @Test
    void a_query_is_no_way_around_the_limit_of_a_path() {
        assertThat(edge.get("/query?page=1").statusCode()).isEqualTo(200);
        assertThat(edge.get("/query?page=2").statusCode()).isEqualTo(429);
    }

    /** Written as it is: a client would clean some of it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/./spelt",
                "//spelt",
                "/x/../spelt",
                "/%73pelt",
                "/x/%2e%2e/spelt",
                "/x\\..\\spelt",
                "///./x/..//spelt",
                "http://edge//spelt"
            })
    void another_spelling_is_no_way_around_the_limit_of_a_path(String spelling) throws IOException {
        edge.get("/spelt"); // the only one that may pass, in whichever of these tests comes first
        assertThat(spoken(spelling)).startsWith("HTTP/1.1 429 ");
    }

    @Test
    void an_escaped_slash_is_sent_back_to_the_path_without_it() throws IOException {
        long before = edge.upstream().requests();
        assertThat(spoken("/x%2F..%2Fspelt")).startsWith("HTTP/1.1 307 ").contains("\r\nlocation: /spelt\r\n");
        assertThat(edge.upstream().requests()).isEqualTo(before);
    }

    @Test
    void a_nested_rule_gives_each_user_of_a_tier_a_limit_of_their_own() {
        assertThat(freeUser("ann").statusCode()).isEqualTo(200);
        assertThat(freeUser("ann").statusCode()).isEqualTo(200);
        assertThat(freeUser("ann").statusCode()).isEqualTo(429);
        assertThat(freeUser("bob").statusCode()).isEqualTo(200);
        assertThat(edge.get("/nested", "x-tier", "free").statusCode())
                .as("a tier without a user asks nothing of the nested rule")
                .isEqualTo(200);
    }

    @Test
    void of_two_limits_both_are_charged_and_the_tighter_refuses() {
        for (int i = 0; i < 4; i++) {
            assertThat(goldUser("/orders").statusCode()).isEqualTo(200);
        }
        var refused = goldUser("/orders");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(header(refused, "x-ratelimit-limit"))
                .isEqualTo("4, 10;w=31536000, 1000000;w=31536000, 4;w=31536000");
        // Five orders are on the account of the path, the refused one too; this is the sixth of ten.
        assertThat(header(edge.get("/orders"), "x-ratelimit-remaining")).isEqualTo("4");
        // And the user is refused elsewhere.
        assertThat(goldUser("/elsewhere").statusCode()).isEqualTo(429);
    }

    @Test
    void new_rules_take_hold_without_one_failed_request() throws Exception {
        Set<Integer> seen = ConcurrentHashMap.newKeySet();
        var isOver = new AtomicBoolean();
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var steady = clients.submit(() -> {
                while (!isOver.get()) {
                    seen.add(edge.get("/steady").statusCode());
                }
            });
            try {
                Eventually.await("requests pass", () -> seen.contains(200));
                edge.weir().write("edge.yaml", rules(0));
                Eventually.await("the new rules refuse", () -> seen.contains(429));
                edge.weir().write("edge.yaml", rules(PLENTY));
                Eventually.await(
                        "the old rules let pass again",
                        () -> edge.get("/steady").statusCode() == 200);
            } finally {
                isOver.set(true);
            }
            steady.get();
        }
        assertThat(seen).containsExactlyInAnyOrder(200, 429);
        assertThat(edge.stat("error")).isZero();
        assertThat(edge.stat("failure_mode_allowed")).isZero();
    }

    private static Edge open(Backend backend) {
        Map<String, String> environment = switch (backend) {
            case MEMORY -> Map.of(RETRY_AFTER, "Retry-After");
            case REDIS -> {
                var redis = RedisServer.start();
                OPENED.push(redis);
                var counting = new HashMap<>(WeirProcess.on(redis));
                counting.put(RETRY_AFTER, "Retry-After");
                yield counting;
            }
        };
        var edge = Edge.start(rules(PLENTY), environment, false);
        OPENED.push(edge);
        return edge;
    }

    /** Returns what comes back for this target of a request. */
    private String spoken(String target) throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), edge.envoy().port("edge"))) {
            socket.getOutputStream()
                    .write("GET %s HTTP/1.1\r\nHost: edge\r\nConnection: close\r\n\r\n"
                            .formatted(target)
                            .getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        }
    }

    private HttpResponse<String> freeUser(String user) {
        return edge.get("/nested", "x-tier", "free", "x-user", user);
    }

    private HttpResponse<String> goldUser(String path) {
        return edge.get(path, "x-tier", "gold", "x-user", "midas");
    }

    private static String header(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name).orElse("(none)");
    }

    private static String rules(int steady) {
        return """
            domain: edge
            descriptors:
              - { key: path, value: /login, rate_limit: { unit: year, requests_per_unit: 3 } }
              - { key: path, value: /told, rate_limit: { name: told, unit: year, requests_per_unit: 7 } }
              - { key: path, value: /once, rate_limit: { unit: year, requests_per_unit: 1 } }
              - { key: path, value: /query, rate_limit: { unit: year, requests_per_unit: 1 } }
              - { key: path, value: /spelt, rate_limit: { unit: year, requests_per_unit: 1 } }
              - { key: path, value: /orders, rate_limit: { unit: year, requests_per_unit: 10 } }
              - { key: path, value: /steady, rate_limit: { unit: year, requests_per_unit: %d } }
              - { key: remote_address, rate_limit: { unit: year, requests_per_unit: 1000000 } }
              - key: tier
                value: free
                descriptors:
                  - { key: user, rate_limit: { unit: year, requests_per_unit: 2 } }
              - key: tier
                value: gold
                descriptors:
                  - { key: user, rate_limit: { unit: year, requests_per_unit: 4 } }
            """.formatted(steady);
    }
}
