package dev.weir.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Charge;
import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Request;
import dev.weir.rules.RuleSet;
import dev.weir.rules.yaml.WrittenRules;
import dev.weir.store.StoreContract;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the filters of a caller are told beside the verdict: the request, and what the rules of it attach. */
final class DynamicMetadataTest {
    private static final String RULES = """
            domain: shop
            descriptors:
              - key: gold
                rate_limit: {unit: minute, requests_per_unit: 2}
                metadata: {tier: gold, labels: {team: one, deep: {a: 1}}, mixed: {b: 2}}
              - key: silver
                rate_limit: {unit: minute, requests_per_unit: 2}
                metadata: {tier: silver, more: true, labels: {team: two, zone: z, deep: {a: 3, c: 4}}, mixed: text}
              - key: text
                rate_limit: {unit: minute, requests_per_unit: 2}
                metadata: {mixed: text}
              - key: free
                rate_limit: {unlimited: true}
                metadata: {tier: free}
              - key: plain
                rate_limit: {unit: minute, requests_per_unit: 2}
            """;
    private static final Answering ANSWERING =
            new Answering(false, false, null, null, true, FailurePolicy.ERROR, Charge.ALWAYS);

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore store = new MemoryStore(ticker, 1_000, Long.MAX_VALUE);
    private final RuleSet rules = WrittenRules.read(RULES);

    @BeforeEach
    void noon() {
        ticker.set(StoreContract.NOON_MICROS);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void it_repeats_the_request() {
        var asks = new Request(
                "shop",
                List.of(
                        Descriptor.of(new Entry("plain", "x"), new Entry("k", "")),
                        Descriptor.of(new Entry("no rule", "y=z")).withHits(0)),
                3);
        assertThat(told(asks))
                .isEqualTo(Map.of(
                        "domain",
                        "shop",
                        "descriptors",
                        List.of(
                                Map.of("entries", List.of("plain=x", "k=")),
                                Map.of("entries", List.of("no rule=y=z"), "hitsAddend", 0.0)),
                        "hitsAddend",
                        3.0));
        assertThat(told("plain")).doesNotContainKey("hitsAddend");
    }

    /** As protobuf's text format has it. */
    @ParameterizedTest
    @CsvSource({
        "5, 60, requests_per_unit:5 unit:MINUTE",
        "0, 3600, unit:HOUR",
        "7, 604800, requests_per_unit:7 unit:7",
        "7, 300, requests_per_unit:7"
    })
    void it_repeats_the_limit_that_a_caller_sent_along(long hits, long seconds, String text) {
        var sent = Descriptor.of(new Entry("plain", "x")).withLimit(new Quota(hits, seconds));
        assertThat(told(new Request("shop", List.of(sent), 0)))
                .containsEntry("descriptors", List.of(Map.of("entries", List.of("plain=x"), "limit", text)));
    }

    @Test
    void of_what_rules_attach_the_first_says_what_several_say_and_maps_are_merged() {
        assertThat(attached("gold", "silver"))
                .isEqualTo(Map.of(
                        "tier",
                        "gold",
                        "more",
                        true,
                        "labels",
                        Map.of("team", "one", "zone", "z", "deep", Map.of("a", 1.0, "c", 4.0)),
                        "mixed",
                        Map.of("b", 2.0)));
        assertThat(attached("text", "gold"))
                .isEqualTo(Map.of(
                        "mixed", "text", "tier", "gold", "labels", Map.of("team", "one", "deep", Map.of("a", 1.0))));
    }

    @Test
    void rules_that_refuse_or_let_all_pass_attach_nothing() {
        assertThat(told("free", "plain")).doesNotContainKey("metadata");
        told("gold");
        told("gold");
        assertThat(told("gold")).as("over its limit").doesNotContainKey("metadata");
        assertThat(attached("gold", "text")).isEqualTo(Map.of("mixed", "text"));
    }

    @Test
    void a_limit_that_is_sent_along_stands_in_no_rule() {
        var sent = Descriptor.of(new Entry("gold", "x")).withLimit(Quota.per(Unit.HOUR, 5));
        assertThat(told(new Request("shop", List.of(sent), 0))).doesNotContainKey("metadata");
    }

    private Object attached(String... keys) {
        return told(keys).getOrDefault("metadata", "nothing");
    }

    private Map<String, Object> told(String... keys) {
        List<Descriptor> descriptors = List.of(keys).stream()
                .map(key -> Descriptor.of(new Entry(key, "x")))
                .toList();
        return told(new Request("shop", descriptors, 0));
    }

    private Map<String, Object> told(Request request) {
        return new Decider(() -> rules, store, null, new Bounds(8, 8, 1_000), ANSWERING, new DeafListener())
                .decide(request)
                .verdict()
                .toCompletableFuture()
                .join()
                .metadata();
    }
}
