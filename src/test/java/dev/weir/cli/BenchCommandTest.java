package dev.weir.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.decide.Answering;
import dev.weir.decide.Bounds;
import dev.weir.decide.DeafListener;
import dev.weir.decide.Decider;
import dev.weir.grpc.DeafCalls;
import dev.weir.grpc.GrpcServer;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.logging.Logs;
import dev.weir.loop.EventLoops;
import dev.weir.rules.Domain;
import dev.weir.rules.RateLimit;
import dev.weir.rules.RuleNode;
import dev.weir.rules.RuleSet;
import dev.weir.settings.Logging;
import dev.weir.store.memory.MemoryStore;
import dev.weir.testing.DeafPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code weir bench} against a service in this process: four hits a minute for each user. */
final class BenchCommandTest {
    private final Terminal terminal = new Terminal();
    private final EventLoops loops = new EventLoops();
    private final GrpcServer server = new GrpcServer(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new Decider(
                    BenchCommandTest::rules,
                    new MemoryStore(() -> 30_000_000, 1_000, Long.MAX_VALUE),
                    null,
                    new Bounds(10, 10, 10),
                    Answering.PLAIN,
                    new DeafListener()),
            1 << 20,
            Duration.ofSeconds(1),
            loops,
            new DeafCalls());
    private String address = "";

    @BeforeEach
    void start() throws IOException {
        address = "127.0.0.1:" + server.start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        server.stop(Duration.ofSeconds(1));
        loops.close();
        Logs.start(new Logging(Logging.Level.INFO, Logging.Format.TEXT));
    }

    @Test
    void progress_goes_to_errors_and_the_table_to_output() {
        assertThat(bench("--connections", "2", "--warmup", "10ms", "user=u%d"))
                .as(terminal.err())
                .isZero();
        assertThat(terminal.err().lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("warm-up, second 1: "),
                        line -> assertThat(line).startsWith("measured, second 1: "));
        assertThat(terminal.out())
                .startsWith("asked       " + address + ", domain shop: user=u%d\n")
                .contains("keys        50 (uniform), seed 1\n", "load        closed loop, 2 connections x 2 streams\n")
                .contains(
                        "after 0.0 s of warm-up\n",
                        "verdicts/s",
                        "over limit",
                        "p99.99",
                        "of processor time a request");
    }

    @Test
    void a_request_that_the_service_refuses_to_read_is_an_error_by_its_status() {
        assertThat(bench("--hits", "11", "--warmup", "0", "user=u%d")).isEqualTo(1);
        assertThat(terminal.out()).contains("INVALID_ARGUMENT");
        assertThat(terminal.err()).contains("no request got a verdict: INVALID_ARGUMENT: ");
    }

    @Test
    void a_question_without_a_limit_is_told_before_it_is_measured() {
        String told = "the service has no limit on this: requests pass uncounted";
        assertThat(bench("--json", "--warmup", "0", "users=u%d")).isZero();
        assertThat(terminal.err()).startsWith(told);
        assertThat(terminal.out()).contains("\"no_limit\" : true");

        var limited = new Terminal();
        String[] args = {"--json", "--warmup", "0", "users=u%d", "user=u%02d"};
        assertThat(bench(limited, args)).isZero();
        assertThat(limited.err()).doesNotContain(told);
        assertThat(limited.out()).contains("\"no_limit\" : false");
    }

