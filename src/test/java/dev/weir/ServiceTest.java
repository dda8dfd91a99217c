package dev.weir;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.settings.Settings;
import dev.weir.testing.Eventually;
import dev.weir.testing.SignedFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What becomes of a service that cannot start. */
final class ServiceTest {
    @Test
    void a_certificate_that_goes_away_before_it_is_used_ends_the_start_and_all_that_had_begun() throws Exception {
        try (var files = SignedFiles.create()) {
            var own = files.sign("weir", "weir.example");
            var settings = Settings.read(Map.of(
                    "GRPC_SERVER_USE_TLS",
                    "true",
                    "GRPC_SERVER_TLS_CERT",
                    own.certificate().toString(),
                    "GRPC_SERVER_TLS_KEY",
                    own.key().toString()));
            Files.delete(own.key());
            Set<Path> before = Pollers.open();
            assertThatThrownBy(() -> Service.start(settings))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining(own.key().toString());
            Eventually.await("they are closed", () -> before.containsAll(Pollers.open()));
        }
    }
}
