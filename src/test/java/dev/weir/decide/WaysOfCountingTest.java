package dev.weir.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Charge;
import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import dev.weir.rules.RuleSet;
import dev.weir.rules.yaml.WrittenRules;
import dev.weir.store.StoreContract;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What rules beyond those of the Go service lead to, from the words of a file to the verdict. */
final class WaysOfCountingTest {
    private static final long SECOND = 1_000_000;
    private static final String RULES = """
            domain: shop
            descriptors:
              - key: user
                rate_limits:
                  - {name: burst, unit: second, requests_per_unit: 2, algorithm: sliding_log}
                  - {name: day, unit: day, requests_per_unit: 5, algorithm: sliding_log}
              - key: search
                rate_limits:
                  - {name: burst, unit: second, requests_per_unit: 2, algorithm: sliding_log}
                  - {name: hour, unit: hour, requests_per_unit: 5, algorithm: sliding_log}
                  - {name: minute, unit: minute, requests_per_unit: 3, algorithm: sliding_log}
              - key: path
                rate_limit: {unit: minute, requests_per_unit: 3, algorithm: gcra}
              - key: login
                rate_limit: {unit: minute, requests_per_unit: 2, block_for: 30m}
              - key: watched
                shadow_mode: true
                rate_limit: {unit: minute, requests_per_unit: 1, block_for: 30m}
              - key: tokens
                rate_limit: {unit: minute, requests_per_unit: 10, algorithm: token_bucket, charge: drain}
              - key: queue
                rate_limit: {unit: second, requests_per_unit: 4, algorithm: leaky_bucket, burst: 8}
              - key: line
                shadow_mode: true
                rate_limit: {unit: second, requests_per_unit: 2, algorithm: leaky_bucket}
              - key: quota
                quota_mode: true
                rate_limit: {unit: minute, requests_per_unit: 1, charge: on_admit}
              - key: trial
                quota_mode: true
                shadow_mode: true
                rate_limit: {unit: minute, requests_per_unit: 1}
              - key: vip
                rate_limit: {unit: minute, requests_per_unit: 100, replaces: [{name: burst}]}
            """;

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore store = new MemoryStore(ticker, 1_000, Long.MAX_VALUE);
    private final RuleSet rules = WrittenRules.read(RULES);

