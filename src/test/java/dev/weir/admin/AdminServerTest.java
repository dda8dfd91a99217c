package dev.weir.admin;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.decide.Answering;
import dev.weir.decide.Bounds;
import dev.weir.decide.DeafListener;
import dev.weir.decide.Decider;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Status;
import dev.weir.request.Verdict;
import dev.weir.rules.Domain;
import dev.weir.rules.RateLimit;
import dev.weir.rules.RuleNode;
import dev.weir.rules.RuleSet;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages over real HTTP. The body of a question is the name of the domain, which decides what happens. */
final class AdminServerTest {
    private static final Address ANY_PORT = new Address("127.0.0.1", 0);

    private final HttpClient client = HttpClient.newHttpClient();
    private final ToldEnds told = new ToldEnds();
    private final Inside inside = new Inside(
            AdminServerTest::read,
            AdminServerTest::written,
            AdminServerTest::decide,
            told,
            20,
            new KnownProbes(),
            () -> rules().rules(),
            Charge.ALWAYS,
            () -> List.of("a: 1", "b: 2"));
    private volatile List<String> obstacles = List.of();
    private volatile List<String> stuck = List.of();
    private AdminServer server;

    @BeforeEach
    void start() throws IOException {
        server = AdminServer.start(ANY_PORT, ANY_PORT, inside);
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    @ParameterizedTest
    @CsvSource({
        "pass, 200, over=false",
        "over, 429, over=true",
        "garbage, 400, not JSON",
        "invalid, 400, a request needs a domain",
        "storeless, 503, the store did not answer",
        "ruleless, 503, 'no rate limit configuration loaded: the rules could not be read yet, see the service''s log'",
        "defect, 500, the service made a mistake; its log says more",
        "unreadable, 500, the service made a mistake; its log says more",
        "unwritable, 500, the service made a mistake; its log says more",
        "21 bytes are too many, 413, a body may have 20 bytes"
    })
    void json_answers_with_the_status_of_the_verdict_or_of_the_failure(String body, int status, String answer)
            throws Exception {
        var response = post(body);
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.body().strip()).isEqualTo(answer);
    }

    @ParameterizedTest
    @CsvSource({
        "pass, ''",
        "over, ''",
        "garbage, refused: not JSON", // the others never were a request, or the decider tells of them
        "invalid, ''",
        "storeless, ''",
        "defect, ''",
        "unreadable, failed",
        "unwritable, failed",
        "21 bytes are too many, refused: a body may have 20 bytes"
    })
    void what_the_decider_does_not_see_is_told(String body, String end) throws Exception {
        var _ = post(body);
        assertThat(String.join(", ", told.ends)).isEqualTo(end);
    }

    @Test
    void json_is_sent_as_json() throws Exception {
        assertThat(post("pass").headers().firstValue("content-type")).contains("application/json");
    }

