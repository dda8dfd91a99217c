package dev.weir.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.socket.Places;
import dev.weir.testing.Eventually;
import dev.weir.testing.SignedFiles;
import dev.weir.tls.Identity;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When files that change are read, and what is told of it, look by look. */
final class HandshakesTest implements HandshakeListener {
    private final SignedFiles files = SignedFiles.create();
    private final Path certificate = files.file("tls.crt");
    private final Path key = files.file("tls.key");
    private final Path authority = files.file("ca.crt");
    private final List<String> told = new ArrayList<>();
    private Handshakes handshakes;

    @Override
    public void refused(String caller, HandshakeFailure why) {
        told.add(why.kind() + ": " + why.words());
    }

    @Override
    public void renewed() {
        told.add("renewed");
    }

    @Override
    public void kept(Path file, String reason) {
        told.add(file.getFileName() + ": " + reason);
    }

    @BeforeEach
    void open() throws Exception {
        put("first");
        write(authority, files.textOf(files.authority()));
        handshakes = Handshakes.unwatched(new TlsFiles(certificate, key, authority, ""), this, InstantSource.system());
    }

    @AfterEach
    void end() {
        handshakes.close();
        files.close();
    }

    private void put(String name) {
        var pair = files.sign(name, "weir.example");
        write(certificate, files.textOf(pair.certificate()));
        write(key, files.textOf(pair.key()));
    }