    @Test
    void nobody_listening_is_told_in_one_sentence() {
        try (var nobody = DeafPort.hold()) {
            address = "127.0.0.1:" + nobody.number();
            assertThat(bench("user=u%d")).isEqualTo(1);
        }
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err()).isEqualTo("nobody listens at " + address + ", or nobody lets us in\n");
    }

    @Test
    void somebody_who_speaks_something_else_is_told_in_one_sentence() throws Exception {
        try (var socket = new ServerSocket(0)) {
            address = "127.0.0.1:" + socket.getLocalPort();
            var other = Thread.ofVirtual().start(() -> {
                try (var accepted = socket.accept()) {
                    accepted.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertThat(bench("--connections", "1", "user=u%d")).isEqualTo(1);
            other.join();
        }
        assertThat(terminal.err())
                .startsWith(address + " does not speak HTTP/2 without TLS: ")
                .hasLineCount(1);
    }

    @Test
    void tls_with_who_does_not_speak_it_is_told_in_one_sentence() {
        assertThat(bench("--tls", "user=u%d")).isEqualTo(1);
        assertThat(terminal.err())
                .isEqualTo(address
                        + " does not speak HTTP/2 with us over TLS: the connection broke: it does not speak TLS\n");
    }

    @ParameterizedTest
    @CsvSource({
        "--hits, 0, hits are 1 to",
        "--keys, some, 'give uniform, one, or zipf'",
        "--keys, zipf:x, 'give uniform, one, or zipf'",
        "--keys, zipf:0, the exponent of Zipf's law above 0",
        "--key-count, 0, '--key-count must be at least 1, not 0'",
        "--rate, 0, a rate must be at least 1",
        "--streams, 0, streams must be at least 1",
        "--connections, 0, 'connections must be 1 to 65535, not 0'",
        "--connections, 65536, 'connections must be 1 to 65535, not 65536'",
        "--deadline, soon, give a duration",
        "--deadline, 100s, up to 99 seconds",
        "--duration, 0s, give a duration",
        "--warmup, -1s, give a duration",
        "--cert, tls.crt, --cert and --key go together",
        "--ca, /nowhere/ca.crt, /nowhere/ca.crt: there is no such file",
        "--address, 8081, give host:port",
        "--address, here:65536, give host:port"
    })
    void a_wrong_option_is_told_with_what_is_allowed(String option, String value, String answer) {
        assertThat(terminal.run("bench", "--domain", "shop", option, value, "user=u%d"))
                .isEqualTo(2);
        assertThat(terminal.err()).contains(answer).doesNotContain("\tat ");
    }

    @ParameterizedTest
    @CsvSource({"user=%s, a percent sign that means nothing", "user, is no entry", "user=root, only one key to ask for"
    })
    void a_wrong_descriptor_is_told_with_what_is_allowed(String descriptor, String answer) {
        assertThat(terminal.run("bench", "--domain", "shop", "--keys", "uniform", descriptor))
                .isEqualTo(2);
        assertThat(terminal.err()).contains(answer).doesNotContain("\tat ");
    }

    @ParameterizedTest
    @CsvSource({
        "--rate 5 --streams 2 user=u%d, --streams is of a closed loop",
        "--key-count 5 user=root, --key-count needs a %d in a value",
        "--key-count 5 --keys one user=u%d, '--keys is ''one'': give one of them'",
        "--key-count 1000 user=u%02d, the digits in values tell only 100 keys apart not 1000",
        "--streams 300000 user=u%d, connections x streams are at most 262144 not 4 x 300000",
        "--streams 2147483647 --connections 65535 user=u%d, connections x streams are at most 262144"
    })
    void options_that_do_not_go_together_are_told_as_such(String options, String answer) {
        var args = new ArrayList<>(List.of("bench", "--domain", "shop", "--address", address));
        args.addAll(List.of(options.split(" ")));
        assertThat(terminal.run(args.toArray(String[]::new))).isEqualTo(2);
        assertThat(terminal.err().replace(",", "")).contains(answer).doesNotContain("\tat ");
    }

    private int bench(String... more) {
        return bench(terminal, more);
    }

    private int bench(Terminal typed, String... more) {
        var args = new ArrayList<>(List.of("bench", "--domain", "shop", "--address", address));
        args.addAll(List.of("--streams", "2", "--duration", "50ms"));
        args.addAll(List.of("--key-count", "50"));
        args.addAll(List.of(more));
        return typed.run(args.toArray(String[]::new));
    }

    private static RuleSet rules() {
        var four = RateLimit.of(Limit.fixedWindow(Quota.per(Unit.MINUTE, 4)));
        var user = new RuleNode("user", "", four, RuleNode.Flags.NONE, Map.of(), List.of());
        return RuleSet.of(List.of(Domain.of("shop", List.of(user))));
    }
}
