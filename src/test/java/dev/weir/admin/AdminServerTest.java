package dev.weir.admin;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.busiest.WatchedStore;
import dev.weir.decide.Counters;
import dev.weir.decide.DeafListener;
import dev.weir.http.Address;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.loop.EventLoops;
import dev.weir.rules.Domain;
import dev.weir.rules.RateLimit;
import dev.weir.rules.RuleNode;
import dev.weir.rules.RuleSet;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages over real HTTP, but {@code /json}. */
final class AdminServerTest {
    private static final Address ANY_PORT = new Address("127.0.0.1", 0);

    private final HttpClient client = HttpClient.newHttpClient();
    private final WatchedStore store =
            new WatchedStore(new MemoryStore(new ManualTicker(), 10, Long.MAX_VALUE), 1, () -> 0);
    private final Inside inside = new Inside(
            JsonPageTest::read,
            JsonPageTest::written,
            JsonPageTest::decide,
            Duration.ZERO,
            new DeafListener(),
            20,
            new KnownProbes(),
            store,
            _ -> new Counters<>(List.of(), List.of()),
            _ -> new Counters<>(List.of(), List.of()),
            new AdminToken(""),
            null,
            AdminServerTest::rules,
            Charge.ALWAYS,
            () -> this.lines,
            UnseenView.view());
    private volatile List<String> lines = List.of("a: 1", "b: 2");
    private volatile List<String> obstacles = List.of();
    private volatile List<String> stuck = List.of();
    private final EventLoops thread = EventLoops.single("http");
    private AdminServer server;

    @BeforeEach
    void start() throws IOException {
        server = AdminServer.start(ANY_PORT, ANY_PORT, inside, thread);
    }

    @AfterEach
    void stop() {
        server.close();
        store.close();
        thread.close();
        client.close();
    }

    @Test
    void health_is_ok_or_nothing_at_all() throws Exception {
        assertThat(get(server.port(), "/healthcheck"))
                .satisfies(response -> assertThat(response.statusCode()).isEqualTo(200))
                .satisfies(response -> assertThat(response.body()).isEqualTo("OK"));
        obstacles = List.of("the service ends");
        assertThat(get(server.port(), "/healthcheck"))
                .satisfies(response -> assertThat(response.statusCode()).isEqualTo(500))
                .satisfies(response -> assertThat(response.body()).isEmpty());
    }