    private void write(Path file, String text) {
        var _ = files.write(file.getFileName().toString(), text);
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            handshakes.look();
        }
    }

    @Test
    void half_of_a_pair_waits_for_the_other() {
        var pair = files.sign("second", "weir.example");
        write(certificate, files.textOf(pair.certificate()));
        look(1);
        write(key, files.textOf(pair.key()));
        look(1);
        assertThat(told).isEmpty();
        look(1);
        assertThat(told).containsExactly("renewed");
    }

    @Test
    void a_mistake_is_told_once_with_its_file_and_mended_by_the_next_change() {
        var pair = files.sign("second", "weir.example");
        write(certificate, files.textOf(pair.certificate()));
        look(5);
        String mistake = "tls.key: the key does not belong to the certificate in " + certificate;
        assertThat(told).containsExactly(mistake);
        write(key, files.textOf(pair.key()));
        look(5);
        assertThat(told).containsExactly(mistake, "renewed");
        write(authority, "nothing");
        look(5);
        assertThat(told).last().isEqualTo("ca.crt: the file holds no certificate in PEM form");
    }

    @Test
    void files_that_go_and_come_again_are_told_of_once() throws Exception {
        String before = files.textOf(key);
        Files.delete(key);
        look(5);
        assertThat(told).containsExactly("tls.key: there is no such file");
        write(key, before);
        look(5);
        assertThat(told).containsExactly("tls.key: there is no such file", "renewed");
    }

    @Test
    void an_expired_certificate_is_not_taken() {
        var late = files.signExpired("late", "weir.example");
        write(certificate, files.textOf(late.certificate()));
        write(key, files.textOf(late.key()));
        look(2);
        assertThat(told).singleElement().asString().startsWith("tls.crt: the certificate has expired, on ");
    }

    @Test
    void what_no_handshake_can_be_made_with_is_not_taken() {
        var weak = files.signWeak("weak", "weir.example");
        write(certificate, files.textOf(weak.certificate()));
        write(key, files.textOf(weak.key()));
        look(5);
        assertThat(told).singleElement().asString().startsWith("tls.crt: no handshake can be made with it: ");
        put("second");
        look(2);
        assertThat(told).last().isEqualTo("renewed");
    }

    @Test
    void what_is_in_force_tells_when_it_expires() throws Exception {
        assertThat(handshakes.expiry()).isEqualTo(new Expiry(end(certificate), end(authority)));
        var longer = files.sign("second", "weir.example", Duration.ofDays(30));
        write(certificate, files.textOf(longer.certificate()));
        look(5);
        assertThat(handshakes.expiry().service()).as("without its key").isBefore(end(certificate));
        write(key, files.textOf(longer.key()));
        look(2);
        assertThat(handshakes.expiry().service()).isEqualTo(end(certificate));
    }

    @Test
    void a_chain_ends_with_its_first_certificate_and_authorities_with_their_last() throws Exception {
        var shorter = Identity.read(certificate, key).chain().getFirst();
        var pair = files.sign("second", "weir.example", Duration.ofDays(30));
        var longer = Identity.read(pair.certificate(), pair.key()).chain().getFirst();
        Instant soon = shorter.getNotAfter().toInstant();
        Instant late = longer.getNotAfter().toInstant();
        assertThat(Expiry.of(List.of(longer, shorter), longer, shorter)).isEqualTo(new Expiry(soon, late));
        assertThat(Expiry.of(List.of(longer))).isEqualTo(new Expiry(late, null));
    }

    /** Returns when the first certificate of a file expires. */
    private static Instant end(Path file) throws IOException, CertificateException {
        try (var pem = Files.newInputStream(file)) {
            var first =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(pem);
            return first.getNotAfter().toInstant();
        }
    }

    @Test
    void who_does_not_shake_hands_is_given_up_after_ten_seconds() {
        var channel = new EmbeddedChannel();
        channel.freezeTime();
        handshakes.begin(
                channel.pipeline(), Objects.requireNonNull(Places.unbounded().take(() -> {})));
        channel.advanceTimeBy(9, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        assertThat(channel.isOpen()).isTrue();
        channel.advanceTimeBy(2, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        assertThat(channel.isOpen()).isFalse();
        assertThat(told).containsExactly("TIMEOUT: it did not end the handshake within 10 s");
    }

    @Test
    void who_leaves_once_it_has_seen_the_certificate_is_told_of_and_a_probe_is_not() throws Exception {
        var _ = begun().close();
        assertThat(told).isEmpty();
        var service = begun();
        var trusting = Http2Tls.build(
                SslContextBuilder.forClient().trustManager(files.authority().toFile()));
        var caller = new EmbeddedChannel(trusting.newHandler(UnpooledByteBufAllocator.DEFAULT, "weir.example", 443));
        var _ = service.writeInbound(caller.<ByteBuf>readOutbound());
        Eventually.await("it is answered", () -> {
            service.runPendingTasks();
            return !service.outboundMessages().isEmpty();
        });
        assertThat(told).isEmpty();
        var _ = service.close();
        assertThat(told).containsExactly("CALLER: it left during the handshake");
        var _ = caller.finishAndReleaseAll();
        var _ = service.finishAndReleaseAll();
    }

    private EmbeddedChannel begun() {
        var channel = new EmbeddedChannel();
        handshakes.begin(
                channel.pipeline(), Objects.requireNonNull(Places.unbounded().take(() -> {})));
        return channel;
    }

    @Test
    void who_says_in_the_clear_that_it_does_not_trust_is_told_as_who_encrypts_it() {
        for (String words : List.of(
                "Received fatal alert: unknown_ca",
                "Unexpected plaintext alert received: Level: fatal; Alert: unknown_ca")) {
            assertThat(HandshakeFailure.of(new SSLHandshakeException(words)).kind())
                    .isEqualTo(HandshakeFailure.Kind.CALLER);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "envoy.example, envoy.example, true",
        "Envoy.Example, envoy.EXAMPLE, true",
        "*.example, envoy.example, true",
        "*.example, a.envoy.example, false",
        "*.example, example, false",
        "*, envoy, false",
        "example, envoy.example, false",
        "10.0.0.1, 10.0.0.1, false"
    })
    void a_star_in_a_name_is_its_whole_first_label(String name, String wanted, boolean isThere) {
        assertThat(CertificateNames.has(List.of(List.of(2, name)), wanted)).isEqualTo(isThere);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 10.0.0.1, true",
        "10.0.0.1, 10.0.0.2, false",
        "0:0:0:0:0:0:0:1, ::1, true",
        "10.0.0.1, envoy.example, false"
    })
    void an_address_is_compared_as_one(String address, String wanted, boolean isThere) {
        assertThat(CertificateNames.has(List.of(List.of(1, wanted), List.of(7, address)), wanted))
                .isEqualTo(isThere);
    }

    @Test
    void a_handshake_can_be_rehearsed_without_a_certificate_of_a_caller() throws Exception {
        var context = new TlsFiles(certificate, key, authority, "envoy.example")
                .read(InstantSource.system())
                .context();
        assertThat(Rehearsal.play(context)).isEqualTo("h2");
    }

    @Test
    void sessions_of_those_who_take_no_tickets_are_kept_for_a_thousand() throws Exception {
        var context = new TlsFiles(certificate, key, authority, "")
                .read(InstantSource.system())
                .context();
        assertThat(context.sessionContext().getSessionCacheSize()).isEqualTo(1_000);
    }

    @Test
    void reasons_are_one_short_line() {
        var failure = new IllegalStateException(new SSLHandshakeException("CN=a\nERROR " + "x".repeat(1_000)));
        assertThat(HandshakeFailure.of(failure).words())
                .startsWith("CN=a ERROR xxx")
                .hasSize(203);
    }

    @Test
    void a_certificate_is_told_as_that_also_where_nothing_carries_what_is_wrong_with_it() {
        assertThat(HandshakeFailure.of(new CertificateNotYetValidException("NotBefore: noon")))
                .isEqualTo(new HandshakeFailure(
                        HandshakeFailure.Kind.CERTIFICATE, "its certificate is not trusted: NotBefore: noon"));
        assertThat(HandshakeFailure.of(new SSLPeerUnverifiedException("peer not authenticated")))
                .isEqualTo(new HandshakeFailure(HandshakeFailure.Kind.CERTIFICATE, "it shows no certificate"));
    }
}
