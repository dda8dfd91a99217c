package dev.weir.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import dev.weir.rules.Domain;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.RateLimit;
import dev.weir.rules.RuleNode;
import dev.weir.rules.RuleNode.Flags;
import dev.weir.rules.RuleSet;
import dev.weir.store.StoreContract;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who is refused, waits as long as it is told, and is alone, passes then. */
final class WaitTest {
    private static final long SECOND = 1_000_000;
    private static final Limit ONE_A_SECOND = Limit.of(Quota.per(Unit.MINUTE, 60), new Algorithm.TokenBucket(1));
    private static final Limit TWO_AN_HOUR = Limit.fixedWindow(Quota.per(Unit.HOUR, 2));

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore store = new MemoryStore(ticker, 1_000, Long.MAX_VALUE);
    private long now = StoreContract.NOON_MICROS;

    @Test
    void a_bucket_that_refuses_is_waited_for() {
        var rules = rules(node("user", ONE_A_SECOND));
        assertThat(ask(rules, "user").isOver()).isFalse();
        assertThat(passesAfterItsWait(rules, "user")).isEqualTo(SECOND);
    }

    @Test
    void so_is_the_window_that_the_refused_request_has_filled() {
        var rules = rules(node("ip", TWO_AN_HOUR), node("user", ONE_A_SECOND));
        assertThat(ask(rules, "ip", "user").isOver()).isFalse();
        assertThat(passesAfterItsWait(rules, "ip", "user")).isEqualTo(3_600 * SECOND);
    }

    @Test
    void so_is_one_that_it_has_drained() {
        var drained = new Limit(TWO_AN_HOUR.quota(), TWO_AN_HOUR.algorithm(), Charge.DRAIN, 0);
        var rules = rules(node("ip", drained), node("user", ONE_A_SECOND));
        assertThat(ask(rules, "ip", "user").isOver()).isFalse();
        assertThat(passesAfterItsWait(rules, "ip", "user")).isEqualTo(3_600 * SECOND);
    }

    @Test
    void also_where_both_are_limits_on_one_descriptor() {
        var rules = rules(node("user", ONE_A_SECOND, TWO_AN_HOUR));
        assertThat(ask(rules, "user").isOver()).isFalse();
        assertThat(passesAfterItsWait(rules, "user")).isEqualTo(3_600 * SECOND);
    }

    @Test
    void a_window_that_has_room_for_another_is_not() {
        var rules = rules(node("ip", Limit.fixedWindow(Quota.per(Unit.HOUR, 3))), node("user", ONE_A_SECOND));
        assertThat(ask(rules, "ip", "user").isOver()).isFalse();
        assertThat(passesAfterItsWait(rules, "ip", "user")).isEqualTo(SECOND);
    }

    @Test
    void what_passes_in_shadow_mode_alone_is_held_by_no_bucket() {
        var leaky = Limit.of(Quota.per(Unit.MINUTE, 60), new Algorithm.LeakyBucket(2));
        var rules = rules(node("user", leaky), node("ip", Limit.fixedWindow(Quota.per(Unit.HOUR, 0))));
        var shadow = new Answering(true, false, null, null, false, FailurePolicy.ERROR, Charge.ALWAYS);
        ask(rules, shadow, "user");
        assertThat(ask(rules, shadow, "user").waitMicros()).isEqualTo(SECOND);
        Verdict verdict = ask(rules, shadow, "user", "ip");
        assertThat(verdict.isOver()).isFalse();
        assertThat(verdict.waitMicros()).isZero();
    }

    /** Returns what a refused request is told to wait. */
    private long passesAfterItsWait(RuleSet rules, String... keys) {
        Verdict refused = ask(rules, keys);
        assertThat(refused.isOver()).isTrue();
        now += refused.waitMicros();
        assertThat(ask(rules, keys).isOver()).isFalse();
        return refused.waitMicros();
    }

    private Verdict ask(RuleSet rules, String... keys) {
        return ask(rules, Answering.PLAIN, keys);
    }

    private Verdict ask(RuleSet rules, Answering answering, String... keys) {
        ticker.set(now);
        var descriptors = Arrays.stream(keys)
                .map(key -> Descriptor.of(new Entry(key, "x")))
                .toArray(Descriptor[]::new);
        return new Decider(() -> rules, store, null, new Bounds(64, 32, 1_000), answering, new DeafListener())
                .decide(Request.of("shop", descriptors))
                .verdict()
                .toCompletableFuture()
                .join();
    }

    private static RuleSet rules(RuleNode... nodes) {
        return RuleSet.of(List.of(Domain.of("shop", List.of(nodes))));
    }

    private static RuleNode node(String key, Limit... limits) {
        var named = Stream.of(limits).map(limit -> new NamedLimit(limit, "")).toList();
        return new RuleNode(key, "", new RateLimit(named, List.of()), Flags.NONE, Map.of(), List.of());
    }
}
