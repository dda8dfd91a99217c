package dev.weir.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.busiest.WatchedStore;
import dev.weir.decide.Answering;
import dev.weir.decide.Bounds;
import dev.weir.decide.Counters;
import dev.weir.decide.DeafListener;
import dev.weir.decide.Decider;
import dev.weir.decide.Decision;
import dev.weir.decide.Decisions;
import dev.weir.grpc.NotedRequests;
import dev.weir.http.Address;
import dev.weir.limit.Charge;
import dev.weir.loop.EventLoops;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Status;
import dev.weir.request.Verdict;
import dev.weir.rules.RuleSet;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import dev.weir.testing.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /json} over real HTTP. The body of a question is the name of the domain, which decides what happens. */
final class JsonPageTest {
    private static final Address ANY_PORT = new Address("127.0.0.1", 0);
    private static final Duration LONG = Duration.ofSeconds(20);

    private final HttpClient client = HttpClient.newHttpClient();
    private final NotedRequests noted = new NotedRequests();
    private final WatchedStore store =
            new WatchedStore(new MemoryStore(new ManualTicker(), 10, Long.MAX_VALUE), 1, () -> 0);
    private final EventLoops thread = EventLoops.single("http");
    private AdminServer server;

    @BeforeEach
    void start() throws IOException {
        server = AdminServer.start(ANY_PORT, ANY_PORT, inside(JsonPageTest::decide, LONG), thread);
    }

    @AfterEach
    void stop() {
        server.close();
        store.close();
        thread.close();
        client.close();
    }

    private Inside inside(Function<Request, Decision> decider, Duration patience) {
        return new Inside(
                JsonPageTest::read,
                JsonPageTest::written,
                decider,
                patience,
                noted,
                20,
                new WellProbes(),
                store,
                _ -> new Counters<>(List.of(), List.of()),
                _ -> new Counters<>(List.of(), List.of()),
                new AdminToken(""),
                null,
                () -> null,
                Charge.ALWAYS,
                List::of,
                UnseenView.view());
    }

    @ParameterizedTest
    @CsvSource({
        "pass, 200, over=false",
        "over, 429, over=true",
        "garbage, 400, not JSON",
        "invalid, 400, a request needs a domain",
        "storeless, 503, the store did not answer",
        "ruleless, 503, 'no rate limit configuration loaded: the rules could not be read yet, see the log of Weir'",
        "defect, 500, the service made a mistake; its log says more",
        "unreadable, 500, the service made a mistake; its log says more",
        "unwritable, 500, the service made a mistake; its log says more",
        "20 bytes are no more, 200, over=false",
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
        assertThat(String.join(", ", noted.heard)).isEqualTo(end);
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
    void a_question_is_answered_whatever_the_method(String method) throws Exception {
        var question = HttpRequest.newBuilder(page()).method(method, BodyPublishers.ofString("over"));
        assertThat(send(question).statusCode()).isEqualTo(429);
    }

    /** The decider tells of it. */
    @Test
    void an_answer_that_does_not_come_within_the_patience_is_a_defect_and_the_request_is_abandoned() throws Exception {
        var silence = new CompletableFuture<Verdict>();
        server.close();
        server =
                AdminServer.start(ANY_PORT, ANY_PORT, inside(_ -> Decisions.of(silence), Duration.ofMillis(1)), thread);
        assertThat(post("anything").statusCode()).isEqualTo(500);
        assertThat(silence).isCancelled();
        assertThat(noted.heard).isEmpty();
    }

    /** Who only says that it has said all may still read, and its request is not. */
    @Test
    void the_request_of_a_caller_whose_connection_breaks_is_abandoned() throws Exception {
        var silence = new CompletableFuture<Verdict>();
        var asked = new CompletableFuture<Request>();
        Function<Request, Decision> decider = request -> {
            asked.complete(request);
            return Decisions.of(silence);
        };
        server.close();
        server = AdminServer.start(ANY_PORT, ANY_PORT, inside(decider, Duration.ofHours(1)), thread);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoLinger(true, 0); // its end is a reset
            String question = "POST /json HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nshop";
            socket.getOutputStream().write(question.getBytes(UTF_8));
            assertThat(asked.get(20, TimeUnit.SECONDS).domain()).isEqualTo("shop");
        }
        Eventually.await("it is abandoned", silence::isCancelled);
    }

    /** Of twenty bytes two bodies of seven are in hand, and a hundred wait. */
    @Test
    void so_many_may_wait_and_one_more_is_turned_away() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
        for (int i = 0; i < 103; i++) {
            var silence = HttpRequest.newBuilder(page()).POST(BodyPublishers.ofString("silence"));
            asked.add(client.sendAsync(silence.build(), BodyHandlers.ofString()));
        }
        CompletableFuture.anyOf(asked.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
        assertThat(asked.stream()
                        .filter(CompletableFuture::isDone)
                        .map(done -> done.join().statusCode()))
                .containsExactly(503);
        assertThat(noted.heard).containsExactly("turned away");
    }

    @Test
    void what_is_answered_is_in_hand_no_more() throws Exception {
        for (int i = 0; i < 10; i++) { // twice what may be in hand
            assertThat(post("over").statusCode()).isEqualTo(429);
        }
    }

    private HttpResponse<String> post(String body) throws Exception {
        return send(HttpRequest.newBuilder(page()).POST(BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private URI page() {
        return URI.create("http://127.0.0.1:" + server.port() + "/json");
    }

    static Request read(byte[] body) {
        String text = new String(body, UTF_8);
        if (text.equals("garbage")) {
            throw new InvalidRequestException("not JSON");
        }
        if (text.equals("unreadable")) {
            throw new IllegalStateException("made for this test");
        }
        return new Request(text, List.of(Descriptor.of()), 0);
    }

    static String written(Verdict verdict) {
        if (!verdict.metadata().isEmpty()) {
            throw new IllegalStateException("made for this test");
        }
        return "over=" + verdict.isOver();
    }

    static Decision decide(Request request) {
        return switch (request.domain()) {
            case "storeless" -> storeless(AdminServerTest::rules);
            case "ruleless" -> storeless(() -> null);
            case "invalid" -> throw new InvalidRequestException("a request needs a domain");
            case "defect" ->
                Decisions.of(CompletableFuture.failedFuture(new IllegalStateException("made for this test")));
            case "silence" -> Decisions.of(new CompletableFuture<>());
            case "unwritable" -> decided(new Verdict(false, List.of(), 0, List.of(), Map.of("a", List.class)));
            default ->
                decided(new Verdict(request.domain().equals("over"), List.of(Status.NO_RULE), 0, List.of(), Map.of()));
        };
    }

    private static Decision decided(Verdict verdict) {
        return Decisions.of(CompletableFuture.completedFuture(verdict));
    }

    private static Decision storeless(Supplier<@Nullable RuleSet> inForce) {
        var request = new Request("shop", List.of(Descriptor.of(new Entry("path", "/api"))), 0);
        return new Decider(inForce, new GoneStore(), null, new Bounds(1, 1, 1), Answering.PLAIN, new DeafListener())
                .decide(request);
    }

    /** Fails at once. */
    static final class GoneStore implements Store {
        @Override
        public CompletionStage<List<Reading>> decide(Plan plan) {
            return CompletableFuture.failedStage(new StoreException("the store did not answer"));
        }

        @Override
        public CompletionStage<Boolean> forget(Check check) {
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

    /** Says that all is well. */
    static final class WellProbes implements Probes {
        @Override
        public List<String> obstacles(boolean needsStore) {
            return List.of();
        }

        @Override
        public List<String> stuck() {
            return List.of();
        }
    }
}
