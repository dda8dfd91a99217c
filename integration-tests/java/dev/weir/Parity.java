package dev.weir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** What was recorded from envoyproxy/ratelimit: rules, questions and answers, and pages. */
final class Parity {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Parity() {}

    /** Returns the recording of a mode: plain, headers, shadow or quota. */
    static JsonNode recording(String mode) throws IOException {
        try (var in = open(mode + ".json")) {
            return JSON.readTree(in);
        }
    }

    /** Returns the lines of a recorded page. */
    static List<String> lines(String file) throws IOException {
        try (var in = open(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** Returns the recording's rules: a text for each file name. */
    static Map<String, String> rules(JsonNode recording) {
        Map<String, String> files = new LinkedHashMap<>();
        recording
                .get("rules")
                .properties()
                .forEach(e -> files.put(e.getKey() + ".yaml", e.getValue().asText()));
        return files;
    }

    /** Returns a recorded question as Envoy would ask it. */
    static RateLimitRequest request(JsonNode ask) {
        var request = RateLimitRequest.newBuilder().setDomain(ask.get("domain").asText());
        if (ask.has("hits")) {
            request.setHitsAddend(ask.get("hits").asInt());
        }
        for (JsonNode asked : ask.get("descriptors")) {
            var descriptor = RateLimitDescriptor.newBuilder();
            for (JsonNode entry : asked.get("entries")) {
                descriptor
                        .addEntriesBuilder()
                        .setKey(entry.get(0).asText())
                        .setValue(entry.get(1).asText());
            }
            if (asked.has("hits")) {
                descriptor.getHitsAddendBuilder().setValue(asked.get("hits").asLong());
            }
            if (asked.has("limit")) {
                descriptor
                        .getLimitBuilder()
                        .setRequestsPerUnit(
                                asked.get("limit").get("requests_per_unit").asInt())
                        .setUnit(RateLimitUnit.valueOf(
                                asked.get("limit").get("unit").asText()));
            }
            request.addDescriptors(descriptor);
        }
        return request.build();
    }

    /** Returns what was found in one UTC hour: where its end came between, windows have ended, and the next try has an hour. */
    static <T> T inOneHour(Supplier<T> asking) {
        while (true) {
            long hour = hour();
            T found = asking.get();
            if (hour == hour()) {
                return found;
            }
        }
    }

    private static long hour() {
        return System.currentTimeMillis() / Duration.ofHours(1).toMillis();
    }

    private static InputStream open(String file) {
        return Objects.requireNonNull(Parity.class.getResourceAsStream("/parity/" + file), file);
    }
}
