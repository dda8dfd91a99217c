package dev.weir.grpc;

import static dev.weir.grpc.ServedPort.SHOULD_RATE_LIMIT;
import static dev.weir.grpc.ServedPort.call;
import static dev.weir.grpc.ServedPort.framed;
import static dev.weir.grpc.ServedPort.question;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.handshake.Handshakes;
import dev.weir.handshake.TlsFiles;
import dev.weir.socket.Entrance;
import dev.weir.socket.MaxAge;
import dev.weir.socket.Places;
import dev.weir.testing.ConfigMap;
import dev.weir.testing.Eventually;
import dev.weir.testing.SignedFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** New certificates get into force while connections go on. */
final class TlsReloadTest {
    @TempDir
    private Path folder;

    private final SignedFiles certificates = SignedFiles.create();
    private final SignedFiles next = SignedFiles.create();
    private final ToldHandshakes told = new ToldHandshakes();
    private @Nullable Handshakes handshakes;
    private @Nullable ServedPort served;

    @AfterEach
    void end() throws InterruptedException {
        if (served != null) {
            served.stop();
        }
        if (handshakes != null) {
            handshakes.close();
        }
        certificates.close();
        next.close();
    }

    private int serve() throws Exception {
        var files = new TlsFiles(folder.resolve("tls.crt"), folder.resolve("tls.key"), folder.resolve("ca.crt"), "");
        handshakes = Handshakes.watched(files, told, InstantSource.system());
        var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var entrance = new Entrance(loopback, MaxAge.NONE, Places.unbounded(), handshakes::begin);
        served = new ServedPort(decider -> new NettyTransport(decider, entrance));
        return served.port();
    }

    private static Map<String, String> secret(SignedFiles from, String name) {
        var own = from.sign(name, "127.0.0.1");
        return Map.of(
                "tls.crt", from.textOf(own.certificate()),
                "tls.key", from.textOf(own.key()),
                "ca.crt", from.textOf(from.authority()));
    }

    private static TlsCaller caller(SignedFiles of) {
        return TlsCaller.trusting(of.authority()).as(of.authority(), of.sign("envoy", "envoy.example"));
    }

    private static int ask(RawFrames caller) throws IOException {
        int stream = caller.open(call(SHOULD_RATE_LIMIT), 0);
        caller.frame(RawFrames.DATA, RawFrames.END_STREAM, stream, framed(question("ann")));
        return ServedPort.remaining(caller.answer(stream));
    }

    /** As mv does it, file by file. */
    private void rename(Map<String, String> files) throws IOException {
        for (var file : files.entrySet()) {
            var fresh = Files.writeString(folder.resolve("fresh"), file.getValue());
            Files.move(fresh, folder.resolve(file.getKey()), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    @Test
    void files_that_are_renamed_into_place_are_in_force_for_who_comes_then() throws Exception {
        rename(secret(certificates, "first"));
        int port = serve();
        try (var before = caller(certificates).connect(port)) {
            assertThat(ask(before)).isEqualTo(999_999);
            rename(secret(certificates, "second"));
            Eventually.await("the second is in force", () -> told.renewals() == 1);
            assertThat(caller(certificates).nameAt(port)).isEqualTo("CN=second");
            assertThat(ask(before)).isEqualTo(999_998);
        }
        assertThat(told.kept()).isEmpty();
        assertThat(told.refused()).isEmpty();
    }

    @Test
    void a_secret_of_kubernetes_that_is_swapped_brings_its_authority_along() throws Exception {
        var secret = ConfigMap.mountedAt(folder);
        secret.publish(secret(certificates, "first"));
        int port = serve();
        try (var before = caller(certificates).connect(port)) {
            assertThat(ask(before)).isEqualTo(999_999);
            secret.publish(secret(next, "second"));
            Eventually.await("the second is in force", () -> told.renewals() == 1);
            try (var after = caller(next).connect(port)) {
                assertThat(ask(after)).isEqualTo(999_998);
                assertThat(ask(before)).isEqualTo(999_997);
            }
            assertThatThrownBy(() -> caller(certificates).connect(port))
                    .as("the authority that was")
                    .isInstanceOf(IOException.class);
        }
        assertThat(told.kept()).isEmpty();
    }

    @Test
    void half_a_pair_leaves_the_one_before_in_force() throws Exception {
        rename(secret(certificates, "first"));
        int port = serve();
        var second = secret(certificates, "second");
        rename(Map.of("tls.crt", second.get("tls.crt")));
        Eventually.await("the mistake", () -> !told.kept().isEmpty());
        assertThat(told.kept())
                .containsExactly("tls.key: the key does not belong to the certificate in " + folder.resolve("tls.crt"));
        assertThat(caller(certificates).nameAt(port)).isEqualTo("CN=first");
        rename(second);
        Eventually.await("the second is in force", () -> told.renewals() == 1);
        assertThat(caller(certificates).nameAt(port)).isEqualTo("CN=second");
    }
}
