package dev.weir.rules.kept;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is kept as it stands in the store: JSON, a list of objects with {@code name}, {@code text}, {@code since} and {@code from}. */
final class KeptForm {
    private static final JsonFactory JSON = new JsonFactory();

    private KeptForm() {}

    static String write(List<KeptDomain> domains) {
        var text = new StringWriter();
        try (JsonGenerator to = JSON.createGenerator(text)) {
            to.writeStartArray();
            for (KeptDomain domain : domains) {
                to.writeStartObject();
                to.writeStringField("name", domain.name());
                to.writeStringField("text", domain.text());
                to.writeStringField("since", domain.since());
                to.writeStringField("from", domain.from());
                to.writeEndObject();
            }
            to.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** Returns the domains; null if this is none of ours. */
    static @Nullable List<KeptDomain> read(String text) {
        List<KeptDomain> domains = new ArrayList<>();
        try (JsonParser from = JSON.createParser(text)) {
            if (from.nextToken() != JsonToken.START_ARRAY) {
                return null;
            }
            while (from.nextToken() == JsonToken.START_OBJECT) {
                KeptDomain domain = domain(fields(from));
                if (domain == null) {
                    return null;
                }
                domains.add(domain);
            }
            return from.currentToken() == JsonToken.END_ARRAY ? domains : null;
        } catch (IOException e) {
            return null;
        }
    }

    /** What a later version may have added is passed over. */
    private static Map<String, String> fields(JsonParser from) throws IOException {
        Map<String, String> fields = new HashMap<>();
        while (from.nextToken() == JsonToken.FIELD_NAME) {
            String name = from.currentName();
            if (from.nextToken() == JsonToken.VALUE_STRING) {
                fields.put(name, from.getText());
            } else {
                from.skipChildren();
            }
        }
        return fields;
    }

    private static @Nullable KeptDomain domain(Map<String, String> fields) {
        String name = fields.get("name");
        String text = fields.get("text");
        String since = fields.get("since");
        String from = fields.get("from");
        return name == null || text == null || since == null || from == null
                ? null
                : new KeptDomain(name, text, since, from);
    }
}
