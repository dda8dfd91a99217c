package dev.weir.grpc;

import static dev.weir.grpc.ServedPort.SHOULD_RATE_LIMIT;
import static dev.weir.grpc.ServedPort.call;
import static dev.weir.grpc.ServedPort.framed;
import static dev.weir.grpc.ServedPort.question;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.call.Refusal;
import dev.weir.handshake.Handshakes;
import dev.weir.handshake.TlsFiles;
import dev.weir.socket.Entrance;
import dev.weir.socket.MaxAge;
import dev.weir.socket.Places;
import dev.weir.testing.Eventually;
import dev.weir.testing.SignedFiles;
import dev.weir.testing.SignedFiles.Pair;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Grpc;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets a connection where callers must speak TLS, and what becomes of the others. */
final class CallerTlsTest {
    private static final String CALLER = "envoy.example";

    private final SignedFiles certificates = SignedFiles.create();
    private final SignedFiles foreign = SignedFiles.create();
    private final ToldHandshakes told = new ToldHandshakes();
    private final List<Refusal> refusals = new CopyOnWriteArrayList<>();
    private volatile Duration later = Duration.ZERO;
    private final InstantSource clock = () -> Instant.now().plus(later);
    private @Nullable Handshakes handshakes;
    private @Nullable ServedPort served;

    /** Keeps why calls were refused. */
    private record RefusedCalls(List<Refusal> reasons) implements CallListener {
        @Override
        public void shouldRateLimit(long nanos) {}

        @Override
        public void healthCheck(long nanos) {}

        @Override
        public void refused(Refusal why) {
            reasons.add(why);
        }
    }

    @AfterEach
    void end() throws Exception {
        if (served != null) {
            served.stop();
        }
        if (handshakes != null) {
            handshakes.close();
        }
        certificates.close();
        foreign.close();
    }

    private int serve(@Nullable Path authority, String callerName) throws Exception {
        var own = certificates.sign("weir", "127.0.0.1");
        handshakes = Handshakes.watched(new TlsFiles(own.certificate(), own.key(), authority, callerName), told, clock);
        var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var entrance = new Entrance(loopback, MaxAge.NONE, Places.unbounded(), handshakes::begin);
        served = new ServedPort(decider -> new NettyTransport(decider, entrance, new RefusedCalls(refusals)));
        return served.port();
    }

    private TlsCaller caller() {
        return TlsCaller.trusting(certificates.authority());
    }

    private TlsCaller caller(Pair own) {
        return caller().as(certificates.authority(), own);
    }

    private static boolean isAnswered(RawFrames caller) throws IOException {
        int stream = caller.open(call(SHOULD_RATE_LIMIT), 0);
        caller.frame(RawFrames.DATA, RawFrames.END_STREAM, stream, framed(question("ann")));
        return caller.answer(stream).trailer("grpc-status").equals("0");
    }

    /** With TLS 1.3 a caller believes itself connected before its certificate was looked at. */
    private static boolean isAnswered(TlsCaller caller, int port) {
        try (var connection = caller.connect(port)) {
            return isAnswered(connection);
        } catch (IOException _) {
            return false; // told by the alert of TLS, while shaking hands, writing or reading
        }
    }

