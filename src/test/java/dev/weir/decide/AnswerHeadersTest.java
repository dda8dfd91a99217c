package dev.weir.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Charge;
import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Header;
import dev.weir.request.Request;
import dev.weir.rules.RuleSet;
import dev.weir.rules.yaml.WrittenRules;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the client of a caller is told of its limit, half an hour after midnight. Most rules admit one hit in their window. */
final class AnswerHeadersTest {
    private static final long SECOND = 1_000_000;
    private static final long MIDNIGHT_MICROS = 20_000 * 86_400 * SECOND;
    private static final String RULES = """
            domain: shop
            descriptors:
              - { key: minute, rate_limit: { unit: minute, requests_per_unit: 1 } }
              - { key: hour, rate_limit: { unit: hour, requests_per_unit: 1 } }
              - { key: five, rate_limit: { unit: minute, unit_multiplier: 5, requests_per_unit: 1 } }
              - { key: daily, quota_mode: true, rate_limit: { unit: day, requests_per_unit: 1 } }
              - { key: hourly, quota_mode: true, rate_limit: { unit: hour, requests_per_unit: 1 } }
              - key: both
                rate_limits:
                  - { unit: hour, requests_per_unit: 1 }
                  - { unit: minute, requests_per_unit: 1 }
              - { key: ten, rate_limit: { unit: minute, requests_per_unit: 10 } }
              - { key: three, rate_limit: { unit: hour, requests_per_unit: 3 } }
              - { key: three a day, rate_limit: { unit: day, requests_per_unit: 3 } }
              - { key: free, rate_limit: { unlimited: true } }
              - { key: watched, shadow_mode: true, rate_limit: { unit: day, requests_per_unit: 1 } }
            """;
    private static final Answering.LimitHeaders LIMIT = new Answering.LimitHeaders("Limit", "Left", "Reset");

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore store = new MemoryStore(ticker, 1_000, Long.MAX_VALUE);
    private final RuleSet rules = WrittenRules.read(RULES);