    @Test
    void a_body_far_beyond_the_bound_is_refused_too() throws Exception {
        assertThat(post("x".repeat(1 << 20)).statusCode()).isEqualTo(413);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "DELETE"})
    void json_is_posted(String method) throws Exception {
        var response = send(
                HttpRequest.newBuilder(at(server.port(), "/json")).method(method, BodyPublishers.ofString("pass")));
        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("allow")).contains("POST");
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
            socket.setSoTimeout(10_000);
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
    @ValueSource(strings = {"/readyz?store", "/readyz?store=", "/readyz?verbose&store"})
    void readiness_asks_for_the_store_too_where_that_is_wished(String path) throws Exception {
        assertAnswer(path, 503, "not ready: " + KnownProbes.STORELESS + "\n");
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
        try (var metrics = MetricsServer.start(ANY_PORT, "/metrics", () -> "a 1\n")) {
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
        try (var everywhere = AdminServer.start(new Address(every, 0), ANY_PORT, inside)) {
            assertThat(get(everywhere.port(), "/healthcheck").statusCode()).isEqualTo(200);
            var local = URI.create("http://[::1]:" + everywhere.port() + "/healthcheck");
            assertThat(send(HttpRequest.newBuilder(local)).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void a_port_that_is_taken_is_named_and_the_other_one_given_back() throws Exception {
        var taken = new Address("127.0.0.1", server.port());
        assertThatThrownBy(() -> AdminServer.start(ANY_PORT, taken, inside))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("The debug port cannot be opened on 127.0.0.1:" + server.port() + ": ")
                .hasMessageContaining("in use");
    }

    @Test
    void a_host_that_is_none_is_named() {
        assertThatThrownBy(() -> AdminServer.start(new Address("no.such.invalid", 0), ANY_PORT, inside))
                .hasMessage("The HTTP port cannot be opened on no.such.invalid:0: there is no such host");
    }

    @Test
    void after_the_end_nobody_answers() {
        server.close();
        assertThatThrownBy(() -> get(server.port(), "/healthcheck")).isInstanceOf(IOException.class);
    }

    private void assertAnswer(String path, int status, String body) throws Exception {
        var response = get(server.port(), path);
        assertThat(response.body()).isEqualTo(body);
        assertThat(response.statusCode()).isEqualTo(status);
    }

    private HttpResponse<String> post(String body) throws Exception {
        return send(HttpRequest.newBuilder(at(server.port(), "/json")).POST(BodyPublishers.ofString(body)));
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

    private static Request read(String text) {
        if (text.equals("garbage")) {
            throw new InvalidRequestException("not JSON");
        }
        if (text.equals("unreadable")) {
            throw new IllegalStateException("made for this test");
        }
        return new Request(text, List.of(Descriptor.of()), 0);
    }

    private static String written(Verdict verdict) {
        if (!verdict.metadata().isEmpty()) {
            throw new IllegalStateException("made for this test");
        }
        return "over=" + verdict.isOver();
    }

    private static CompletionStage<Verdict> decide(Request request) {
        return switch (request.domain()) {
            case "storeless" -> storeless(AdminServerTest::rules);
            case "ruleless" -> storeless(() -> null);
            case "invalid" -> throw new InvalidRequestException("a request needs a domain");
            case "defect" -> CompletableFuture.failedStage(new IllegalStateException("made for this test"));
            case "unwritable" ->
                CompletableFuture.completedStage(new Verdict(false, List.of(), List.of(), Map.of("a", List.class)));
            default ->
                CompletableFuture.completedStage(
                        new Verdict(request.domain().equals("over"), List.of(Status.NO_RULE), List.of(), Map.of()));
        };
    }

    private static CompletionStage<Verdict> storeless(Supplier<@Nullable RuleSet> inForce) {
        var request = new Request("shop", List.of(Descriptor.of(new Entry("path", "/api"))), 0);
        return new Decider(inForce, new GoneStore(), new Bounds(1, 1, 1), Answering.PLAIN, new DeafListener())
                .decide(request)
                .verdict();
    }

    private static RuleSet rules() {
        var unlimited = RateLimit.unlimited(List.of());
        var fiveAMinute = RateLimit.of(Limit.fixedWindow(Quota.per(Unit.MINUTE, 5)));
        var user = new RuleNode("user", "", unlimited, RuleNode.Flags.NONE, Map.of(), List.of());
        var shadow = new RuleNode.Flags(true, false, false, false, false);
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

    /** Notes what it is told. */
    private static final class ToldEnds implements JsonListener {
        final List<String> ends = new CopyOnWriteArrayList<>();

        @Override
        public void refused(InvalidRequestException mistake) {
            ends.add("refused: " + mistake.getMessage());
        }

        @Override
        public void failed() {
            ends.add("failed");
        }
    }

    /** Never answers. */
    private static final class GoneStore implements Store {
        @Override
        public CompletionStage<List<Reading>> decide(Plan plan) {
            return CompletableFuture.failedStage(new StoreException("the store did not answer"));
        }

        @Override
        public CompletionStage<Void> firstReached() {
            return new CompletableFuture<>();
        }

        @Override
        public boolean isReachable() {
            return false;
        }

        @Override
        public void close() {}
    }
}