    private void assertRefused(TlsCaller caller, int port, String... reason) {
        int before = told.refused().size();
        assertThat(isAnswered(caller, port)).isFalse();
        Eventually.await("a refusal", () -> told.refused().size() > before);
        assertThat(told.refused()).last().asString().contains(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void both_versions_of_tls_are_spoken_with_and_without_a_certificate(String version) throws Exception {
        int port = serve(null, "");
        try (var connection = caller().by(version).connect(port)) {
            assertThat(isAnswered(connection)).isTrue();
        }
        assertThat(isAnswered(caller(foreign.sign("stranger", CALLER)).by(version), port))
                .as("a certificate that nobody asks for")
                .isTrue();
        assertThat(told.refused()).isEmpty();
    }

    @Test
    void a_client_of_grpc_java_is_answered_by_its_certificate() throws Exception {
        int port = serve(certificates.authority(), CALLER);
        var own = certificates.sign("envoy", CALLER);
        var credentials = TlsChannelCredentials.newBuilder()
                .trustManager(certificates.authority().toFile())
                .keyManager(own.certificate().toFile(), own.key().toFile())
                .build();
        var channel =
                Grpc.newChannelBuilderForAddress("127.0.0.1", port, credentials).build();
        try {
            var answer = RateLimitServiceGrpc.newBlockingStub(channel).shouldRateLimit(ServedPort.request("ann"));
            assertThat(answer.getStatuses(0).getLimitRemaining()).isEqualTo(999_999);
        } finally {
            channel.shutdownNow();
        }
        assertThat(told.refused()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void without_a_certificate_of_the_authority_there_is_no_connection(String version) throws Exception {
        int port = serve(certificates.authority(), "");
        assertRefused(caller().by(version), port, "CERTIFICATE: ", "Empty client certificate chain");
        var stranger = foreign.sign("stranger", CALLER);
        assertRefused(caller(stranger).by(version), port, "CERTIFICATE: its certificate is not trusted: ");
        var late = certificates.signExpired("late", CALLER);
        assertRefused(caller(late).by(version), port, "CERTIFICATE: its certificate has expired (NotAfter: ");
        assertThat(isAnswered(caller(certificates.sign("envoy", CALLER)).by(version), port))
                .isTrue();
    }

    /** Who goes on with a session of before shows no certificate; the one of then holds, for as long as it is valid. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void an_expired_certificate_does_not_get_in_by_a_session_of_before(String version) throws Exception {
        int port = serve(certificates.authority(), CALLER);
        var own = certificates.sign("envoy", CALLER, Duration.ofHours(2));
        var caller = caller(own).by(version);
        assertThat(isAnswered(caller, port)).isTrue();
        later = Duration.ofHours(1);
        assertThat(isAnswered(caller, port)).isTrue();
        later = Duration.ofHours(3);
        assertRefused(caller, port, "CERTIFICATE: its certificate has expired (NotAfter: ");
        assertRefused(caller(own).by(version), port, "CERTIFICATE: its certificate has expired (NotAfter: ");
        assertThat(isAnswered(caller(certificates.sign("envoy", CALLER)), port)).isTrue();
    }

    /** The authority of {@code next} is valid longer than the first one, whose certificates may be so as well. */
    @Test
    void an_authority_that_expires_is_believed_no_more() throws Exception {
        try (var next = SignedFiles.create(Duration.ofDays(30))) {
            String both = certificates.textOf(certificates.authority()) + certificates.textOf(next.authority());
            int port = serve(certificates.write("both.pem", both), "");
            var before = certificates.sign("envoy", CALLER, Duration.ofDays(60));
            assertThat(isAnswered(caller(before), port)).isTrue();
            later = Duration.ofDays(2);
            assertRefused(caller(before), port, "CERTIFICATE: its certificate is not trusted: ");
            var after = next.sign("envoy", CALLER, Duration.ofDays(60));
            assertThat(isAnswered(caller(after), port)).isTrue();
            later = Duration.ofDays(31);
            assertRefused(
                    caller(after), port, "CERTIFICATE: its certificate is not trusted: every authority has expired");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "envoy.example, Envoy.example, true",
        "other.example, envoy.example, false",
        "10.0.0.1, 10.0.0.1, true",
        "10.0.0.1, 10.0.0.2, false"
    })
    void a_certificate_must_be_for_the_name_that_is_wanted(String name, String wanted, boolean isTaken)
            throws Exception {
        int port = serve(certificates.authority(), wanted);
        var caller = caller(certificates.sign("envoy", name));
        if (isTaken) {
            assertThat(isAnswered(caller, port)).isTrue();
        } else {
            assertRefused(caller, port, "CERTIFICATE: its certificate is not trusted: it is not for " + wanted);
        }
    }

    @Test
    void a_caller_who_does_not_trust_us_goes_and_we_hear_why() throws Exception {
        int port = serve(null, "");
        assertThatThrownBy(() -> TlsCaller.trusting(foreign.authority()).connect(port))
                .isInstanceOf(SSLException.class);
        Eventually.await("what the caller said", () -> !told.refused().isEmpty());
        assertThat(told.refused()).first().asString().startsWith("CALLER: ").contains("Received fatal alert");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void who_does_not_agree_on_http_2_is_refused(String version) throws Exception {
        int port = serve(null, "");
        assertThatThrownBy(() -> caller().by(version).offering("http/1.1").connect(port))
                .hasMessageContaining("no_application_protocol");
        Eventually.await("the refusal", () -> !told.refused().isEmpty());
        assertThat(told.refused()).singleElement().asString().startsWith("OTHER: ");
        assertThat(isAnswered(caller().by(version).offering("http/1.1", "h2"), port))
                .isTrue();
    }

    /** An Envoy names a protocol where it asks, and none where it looks whether we are well. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void who_names_no_protocol_is_known_by_how_it_begins(String version) throws Exception {
        int port = serve(certificates.authority(), "");
        var caller = caller(certificates.sign("envoy", CALLER)).by(version).offering();
        assertThat(isAnswered(caller, port)).isTrue();
        try (var stranger = caller.around(new Socket(InetAddress.getLoopbackAddress(), port))) {
            stranger.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: weir\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(stranger.getInputStream().readAllBytes())
                    .as("until the end of the connection")
                    .isNotEmpty();
        }
        assertThat(refusals).containsExactly(Refusal.PROTOCOL);
        assertThat(told.refused()).isEmpty();
        assertRefused(caller().by(version).offering(), port, "CERTIFICATE: ", "Empty client certificate chain");
    }

    /** By hand: the TLS of Java does not even ask for it, and fails before it has said a word. */
    @Test
    void an_old_version_of_tls_is_refused() throws Exception {
        int port = serve(null, "");
        // A record with a hello of TLS 1.1: no random bytes, no session, ECDHE with AES, no compression.
        String hello = "160301002f" + "0100002b" + "0302" + "00".repeat(32) + "00" + "0004c009c013" + "0100";
        try (var old = new Socket(InetAddress.getLoopbackAddress(), port)) {
            old.setSoTimeout(30_000);
            old.getOutputStream().write(HexFormat.of().parseHex(hello));
            assertThat(old.getInputStream().readAllBytes())
                    .as("an alert, fatal: protocol_version")
                    .endsWith(2, 70);
        }
        assertThat(isAnswered(caller(), port)).isTrue();
    }

    @Test
    void a_caller_in_the_clear_harms_nobody_and_a_probe_is_not_told_of() throws Exception {
        int port = serve(null, "");
        try (var before = caller().connect(port)) {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            try (var plain = RawFrames.connect(port)) {
                plain.readUntil(plain::isClosed);
            }
            Eventually.await("the refusal", () -> !told.refused().isEmpty());
            assertThat(told.refused()).containsExactly("CLEAR: it does not speak TLS");
            assertThat(isAnswered(before)).isTrue();
        }
    }

    @Test
    void tls_at_a_port_without_it_harms_nobody() throws Exception {
        served = new ServedPort(NettyTransport::new);
        int port = served.port();
        assertThatThrownBy(() -> caller().connect(port)).isInstanceOf(IOException.class);
        try (var plain = RawFrames.connect(port)) {
            assertThat(isAnswered(plain)).isTrue();
        }
    }
}