    @BeforeEach
    void half_past_midnight() {
        at(0);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void without_names_there_are_none() {
        assertThat(twice(answering(null, null), "minute")).isEmpty();
    }

    @Test
    void the_limit_of_a_window_that_is_no_unit_tells_its_seconds() {
        assertThat(ask(answering(LIMIT, null), "five")).containsExactly("Limit: 1, 1;w=300", "Left: 0", "Reset: 300");
        assertThat(ask(answering(LIMIT, null), "hour")).containsExactly("Limit: 1", "Left: 0", "Reset: 1800");
    }

    @Test
    void of_several_limits_the_first_with_the_least_left_is_told() {
        var answering = answering(LIMIT, null);
        assertThat(ask(answering, "free", "no rule", "ten")).containsExactly("Limit: 10", "Left: 9", "Reset: 60");
        assertThat(ask(answering, "ten", "three", "three a day")).containsExactly("Limit: 3", "Left: 2", "Reset: 1800");
        assertThat(ask(answering, "three a day", "three", "ten"))
                .containsExactly("Limit: 3", "Left: 1", "Reset: 84600");
        assertThat(ask(answering, "free", "no rule")).isEmpty();
    }

    @Test
    void a_quota_that_is_over_is_not_told_before_a_limit_that_refuses_by_itself() {
        var answering = answering(LIMIT, null);
        ask(answering, "minute", "daily");
        assertThat(ask(answering, "minute", "daily")).containsExactly("Limit: 1", "Left: 0", "Reset: 60");
        assertThat(ask(answering, "daily", "minute")).containsExactly("Limit: 1", "Left: 0", "Reset: 60");
    }

    @Test
    void a_refusal_says_when_to_come_back_and_an_answer_that_lets_pass_does_not() {
        var answering = answering(null, "Retry-After");
        assertThat(ask(answering, "minute")).isEmpty();
        at(20);
        assertThat(ask(answering, "minute")).containsExactly("Retry-After: 40");
    }

    @Test
    void it_stands_beside_those_of_the_limit() {
        assertThat(twice(answering(LIMIT, "Retry-After"), "minute"))
                .containsExactly("Limit: 1", "Left: 0", "Reset: 60", "Retry-After: 60");
    }

    @Test
    void of_those_that_refuse_by_themselves_the_last_to_let_pass_counts_and_not_the_one_that_is_told() {
        var answering = answering(LIMIT, "Retry-After");
        ask(answering, "hour", "minute");
        assertThat(ask(answering, "hour", "minute"))
                .containsExactly("Limit: 1", "Left: 0", "Reset: 60", "Retry-After: 1800");
        assertThat(ask(answering, "minute", "hour")).contains("Retry-After: 1800");
    }

    @Test
    void of_those_that_refuse_only_together_the_first_to_let_pass_counts() {
        var answering = answering(null, "Retry-After");
        ask(answering, "daily", "hourly", "minute");
        assertThat(ask(answering, "daily")).containsExactly("Retry-After: 84600");
        assertThat(ask(answering, "daily", "hourly")).containsExactly("Retry-After: 1800");
        assertThat(ask(answering, "minute", "daily", "hourly"))
                .as("they and the minute refuse")
                .containsExactly("Retry-After: 1800");
    }

    @Test
    void what_refuses_nothing_delays_nobody() {
        var answering = answering(null, "Retry-After");
        ask(answering, "minute", "daily", "watched");
        assertThat(ask(answering, "minute", "watched")).containsExactly("Retry-After: 60");
        assertThat(ask(answering, "minute", "daily", "hourly"))
                .as("the hourly quota saves the daily one")
                .containsExactly("Retry-After: 60");
    }

    @Test
    void of_several_limits_on_a_descriptor_the_last_counts() {
        assertThat(twice(answering(null, "Retry-After"), "both")).containsExactly("Retry-After: 1800");
    }

    @Test
    void where_all_is_quota_the_first_of_all_counts_and_what_has_no_limit_saves_them() {
        var quota = new Answering(false, true, null, "Retry-After", false, FailurePolicy.ERROR, Charge.ALWAYS);
        ask(quota, "minute", "hour");
        assertThat(ask(quota, "hour", "minute")).containsExactly("Retry-After: 60");
        assertThat(ask(quota, "hour", "minute", "free")).containsExactly("Retry-After: 60");
        assertThat(ask(quota, "hour", "minute", "no rule")).isEmpty();
    }

    @Test
    void a_limit_that_is_sent_along_counts_as_a_rule_does() {
        var own = Descriptor.of(new Entry("no rule", "x")).withLimit(Quota.per(Unit.HOUR, 1));
        decide(answering(null, "Retry-After"), List.of(own));
        assertThat(decide(answering(null, "Retry-After"), List.of(own))).containsExactly("Retry-After: 1800");
    }

    @Test
    void where_nothing_is_refused_nobody_is_told_to_come_back() {
        var shadow = new Answering(true, false, null, "Retry-After", false, FailurePolicy.ERROR, Charge.ALWAYS);
        assertThat(twice(shadow, "minute")).isEmpty();
    }

    private void at(long second) {
        ticker.set(MIDNIGHT_MICROS + (30 * 60 + second) * SECOND);
    }

    private List<String> twice(Answering answering, String key) {
        ask(answering, key);
        return ask(answering, key);
    }

    /** Hits these rules in one request, and returns the headers of the answer. */
    private List<String> ask(Answering answering, String... keys) {
        var descriptors = new ArrayList<Descriptor>();
        for (String key : keys) {
            descriptors.add(Descriptor.of(new Entry(key, "x")));
        }
        return decide(answering, descriptors);
    }

    private List<String> decide(Answering answering, List<Descriptor> descriptors) {
        List<Header> headers = new Decider(
                        () -> rules, store, null, new Bounds(8, 8, 1_000_000), answering, new DeafListener())
                .decide(new Request("shop", descriptors, 0))
                .verdict()
                .toCompletableFuture()
                .join()
                .headers();
        return headers.stream()
                .map(header -> header.name() + ": " + header.value())
                .toList();
    }

    private static Answering answering(Answering.@Nullable LimitHeaders ofLimit, @Nullable String retryAfter) {
        return new Answering(false, false, ofLimit, retryAfter, false, FailurePolicy.ERROR, Charge.ALWAYS);
    }
}
