package dev.weir.bench.suite;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Results as JSON in target/bench; the names of the fields are those of the records, with underscores. */
final class ResultFile {
    private static final Path FOLDER = Path.of("target", "bench");
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private ResultFile() {}

    /** Returns a file for a result, in a folder that is there. */
    static Path named(String name) {
        try {
            return Files.createDirectories(FOLDER).resolve(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a result, and returns the file. */
    static Path write(String name, Object result) {
        try {
            return Files.writeString(named(name), MAPPER.writeValueAsString(result) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a result that was written before. */
    static <T> T read(Path file, Class<T> type) {
        try {
            return MAPPER.readValue(file.toFile(), type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
