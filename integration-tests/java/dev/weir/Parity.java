package dev.weir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

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

    private static InputStream open(String file) {
        return Objects.requireNonNull(Parity.class.getResourceAsStream("/parity/" + file), file);
    }
}
