package dev.weir.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** YAML as trees of JSON. */
public final class Yaml {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Yaml() {}

    /** Returns the documents of a text that hold anything; a key that is given twice fails. */
    public static List<JsonNode> documents(String text) {
        var options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        var documents = new ArrayList<JsonNode>();
        for (var document : new org.yaml.snakeyaml.Yaml(new SafeConstructor(options)).loadAll(text)) {
            if (document != null) {
                documents.add(MAPPER.valueToTree(document));
            }
        }
        return documents;
    }

    /** Returns the documents of a file. */
    public static List<JsonNode> documents(Path file) {
        return documents(text(file));
    }

    /** Returns the tree of a text in JSON. */
    public static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + text, e);
        }
    }

    /** Returns the text of a file. */
    public static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
