package dev.weir.live;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.meter.Spread;
import dev.weir.words.Unseen;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** What the page of {@code /live} reads. Its names are nobody else's, and may change with it. */
final class LiveJson {
    /** The page adds up ten looks; a rule that is among the first fifty over all ten may be further down in some of them. */
    private static final int MOST_RULES = 500;

    private static final double NANOS_PER_MILLI = 1e6;

    private LiveJson() {}

    static String of(String version, List<String> obstacles, Stretch since) {
        var text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("version", version);
            json.writeArrayFieldStart("obstacles");
            for (String obstacle : obstacles) {
                json.writeString(obstacle);
            }
            json.writeEndArray();
            state(json, since.to().state());
            json.writeNumberField("seconds", since.seconds());
            requests(json, since);
            spread(json, "answer_ms", since.answers());
            spread(json, "store_ms", since.store());
            json.writeNumberField("remembered", since.each(Figures::checksRemembered));
            json.writeNumberField("store_failures", since.each(Figures::storeFailures));
            rules(json, since);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("a text in memory can always be written", e);
        }
        return text.toString();
    }

    private static void state(JsonGenerator json, Figures.State state) throws IOException {
        json.writeBooleanField("store_reachable", state.isStoreReachable());
        json.writeNumberField("connections", state.connections());
        json.writeNumberField("replicas", state.replicas());
        json.writeNumberField("rules_version", state.rulesVersion());
        json.writeNumberField("rule_count", state.rules());
        json.writeBooleanField("rules_refused", state.areRulesRefused());
    }

    private static void requests(JsonGenerator json, Stretch since) throws IOException {
        json.writeObjectFieldStart("requests");
        for (Map.Entry<String, Long> ending : since.to().requests().entrySet()) {
            long before = since.from().requests().getOrDefault(ending.getKey(), 0L);
            json.writeNumberField(ending.getKey(), since.bySecond(ending.getValue() - before));
        }
        json.writeEndObject();
    }

    /** Of none there is none. */
    private static void spread(JsonGenerator json, String name, Spread spread) throws IOException {
        if (spread.count() == 0) {
            json.writeNullField(name);
            return;
        }
        json.writeObjectFieldStart(name);
        json.writeNumberField("p50", spread.quantile(0.5) / NANOS_PER_MILLI);
        json.writeNumberField("p99", spread.quantile(0.99) / NANOS_PER_MILLI);
        json.writeEndObject();
    }

    private static void rules(JsonGenerator json, Stretch since) throws IOException {
        List<Figures.OfRule> hit = since.rules();
        json.writeNumberField("rules_hit", hit.size());
        json.writeArrayFieldStart("rules");
        for (Figures.OfRule rule : hit.subList(0, Math.min(MOST_RULES, hit.size()))) {
            json.writeStartObject();
            json.writeStringField("name", Unseen.shown(rule.name()));
            json.writeNumberField("hits", since.bySecond(rule.hits()));
            json.writeNumberField("near", since.bySecond(rule.near()));
            json.writeNumberField("over", since.bySecond(rule.over()));
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
