package dev.weir.rules.xds;

import static dev.weir.rules.xds.Configs.limited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.rules.xds.XdsOptions.Tls;
import dev.weir.testing.AdsServer;
import dev.weir.testing.SignedFiles;
import dev.weir.testing.SignedFiles.Pair;
import dev.weir.testing.SniListener;
import io.grpc.ServerCredentials;
import io.grpc.Status;
import io.grpc.TlsServerCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who trusts whom on the way to the control plane, with certificates of an authority of the tests. */
final class XdsTlsTest {
    private static final String PLANE = "control.plane";
    private static final String HERE = "127.0.0.1";

    @TempDir
    private Path folder;

    private static SignedFiles known;
    private static SignedFiles stranger;
    private static Pair server;
    private static Pair client;

    @BeforeAll
    static void sign() {
        known = SignedFiles.create();
        stranger = SignedFiles.create();
        server = known.sign("server", HERE);
        client = known.signOlder("client", "weir.example");
    }

    @AfterAll
    static void end() {
        known.close();
        stranger.close();
    }

    @Test
    void both_sides_prove_who_they_are() throws Exception {
        var tls = new Tls(known.authority(), client.certificate(), client.key(), "");
        assertThat(accepted(AdsServer.start(credentials(server, true)), tls)).isEqualTo("1");
    }

