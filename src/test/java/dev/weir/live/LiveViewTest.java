package dev.weir.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.meter.Histogram;
import dev.weir.meter.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is told to who looks each second, by a clock of the test. */
final class LiveViewTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private final Map<String, Long> requests = new LinkedHashMap<>(Map.of("ok", 0L));
    private final Histogram answers = new Histogram(MILLI, 1, 2);
    private List<Figures.OfRule> rules = List.of();
    private List<String> obstacles = List.of();
    private long now = -7 * SECOND; // such a clock begins anywhere
    private int looks;
    private final LiveView view = new LiveView("1.2.3", () -> obstacles, this::figures, () -> now);

    private Figures figures() {
        looks++;
        return new Figures(
                new LinkedHashMap<>(requests),
                answers.spread(),
                new Spread(List.of(), List.of(0L)),
                20L * looks,
                10L * looks,
                rules,
                new Figures.State(true, 3, 2, 7, 5, false));
    }

    private JsonNode look() throws Exception {
        return new ObjectMapper().readTree(view.json());
    }

    @Test
    void for_the_first_who_looks_nothing_has_happened() throws Exception {
        requests.put("ok", 1_000L);
        rules = List.of(new Figures.OfRule("shop.user", 1_000, 0, 0));
        var seen = look();
        assertThat(seen.get("seconds").asDouble()).isZero();
        assertThat(seen.get("requests").get("ok").asDouble()).isZero();
        assertThat(seen.get("answer_ms").isNull()).isTrue();
        assertThat(seen.get("rules")).isEmpty();
    }

    @Test
    void what_happens_stands_by_the_second() throws Exception {
        requests.put("ok", 1_000L);
        rules = List.of(new Figures.OfRule("shop.user", 1_000, 10, 1));
        var _ = look();

        now += 2 * SECOND;
        requests.put("ok", 1_500L);
        requests.put("over_limit", 50L); // the first of its kind
        IntStream.range(0, 100).forEach(_ -> answers.record(MILLI / 2));
        rules = List.of(new Figures.OfRule("shop.user", 1_500, 30, 11), new Figures.OfRule("shop.path", 50, 0, 50));
        var seen = look();
        assertThat(seen.get("seconds").asDouble()).isEqualTo(2);
        assertThat(seen.get("requests")).hasToString("{\"ok\":250.0,\"over_limit\":25.0}");
        assertThat(seen.get("answer_ms")).hasToString("{\"p50\":0.5,\"p99\":0.99}");
        assertThat(seen.get("store_ms").isNull()).isTrue();
        assertThat(seen.get("remembered").asDouble()).isEqualTo(10);
        assertThat(seen.get("store_failures").asDouble()).isEqualTo(5);
        assertThat(seen.get("rules"))
                .hasToString("[{\"name\":\"shop.user\",\"hits\":250.0,\"near\":10.0,\"over\":5.0},"
                        + "{\"name\":\"shop.path\",\"hits\":25.0,\"near\":0.0,\"over\":25.0}]");
    }

    @Test
    void it_says_how_the_service_is() throws Exception {
        obstacles = List.of("the store was not reached yet");
        var seen = look();
        assertThat(seen.get("version").asText()).isEqualTo("1.2.3");
        assertThat(seen.get("obstacles")).hasToString("[\"the store was not reached yet\"]");
        assertThat(seen.get("store_reachable").asBoolean()).isTrue();
        assertThat(seen.get("connections").asInt()).isEqualTo(3);
        assertThat(seen.get("replicas").asInt()).isEqualTo(2);
        assertThat(seen.get("rules_version").asInt()).isEqualTo(7);
        assertThat(seen.get("rule_count").asInt()).isEqualTo(5);
        assertThat(seen.get("rules_refused").asBoolean()).isFalse();
    }

    @Test
    void many_who_look_cost_what_one_does() {
        String seen = view.json();
        now += SECOND / 2;
        assertThat(view.json()).isSameAs(seen);
        assertThat(looks).isEqualTo(1);
        now += SECOND / 2;
        assertThat(view.json()).isNotSameAs(seen);
        assertThat(looks).isEqualTo(2);
    }

    @Test
    void who_comes_back_much_later_begins_anew() throws Exception {
        var _ = look();
        requests.put("ok", 1_000L);
        now += 60 * SECOND;
        var seen = look();
        assertThat(seen.get("seconds").asDouble()).isZero();
        assertThat(seen.get("requests").get("ok").asDouble()).isZero();
    }

    @Test
    void of_many_rules_those_with_the_most_hits_are_named() throws Exception {
        var _ = look();
        now += SECOND;
        List<Figures.OfRule> many = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            many.add(new Figures.OfRule("rule" + i, i, 0, 0)); // the first was not hit
        }
        rules = many;
        var seen = look();
        assertThat(seen.get("rules_hit").asInt()).isEqualTo(599);
        assertThat(seen.get("rules")).hasSize(500);
        assertThat(seen.get("rules").get(0).get("name").asText()).isEqualTo("rule599");
        assertThat(seen.get("rules").get(499).get("name").asText()).isEqualTo("rule100");
    }

    @Test
    void a_name_of_what_nobody_sees_is_seen() throws Exception {
        var _ = look();
        now += SECOND;
        rules = List.of(new Figures.OfRule("a\u202eb", 1, 0, 0));
        assertThat(look().get("rules").get(0).get("name").asText()).isEqualTo("a\\u{202e}b");
    }
}
