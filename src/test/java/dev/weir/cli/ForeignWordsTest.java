package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.logging.Logs;
import dev.weir.settings.Logging;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What services and files say reaches the terminal as text: it begins no line there, turns none around and gives no orders. */
final class ForeignWordsTest {
    private static final String RED = "\u001b[31m";
    private static final String WORDS = "bad€ " + RED + "\u202e\r\nOK";
    private static final String SHOWN = "bad€ \\u{1b}[31m\\u{202e}\\u{d}\\u{a}OK";

    private final Terminal terminal = new Terminal();

    @TempDir
    private Path directory;

    @AfterEach
    void logAsBefore() {
        Logs.start(new Logging(Logging.Level.INFO, Logging.Format.TEXT));
    }

    @Test
    void a_status_that_a_service_gives_is_one_line() throws Exception {
        var refusal = Status.INVALID_ARGUMENT.withDescription(WORDS).asRuntimeException();
        assertThat(asked(to -> to.onError(refusal), "hit")).isEqualTo(1);
        assertThat(terminal.err())
                .endsWith(" answered INVALID_ARGUMENT: " + SHOWN + "\n")
                .hasLineCount(1);
    }

    @Test
    void a_status_that_a_service_gives_to_a_load_is_one_line() throws Exception {
        var refusal = Status.INVALID_ARGUMENT.withDescription(WORDS).asRuntimeException();
        String[] bench = {"bench", "--connections", "1", "--warmup", "0", "--duration", "50ms"};
        assertThat(asked(to -> to.onError(refusal), bench)).isEqualTo(1);
        assertThat(terminal.out()).contains("\nthe first error: INVALID_ARGUMENT: " + SHOWN + "\n");
        assertThat(terminal.err()).endsWith("no request got a verdict: INVALID_ARGUMENT: " + SHOWN + "\n");
    }

    @Test
    void the_name_that_a_service_gives_a_limit_is_one_line() throws Exception {
        var limit = RateLimitResponse.RateLimit.newBuilder().setName(WORDS);
        var status = RateLimitResponse.DescriptorStatus.newBuilder()
                .setCode(Code.OVER_LIMIT)
                .setCurrentLimit(limit);
        var response = RateLimitResponse.newBuilder()
                .setOverallCode(Code.OVER_LIMIT)
                .addStatuses(status)
                .build();
        assertThat(asked(with(response), "hit")).isEqualTo(3);
        assertThat(terminal.out()).contains("(" + SHOWN + ")").hasLineCount(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 9})
    void an_answer_without_a_verdict_lets_nothing_pass(int code) throws Exception {
        var response = RateLimitResponse.newBuilder().setOverallCodeValue(code).build();
        assertThat(asked(with(response), "hit")).isEqualTo(1);
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err())
                .endsWith(" gave an answer without a verdict: its overall code is " + code + "\n")
                .hasLineCount(1);
    }

    @Test
    void keys_words_and_names_of_rule_files_are_told_in_one_line_each() throws Exception {
        var file = Files.writeString(directory.resolve("a" + RED + "\nb.yaml"), """
                domain: shop
                "un\\e[31m\\u202eit": day
                descriptors: [{key: "p\\r\\nq", rate_limit: {unit: day}}]
                """);
        assertThat(terminal.run("check", directory.toString())).isEqualTo(1);
        String shown = file.toString().replace(RED + "\n", "\\u{1b}[31m\\u{a}");
        assertThat(terminal.out().lines())
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(line -> assertThat(line).startsWith(shown + ":"));
        assertThat(terminal.out()).contains("un\\u{1b}[31m\\u{202e}it").doesNotContain("\u001b", "\u202e", "\r");

        assertThat(terminal.run("explain", "--rules", directory.toString(), "--domain", "shop", "p=1"))
                .isEqualTo(1);
        assertThat(terminal.err()).isEqualTo(terminal.out());
    }

    @Test
    void entries_that_are_explained_are_told_in_one_line_each() throws Exception {
        var file = Files.writeString(directory.resolve("shop.yaml"), """
                domain: shop
                descriptors: [{key: "p\\e[31m", rate_limit: {unit: day, requests_per_unit: 1}}]
                """);
        String rules = file.toString();
        assertThat(terminal.run("explain", "--rules", rules, "--domain", "shop", "p" + RED + "=" + WORDS))
                .isZero();
        assertThat(terminal.run("explain", "--rules", rules, "--domain", "shop", "p=1"))
                .isEqualTo(4);
        assertThat(terminal.run("explain", "--rules", rules, "--domain", WORDS, "p=1"))
                .isEqualTo(4);
        assertThat(terminal.out())
                .contains("p\\u{1b}[31m=" + SHOWN + "  ", "\nrule         p\\u{1b}[31m\n", "`" + SHOWN + "`")
                .doesNotContain("\u001b", "\u202e", "\r");
    }

    private static Consumer<StreamObserver<RateLimitResponse>> with(RateLimitResponse response) {
        return to -> {
            to.onNext(response);
            to.onCompleted();
        };
    }

    /** Lets a command ask a service that answers so. */
    private int asked(Consumer<StreamObserver<RateLimitResponse>> answer, String... command) throws Exception {
        var service = new RateLimitServiceGrpc.RateLimitServiceImplBase() {
            @Override
            public void shouldRateLimit(RateLimitRequest request, StreamObserver<RateLimitResponse> to) {
                answer.accept(to);
            }
        };
        var server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(service)
                .build()
                .start();
        try {
            var args = new ArrayList<>(List.of(command));
            args.addAll(List.of("--domain", "shop", "--address", "127.0.0.1:" + server.getPort(), "path=/a"));
            return terminal.run(args.toArray(String[]::new));
        } finally {
            server.shutdownNow().awaitTermination();
        }
    }
}