    @BeforeEach
    void noon() {
        at(0);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void of_several_limits_the_status_shows_the_one_with_the_smallest_share_left() {
        assertThat(ask(of("user", "7"))).containsExactly("burst: 1 of 2 for 1 s");
        at(2);
        assertThat(ask(of("user", "7"))).containsExactly("burst: 1 of 2 for 1 s");
        at(4);
        ask(of("user", "7"));
        at(6);
        assertThat(ask(of("user", "7"))).containsExactly("day: 1 of 5 for 86400 s");
    }

    @Test
    void of_several_that_refuse_it_shows_the_one_with_the_longest_wait_and_none_is_charged() {
        ask(of("user", "7"));
        ask(of("user", "7"));
        assertThat(ask(of("user", "7"))).containsExactly("OVER burst: 0 of 2 for 1 s");
        at(10);
        ask(of("user", "7"));
        at(20);
        ask(of("user", "7"));
        at(30);
        assertThat(ask(of("user", "7"))).containsExactly("day: 0 of 5 for 86400 s");
        assertThat(ask(of("user", "7"))).containsExactly("OVER day: 0 of 5 for 86370 s");
        assertThat(ask(look("user", "7"))).containsExactly("day: 0 of 5 for 86400 s");
    }

    @Test
    void the_limit_that_is_shown_may_stand_between_two_others() {
        ask(hits("search", "s", 2));
        at(10);
        assertThat(ask(of("search", "s"))).containsExactly("minute: 0 of 3 for 60 s");
        at(65);
        var status = ask(of("search", "s")); // a half is left of the burst, a third of the minute, a fifth of the hour
        assertThat(status).containsExactly("hour: 1 of 5 for 3600 s");
        ask(of("search", "s"));
        at(68); // the burst admits again, the minute will in two seconds
        assertThat(ask(of("search", "s"))).containsExactly("OVER hour: 0 of 5 for 3532 s");
    }

    @Test
    void a_request_that_one_limit_refuses_costs_nothing_anywhere() {
        for (int i = 0; i < 3; i++) {
            ask(of("path", "/a"));
        }
        assertThat(ask(of("user", "7"), of("path", "/a")))
                .containsExactly("burst: 2 of 2 for 1 s", "OVER : 0 of 3 for 20 s");
        assertThat(ask(of("user", "7"))).containsExactly("burst: 1 of 2 for 1 s");
    }

    @Test
    void equal_descriptors_of_one_request_see_each_other() {
        assertThat(ask(of("path", "/a"), of("path", "/a"), of("path", "/a")))
                .containsExactly(": 2 of 3 for 20 s", ": 1 of 3 for 40 s", ": 0 of 3 for 60 s");
        at(60);
        var four = ask(of("path", "/a"), of("path", "/a"), of("path", "/a"), of("path", "/a"));
        assertThat(four).startsWith(": 3 of 3 for 1 s").endsWith("OVER : 0 of 3 for 20 s");
        assertThat(ask(of("path", "/a"))).containsExactly(": 2 of 3 for 20 s");
    }

    @Test
    void a_quota_that_is_over_keeps_no_other_from_being_charged() {
        ask(of("quota", "a"));
        assertThat(ask(of("quota", "a"), of("quota", "b"), of("path", "/a")))
                .containsExactly("OVER : 0 of 1 for 60 s", ": 0 of 1 for 60 s", ": 2 of 3 for 20 s");
        assertThat(ask(of("quota", "a"), of("quota", "b"), of("path", "/a")))
                .containsExactly("OVER : 0 of 1 for 60 s", "OVER : 0 of 1 for 60 s", ": 2 of 3 for 20 s");
        assertThat(ask(look("path", "/a"))).containsExactly(": 2 of 3 for 20 s");
    }

    @Test
    void a_shadow_rule_that_is_over_keeps_no_other_from_being_charged() {
        ask(of("watched", "x"));
        assertThat(ask(of("watched", "x"), of("path", "/a"))).containsExactly(": 0 of 1 for 60 s", ": 2 of 3 for 20 s");
        assertThat(ask(look("path", "/a"))).containsExactly(": 2 of 3 for 20 s");
    }

    @Test
    void a_quota_in_shadow_saves_those_that_are_over_and_the_others_are_charged() {
        ask(of("quota", "a"), of("trial", "t"));
        assertThat(decide(rules, of("quota", "a"), of("path", "/a")).isOver()).isTrue();
        assertThat(ask(look("path", "/a"))).containsExactly(": 3 of 3 for 1 s");
        assertThat(decide(rules, of("quota", "a"), of("trial", "t"), of("path", "/a"))
                        .isOver())
                .isFalse();
        assertThat(ask(look("path", "/a"))).containsExactly(": 2 of 3 for 20 s");
    }

    @Test
    void where_all_is_quota_what_no_rule_limits_saves_the_others_and_they_are_charged() {
        var answering = new Answering(false, true, null, null, false, FailurePolicy.ERROR, Charge.ALWAYS);
        decide(answering, hits("user", "7", 2)); // the burst is spent, the day is not
        assertThat(decide(answering, of("user", "7")).isOver()).isTrue();
        at(10);
        assertThat(ask(look("user", "7"))).containsExactly("day: 3 of 5 for 86390 s");
        at(20);
        decide(answering, hits("user", "7", 2));
        assertThat(decide(answering, of("user", "7"), of("nothing", "x")).isOver())
                .isFalse();
        at(30);
        assertThat(ask(look("user", "7"))).containsExactly("day: 0 of 5 for 86390 s");
    }

    @Test
    void after_a_refusal_the_counter_is_locked_and_hits_do_not_prolong_it() {
        ask(of("login", "eve"));
        ask(of("login", "eve"));
        assertThat(ask(of("login", "eve"))).containsExactly("OVER : 0 of 2 for 1800 s");
        at(600);
        assertThat(ask(of("login", "eve"))).containsExactly("OVER : 0 of 2 for 1200 s");
        assertThat(ask(look("login", "eve"))).containsExactly("OVER : 0 of 2 for 1200 s");
        assertThat(ask(refund("login", "eve", 1))).containsExactly(": 0 of 2 for 1200 s");
        at(1799);
        assertThat(ask(of("login", "eve"))).containsExactly("OVER : 0 of 2 for 1 s");
        at(1800);
        assertThat(ask(of("login", "eve"))).containsExactly(": 1 of 2 for 60 s");
    }

    @Test
    void a_lock_outlives_rules_that_change_the_limit() {
        for (int i = 0; i < 3; i++) {
            ask(of("login", "eve"));
        }
        var looser = WrittenRules.read(
                RULES.replace("requests_per_unit: 2, block_for: 30m", "requests_per_unit: 9, block_for: 1m"));
        at(900);
        assertThat(statuses(decide(looser, of("login", "eve")))).containsExactly("OVER : 0 of 9 for 900 s");
    }

    @Test
    void a_lock_holds_nobody_up_while_its_rule_says_none_and_holds_again_when_it_does() {
        for (int i = 0; i < 3; i++) {
            ask(of("login", "eve"));
        }
        var without = WrittenRules.read(RULES.replace("requests_per_unit: 2, block_for: 30m", "requests_per_unit: 2"));
        at(600);
        assertThat(statuses(decide(without, of("login", "eve")))).containsExactly(": 1 of 2 for 60 s");
        assertThat(ask(of("login", "eve"))).as("put back").containsExactly("OVER : 0 of 2 for 1200 s");
        var shadow = WrittenRules.read(RULES.replace("- key: login", "- key: login\n    shadow_mode: true"));
        at(660);
        assertThat(statuses(decide(shadow, of("login", "eve")))).containsExactly(": 1 of 2 for 60 s");
        at(1800);
        assertThat(ask(of("login", "eve"))).as("its end has not moved").containsExactly(": 1 of 2 for 60 s");
    }

    @Test
    void a_shadow_rule_never_locks() {
        ask(of("watched", "x"));
        assertThat(ask(of("watched", "x"))).containsExactly(": 0 of 1 for 60 s");
        at(60);
        assertThat(ask(of("watched", "x"))).containsExactly(": 0 of 1 for 60 s");
        assertThat(decide(rules, of("watched", "x")).isOver()).isFalse();
    }

    @Test
    void a_drain_takes_what_is_left_though_it_is_too_little() {
        assertThat(ask(hits("tokens", "t", 7))).containsExactly(": 3 of 10 for 42 s");
        assertThat(ask(hits("tokens", "t", 7))).containsExactly("OVER : 0 of 10 for 42 s");
        assertThat(ask(look("tokens", "t"))).containsExactly("OVER : 0 of 10 for 6 s");
        at(6);
        assertThat(ask(look("tokens", "t"))).containsExactly(": 1 of 10 for 54 s");
    }

    @Test
    void a_leaky_bucket_says_in_the_metadata_how_long_to_wait() {
        var answering = new Answering(false, false, null, null, true, FailurePolicy.ERROR, Charge.ALWAYS);
        assertThat(decide(answering, of("queue", "q")).metadata()).containsEntry("weir", Map.of("delay_ms", 0.0));
        assertThat(decide(answering, hits("queue", "q", 3)).metadata())
                .containsEntry("weir", Map.of("delay_ms", 250.0));
        assertThat(decide(answering, of("queue", "q"), of("path", "/a")).metadata())
                .containsEntry("weir", Map.of("delay_ms", 1_000.0));
        assertThat(decide(answering, of("path", "/a")).metadata()).doesNotContainKey("weir");
        assertThat(decide(answering, hits("queue", "q", 5)).metadata()).doesNotContainKey("weir");
    }

    @Test
    void a_full_leaky_bucket_that_refuses_nothing_says_nothing() {
        var answering = new Answering(false, false, null, null, true, FailurePolicy.ERROR, Charge.ALWAYS);
        assertThat(decide(answering, hits("line", "l", 2)).metadata()).containsKey("weir");
        assertThat(decide(answering, of("line", "l")).metadata()).doesNotContainKey("weir");
    }

    @Test
    void a_replaced_limit_leaves_the_others_of_its_rule() {
        assertThat(ask(of("user", "7"), of("vip", "7")))
                .containsExactly("day: 4 of 5 for 86400 s", ": 99 of 100 for 60 s");
        assertThat(ask(of("user", "7"))).containsExactly("burst: 1 of 2 for 1 s");
    }

    @Test
    void a_limit_that_the_caller_sends_is_counted_as_the_rule_would_be() {
        var tenASecond = new Descriptor(of("queue", "q").entries(), Quota.per(Unit.SECOND, 10), 20, false);
        assertThat(ask(tenASecond))
                .containsExactly(": 0 of 10 for 2 s"); // the bucket holds twice the rate, as the rule's
        assertThat(ask(of("queue", "q"))).containsExactly("OVER : 0 of 4 for 4 s"); // 20 are in it, 8 may be
        var unknown = new Descriptor(of("none", "x").entries(), Quota.per(Unit.MINUTE, 10), 4, false);
        assertThat(ask(unknown)).containsExactly(": 6 of 10 for 60 s");
    }

    private void at(long second) {
        ticker.set(StoreContract.NOON_MICROS + second * SECOND);
    }

    private List<String> ask(Descriptor... descriptors) {
        return statuses(decide(rules, descriptors));
    }

    private Verdict decide(RuleSet inForce, Descriptor... descriptors) {
        return decide(inForce, Answering.PLAIN, descriptors);
    }

    private Verdict decide(Answering answering, Descriptor... descriptors) {
        return decide(rules, answering, descriptors);
    }

    private Verdict decide(RuleSet inForce, Answering answering, Descriptor... descriptors) {
        return new Decider(() -> inForce, store, null, new Bounds(8, 8, 1_000_000), answering, new DeafListener())
                .decide(new Request("shop", Arrays.asList(descriptors), 0))
                .verdict()
                .toCompletableFuture()
                .join();
    }

    private static List<String> statuses(Verdict verdict) {
        var texts = new ArrayList<String>();
        for (var status : verdict.statuses()) {
            texts.add((status.isOver() ? "OVER " : "") + status.name() + ": " + status.remaining() + " of "
                    + (status.quota() == null ? "nothing" : status.quota().hits()) + " for " + status.resetSeconds()
                    + " s");
        }
        return texts;
    }

    private static Descriptor of(String key, String value) {
        return Descriptor.of(new Entry(key, value));
    }

    private static Descriptor look(String key, String value) {
        return hits(key, value, 0);
    }

    private static Descriptor hits(String key, String value, long hits) {
        return new Descriptor(of(key, value).entries(), null, hits, false);
    }

    private static Descriptor refund(String key, String value, long hits) {
        return new Descriptor(of(key, value).entries(), null, hits, true);
    }
}