    @Test
    void a_control_plane_may_have_another_name_than_its_address() throws Exception {
        var tls = new Tls(known.authority(), null, null, PLANE);
        assertThat(accepted(AdsServer.start(credentials(known.sign("plane", PLANE), false)), tls))
                .isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, '', localhost",
        "dns:///localhost, '', localhost",
        "localhost, envoy-gateway, envoy-gateway",
        HERE + ", a.b, a.b"
    })
    void the_name_is_sent_ahead_also_without_a_dot(String host, String name, String heard) throws Exception {
        var tls = new Tls(known.authority(), null, null, name);
        try (var listener = SniListener.start();
                var client =
                        new XdsClient(RecordingXds.options(host + ":" + listener.port(), tls), new RecordingXds())) {
            client.start();
            assertThat(listener.next()).isEqualTo(heard);
        }
    }

    @Test
    void a_certificate_of_a_stranger_is_refused() throws Exception {
        assertLost(
                credentials(stranger.sign("server", HERE), false),
                new Tls(known.authority(), null, null, ""),
                "its certificate is not signed by those in " + known.authority()
                        + " (CONFIG_GRPC_XDS_SERVER_TLS_CACERT)");
        assertLost(
                credentials(server, false),
                new Tls(null, null, null, ""),
                "its certificate is signed by nobody whom Java trusts; name who signed it as"
                        + " CONFIG_GRPC_XDS_SERVER_TLS_CACERT");
    }

    @Test
    void a_certificate_for_another_name_is_refused() throws Exception {
        assertLost(
                credentials(server, false),
                new Tls(known.authority(), null, null, "other.plane"),
                "its certificate is not for it (");
    }

    @Test
    void a_certificate_that_has_expired_is_refused() throws Exception {
        assertLost(
                credentials(known.signExpired("old", HERE), false),
                new Tls(known.authority(), null, null, ""),
                "its certificate has expired (");
    }

    @Test
    void a_certificate_that_is_not_valid_yet_is_refused() throws Exception {
        assertLost(
                credentials(known.signEarly("young", HERE), false),
                new Tls(known.authority(), null, null, ""),
                "its certificate is not valid yet (");
    }

    @Test
    void a_control_plane_that_does_not_accept_our_certificate_is_told_with_its_setting() throws Exception {
        var strange = stranger.sign("client", "weir.example");
        assertThat(lost(
                        credentials(server, true),
                        new Tls(known.authority(), strange.certificate(), strange.key(), "")))
                .contains("it may not accept our certificate (CONFIG_GRPC_XDS_CLIENT_TLS_CERT)");
        assertThat(lost(credentials(server, true), new Tls(known.authority(), null, null, "")))
                .contains("if it wants a certificate of ours, CONFIG_GRPC_XDS_CLIENT_TLS_CERT names one");
    }

    /** Whose stream was there, its certificate was accepted. */
    @Test
    void only_of_a_control_plane_that_cannot_be_reached_our_certificate_is_suspected() {
        var tls = new Tls(known.authority(), client.certificate(), client.key(), "");
        var gone = Status.UNAVAILABLE.withDescription("Network closed for unknown reason");
        try (var ads = AdsServer.start()) {
            var options = RecordingXds.options(ads, tls);
            assertThat(Failure.unreachable(options, gone)).contains("our certificate");
            assertThat(Failure.broken(options, gone)).endsWith(" ended: Network closed for unknown reason");
        }
    }

    @Test
    void what_a_control_plane_repeats_of_our_headers_is_left_out() {
        try (var ads = AdsServer.start()) {
            var options = RecordingXds.options(ads, null);
            var refused = Status.UNAUTHENTICATED.withDescription("no such key: Bearer sesame");
            assertThat(Failure.broken(options, refused))
                    .endsWith(" ended: UNAUTHENTICATED: no (what else is said repeats a secret, and is left out)");
            var ofProxy = Status.UNAVAILABLE.withDescription("HTTP status code 401\nheaders: Metadata(x=sesame)");
            assertThat(Failure.unreachable(options, ofProxy)).endsWith(" cannot be reached: HTTP status code 401");
        }
    }

    @Test
    void files_that_cannot_be_used_are_told_at_the_start() throws Exception {
        var ca = known.authority();
        var chain = client.certificate();
        var key = client.key();
        var old = known.signExpired("old", HERE);
        var none = folder.resolve("none");
        assertRefused(new Tls(none, null, null, ""), "SERVER_TLS_CACERT names " + none + ": there is no such file");
        assertRefused(
                new Tls(key, null, null, ""),
                "SERVER_TLS_CACERT names " + key + ": the file holds no certificate in PEM form");
        assertRefused(new Tls(ca, chain, none, ""), "CLIENT_TLS_KEY names " + none + ": there is no such file");
        assertRefused(
                new Tls(ca, chain, Path.of("LS0tLS1CRUdJTiBQUklW"), ""),
                "CLIENT_TLS_KEY is not shown here (it looks like what belongs into a file): there is no such file");
        assertRefused(
                new Tls(ca, chain, ca, ""),
                "CLIENT_TLS_KEY names " + ca + ": the file holds no private key in PEM form");
        assertRefused(
                new Tls(ca, chain, chain, ""),
                "CLIENT_TLS_KEY names " + chain + ": the file holds no private key in PEM form");
        assertRefused(
                new Tls(ca, chain, server.key(), ""),
                "CLIENT_TLS_KEY names " + server.key() + ": the key does not belong to the certificate in " + chain);
        assertRefused(
                new Tls(ca, old.certificate(), old.key(), ""),
                "CLIENT_TLS_CERT names " + old.certificate() + ": the certificate has expired, on ");
    }

    @Test
    void replaced_certificates_are_used_for_the_next_connection_and_unusable_ones_are_not() throws Exception {
        var ca = Files.copy(stranger.authority(), folder.resolve("ca.crt"));
        try (var ads = AdsServer.start(credentials(server, false))) {
            var listener = new RecordingXds();
            try (var client = new XdsClient(RecordingXds.options(ads, new Tls(ca, null, null, "")), listener)) {
                client.start();
                listener.await("lost the control plane at ");
                Files.writeString(ca, "half wri");
                listener.await("doubted CONFIG_GRPC_XDS_SERVER_TLS_CACERT names " + ca);
                Files.copy(known.authority(), ca, StandardCopyOption.REPLACE_EXISTING);
                ads.next();
                ads.push("1", "one", limited("edge", 5));
                listener.await("accepted 1");
            }
        }
    }

    private static ServerCredentials credentials(Pair own, boolean isMutual) throws IOException {
        var builder = TlsServerCredentials.newBuilder()
                .keyManager(own.certificate().toFile(), own.key().toFile());
        if (isMutual) {
            builder.trustManager(known.authority().toFile()).clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
        }
        return builder.build();
    }

    private static String accepted(AdsServer ads, Tls tls) throws XdsException {
        var listener = new RecordingXds();
        try (ads;
                var client = new XdsClient(RecordingXds.options(ads, tls), listener)) {
            client.start();
            ads.next();
            ads.push("1", "one", limited("edge", 5));
            listener.await("accepted 1");
            return ads.next().getVersionInfo();
        }
    }

    private static void assertLost(ServerCredentials credentials, Tls tls, String reason) throws XdsException {
        assertThat(lost(credentials, tls)).startsWith(reason);
    }

    /** Returns the first reason why a control plane cannot be reached. */
    private static String lost(ServerCredentials credentials, Tls tls) throws XdsException {
        var listener = new RecordingXds();
        try (var ads = AdsServer.start(credentials);
                var client = new XdsClient(RecordingXds.options(ads, tls), listener)) {
            client.start();
            String beginning = "lost the control plane at " + ads.address() + " cannot be reached: ";
            listener.await(beginning);
            return listener.told().getFirst().substring(beginning.length());
        }
    }

    private static void assertRefused(Tls tls, String sentence) {
        try (var ads = AdsServer.start()) {
            assertThatThrownBy(() -> new XdsClient(RecordingXds.options(ads, tls), new RecordingXds()))
                    .isInstanceOf(XdsException.class)
                    .hasMessageContaining(sentence);
        }
    }
}
