package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Request;
import dev.weir.testing.SignedFiles;
import dev.weir.testing.SignedFiles.Pair;
import dev.weir.testing.SniListener;
import dev.weir.tls.ClientTls;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Status;
import io.grpc.TlsServerCredentials;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What somebody is told whom a service does not answer, mostly since he cannot trust its certificate. */
final class RateLimitClientTest {
    private static final String HERE = "127.0.0.1";

    private final SignedFiles trusted = SignedFiles.create();
    private final SignedFiles foreign = SignedFiles.create();

    @AfterEach
    void end() {
        trusted.close();
        foreign.close();
    }

    @Test
    void a_certificate_of_another_authority_is_told_with_the_option_for_it() throws Exception {
        assertToldOf(foreign.sign("weir", HERE), "not signed by an authority that is trusted here (--ca)");
    }

    @Test
    void a_certificate_that_is_not_valid_now_is_told_with_its_time() throws Exception {
        assertToldOf(trusted.signExpired("late", HERE), "has expired (NotAfter: ");
        assertToldOf(trusted.signEarly("early", HERE), "is not valid yet (NotBefore: ");
    }

    @Test
    void a_certificate_for_another_host_is_told_with_the_host_that_was_asked() throws Exception {
        assertToldOf(trusted.sign("weir", "other.example"), "is for another name: ", HERE, " (--name)");
    }

    @ParameterizedTest
    @CsvSource({"localhost, , localhost", HERE + ", weir, weir"})
    void the_name_is_sent_ahead_also_without_a_dot(String host, @Nullable String name, String heard) throws Exception {
        var request = new Request("shop", List.of(Descriptor.of(new Entry("user", "1"))), 1);
        try (var listener = SniListener.start();
                var client = RateLimitClient.of(
                        host + ":" + listener.port(),
                        ClientTls.of(trusted.authority(), null, null).named(name))) {
            assertThat(catchThrowable(() -> client.ask(request, Duration.ofSeconds(10))))
                    .isNotNull();
            assertThat(listener.next()).isEqualTo(heard);
        }
    }

    @Test
    void a_name_that_is_asked_for_stands_in_the_place_of_the_address() throws Exception {
        assertThat(asked(trusted.sign("weir", "other.example"), "other.example"))
                .as("the certificate is taken, and nobody there answers")
                .contains(" answered UNIMPLEMENTED: ");
        assertThat(asked(trusted.sign("here", HERE), "other.example"))
                .contains("its certificate is for another name: ", "other.example");
    }

    @Test
    void an_answer_without_words_is_told_by_its_code() throws Exception {
        var wordless = new RateLimitServiceGrpc.RateLimitServiceImplBase() {
            @Override
            public void shouldRateLimit(RateLimitRequest request, StreamObserver<RateLimitResponse> answer) {
                answer.onError(Status.UNAVAILABLE.asRuntimeException());
            }
        };
        var server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(wordless)
                .build()
                .start();
        try (var client = RateLimitClient.of(HERE + ":" + server.getPort(), null)) {
            var question = new Request("edge", List.of(Descriptor.of(new Entry("user", "ann"))), 1);
            assertThatThrownBy(() -> client.ask(question, Duration.ofSeconds(20)))
                    .hasMessage("the service at 127.0.0.1:%d answered UNAVAILABLE", server.getPort());
        } finally {
            server.shutdownNow().awaitTermination();
        }
    }

    private String asked(Pair own, String name) throws Exception {
        var credentials = TlsServerCredentials.create(
                own.certificate().toFile(), own.key().toFile());
        var server = Grpc.newServerBuilderForPort(0, credentials).build().start();
        var tls = ClientTls.of(trusted.authority(), null, null).named(name);
        try (var client = RateLimitClient.of(HERE + ":" + server.getPort(), tls)) {
            var question = new Request("edge", List.of(Descriptor.of(new Entry("user", "ann"))), 1);
            return String.valueOf(catchThrowable(() -> client.ask(question, Duration.ofSeconds(20))));
        } finally {
            server.shutdownNow().awaitTermination();
        }
    }

    private void assertToldOf(Pair own, String... words) throws Exception {
        var credentials = TlsServerCredentials.create(
                own.certificate().toFile(), own.key().toFile());
        var server = Grpc.newServerBuilderForPort(0, credentials).build().start();
        var tls = ClientTls.of(trusted.authority(), null, null);
        try (var client = RateLimitClient.of(HERE + ":" + server.getPort(), tls)) {
            var question = new Request("edge", List.of(Descriptor.of(new Entry("user", "ann"))), 1);
            assertThatThrownBy(() -> client.ask(question, Duration.ofSeconds(20)))
                    .isInstanceOf(AskFailedException.class)
                    .hasMessageStartingWith(
                            "the service at 127.0.0.1:%d is not available: its certificate ", server.getPort())
                    .hasMessageContainingAll(words);
        } finally {
            server.shutdownNow().awaitTermination();
        }
    }
}
