package dev.weir.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where exports go to may be told; what opens the door may not. */
final class CollectorTest {
    @Test
    void what_headers_say_is_in_no_text() {
        var collector = new Collector(
                true,
                URI.create("http://collector:4317"),
                Map.of("Authorization", "Bearer s3cr3t"),
                false,
                Duration.ofSeconds(10),
                null);
        assertThat(collector.toString())
                .contains("http://collector:4317", "[Authorization]")
                .doesNotContain("s3cr3t");
    }
}