    /** By hand: clients do not show what they read past. */
    @ParameterizedTest
    @CsvSource({"/healthcheck, 200", "/livez, 200", "/readyz, 200", "/nothing, 404"})
    void after_head_only_the_length_of_the_answer_comes(String path, int status) throws Exception {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(30_000);
            var heads = new Scanner(socket.getInputStream(), US_ASCII).useDelimiter("\r\n\r\n");
            for (String method : List.of("HEAD ", "GET ")) {
                socket.getOutputStream().write((method + path + " HTTP/1.1\r\nHost: h\r\n\r\n").getBytes(US_ASCII));
                assertThat(heads.next()).startsWith("HTTP/1.1 " + status).containsPattern("Content-Length: [1-9]");
            }
        }
    }

    @Test
    void readiness_says_why_not_one_reason_a_line() throws Exception {
        assertAnswer("/readyz", 200, "ready\n");
        obstacles = List.of("the service ends", "the store was not reached yet");
        assertAnswer("/readyz", 503, "not ready: the service ends\nnot ready: the store was not reached yet\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/readyz?store", "/readyz?store="})
    void readiness_asks_for_the_store_too_where_that_is_wished(String path) throws Exception {
        assertAnswer(path, 503, "not ready: " + KnownProbes.STORELESS + "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/readyz?stor", "/readyz?store&store", "/readyz?verbose&store"})
    void readiness_answers_no_other_question_than_it_was_asked(String path) throws Exception {
        assertAnswer(path, 400, "in the query stands ?store once, or nothing\n");
    }

    @Test
    void a_new_start_is_asked_for_only_if_it_helps() throws Exception {
        obstacles = List.of("the store was not reached yet");
        assertAnswer("/livez", 200, "alive\n");
        stuck = List.of("2 of 2 threads stand still");
        assertAnswer("/livez", 503, "not alive: 2 of 2 threads stand still\n");
    }

    @Test
    void the_rules_in_force_are_listed_as_the_go_service_does() throws Exception {
        assertThat(get(server.debugPort(), "/rlconfig").body()).isEqualTo("""
                        shop.path_/api: unit=MINUTE requests_per_unit=5, shadow_mode: true, quota_mode: false
                        shop.path_/api.user: unit=UNKNOWN requests_per_unit=0, shadow_mode: false, quota_mode: false
                        """);
    }

    @Test
    void operators_see_what_there_is_and_the_statistics() throws Exception {
        assertThat(get(server.debugPort(), "/").body()).contains("/rlconfig", "/stats");
        assertThat(get(server.debugPort(), "/stats").body()).isEqualTo("a: 1\nb: 2\n");
    }

    @ParameterizedTest
    @CsvSource({
        "/live, text/html, <title>Weir</title>",
        "/live/icon.svg, image/svg+xml, <svg",
        "/live/style.css, text/css, body {",
        "/live/chart.js, text/javascript, class Chart",
        "/live/script.js, text/javascript, fetch(",
        "/live/uplot.css, text/css, .uplot",
        "/live/uplot.js, text/javascript, uPlot=",
        "/live/now, application/json, '\"version\":\"1.2.3\"'"
    })
    void a_browser_finds_here_all_that_the_live_page_needs(String path, String type, String part) throws Exception {
        var response = get(server.debugPort(), path);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValueSatisfying(of -> assertThat(of).startsWith(type));
        assertThat(response.body()).contains(part);
    }

    @Test
    void the_live_page_runs_what_comes_from_here_and_nothing_else() throws Exception {
        assertThat(get(server.debugPort(), "/live").headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy)
                        .startsWith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';")
                        .doesNotContain("unsafe"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/live", "/live/now", "/rlconfig", "/stats", "/rules", "/reset", "/nothing"})
    void what_operators_see_no_browser_keeps_or_takes_for_anything_else(String path) throws Exception {
        var headers = get(server.debugPort(), path).headers();
        assertThat(headers.firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(headers.firstValue("Cache-Control")).hasValue("no-store");
    }

    @Test
    void statistics_show_what_nobody_would_see() throws Exception {
        lines = List.of("a\u202eb\u2028c: 1", "d\u00fc: 2");
        assertThat(get(server.debugPort(), "/stats").body()).isEqualTo("a\\u{202e}b\\u{2028}c: 1\nd\u00fc: 2\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEAD", "POST", "PUT"})
    void pages_for_operators_are_there_whatever_the_method(String method) throws Exception {
        for (String path : List.of("/", "/rlconfig", "/stats")) {
            var question = HttpRequest.newBuilder(at(server.debugPort(), path)).method(method, BodyPublishers.noBody());
            assertThat(send(question).statusCode()).as(path).isEqualTo(200);
        }
    }

    @Test
    void who_asks_operators_for_a_page_that_is_none_is_told_which_there_are() throws Exception {
        var response = get(server.debugPort(), "/debug/pprof/");
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.body()).contains("/rlconfig", "/stats");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "POST"})
    void metrics_are_there_whatever_the_method(String method) throws Exception {
        try (var metrics = MetricsServer.start(ANY_PORT, "/metrics", to -> to.write("a 1\n"), thread)) {
            var response = send(
                    HttpRequest.newBuilder(at(metrics.port(), "/metrics")).method(method, BodyPublishers.noBody()));
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo(method.equals("HEAD") ? "" : "a 1\n");
        }
    }

    @Test
    void what_is_for_operators_is_not_on_the_open_port() throws Exception {
        assertThat(get(server.port(), "/rlconfig").statusCode()).isEqualTo(404);
        assertThat(get(server.port(), "/stats").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"::", "0.0.0.0"})
    void every_address_is_one_of_ipv4_and_one_of_ipv6(String every) throws Exception {
        try (var everywhere = AdminServer.start(new Address(every, 0), ANY_PORT, inside, thread)) {
            assertThat(get(everywhere.port(), "/healthcheck").statusCode()).isEqualTo(200);
            var local = URI.create("http://[::1]:" + everywhere.port() + "/healthcheck");
            assertThat(send(HttpRequest.newBuilder(local)).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void a_port_that_is_taken_is_named_and_the_other_one_given_back() throws Exception {
        var taken = new Address("127.0.0.1", server.port());
        var free = new Address("127.0.0.1", freePort());
        assertThatThrownBy(() -> AdminServer.start(free, taken, inside, thread))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(
                        "The debug port (DEBUG_HOST, DEBUG_PORT) cannot be opened on 127.0.0.1:" + server.port() + ": ")
                .hasMessageContaining("in use");
        try (var again = AdminServer.start(free, ANY_PORT, inside, thread)) {
            assertThat(again.port()).isEqualTo(free.port());
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void a_host_that_is_none_is_named() {
        assertThatThrownBy(() -> AdminServer.start(new Address("no.such.invalid", 0), ANY_PORT, inside, thread))
                .hasMessage("The HTTP port (HOST, PORT) cannot be opened on no.such.invalid:0: there is no such host");
    }

    @Test
    void after_the_end_nobody_answers() throws IOException {
        server.close();
        assertThatThrownBy(() -> get(server.port(), "/healthcheck")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> get(server.debugPort(), "/stats")).isInstanceOf(IOException.class);
        var metrics = MetricsServer.start(ANY_PORT, "/metrics", to -> to.write("a 1\n"), thread);
        metrics.close();
        assertThatThrownBy(() -> get(metrics.port(), "/metrics")).isInstanceOf(IOException.class);
    }

    private void assertAnswer(String path, int status, String body) throws Exception {
        var response = get(server.port(), path);
        assertThat(response.body()).isEqualTo(body);
        assertThat(response.statusCode()).isEqualTo(status);
    }

    private HttpResponse<String> get(int port, String path) throws Exception {
        return send(HttpRequest.newBuilder(at(port, path)));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static URI at(int port, String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    static RuleSet rules() {
        var unlimited = RateLimit.unlimited(List.of());
        var fiveAMinute = RateLimit.of(Limit.fixedWindow(Quota.per(Unit.MINUTE, 5)));
        var user = new RuleNode("user", "", unlimited, RuleNode.Flags.NONE, Map.of(), List.of());
        var shadow = new RuleNode.Flags(true, false, false, false, false, null);
        var api = new RuleNode("path", "/api", fiveAMinute, shadow, Map.of(), List.of(user));
        return RuleSet.of(List.of(Domain.of("shop", List.of(api))));
    }

    /** What this test says; the store never answers. */
    private final class KnownProbes implements Probes {
        static final String STORELESS = "the store does not answer";

        @Override
        public List<String> obstacles(boolean needsStore) {
            return needsStore ? List.of(STORELESS) : obstacles;
        }

        @Override
        public List<String> stuck() {
            return stuck;
        }
    }
}
