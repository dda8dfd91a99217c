package dev.weir.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.limit.Algorithm;
import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Status;
import dev.weir.request.Verdict;
import dev.weir.rules.RuleSet;
import dev.weir.store.StoreContract;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The store was asked, and a part of it fails. What the others have said holds. */
final class PartlyFailingTest {
    private static final Quota TWO = Quota.per(Unit.MINUTE, 2);
    private static final Limit WINDOW = Limit.fixedWindow(TWO);
    private static final Limit BUCKET = Limit.of(TWO, new Algorithm.TokenBucket(2));
    private static final Limit HOURLY = Limit.fixedWindow(Quota.per(Unit.HOUR, 9));

    /** What is kept in the part that is full has it in its name, or is counted by the hour. */
    private final RuleSet rules = Shop.rules(
            Shop.rule("login", false, FailurePolicy.ERROR, WINDOW),
            Shop.rule("bucket", false, FailurePolicy.ERROR, BUCKET),
            Shop.rule("both", false, FailurePolicy.ALLOW, HOURLY, WINDOW),
            Shop.rule("north", true, FailurePolicy.ERROR, WINDOW),
            Shop.rule("full-allow", false, FailurePolicy.ALLOW, WINDOW),
            Shop.rule("full-deny", false, FailurePolicy.DENY, WINDOW),
            Shop.rule("full-error", false, FailurePolicy.ERROR, WINDOW),
            Shop.rule("full-own-bucket", false, FailurePolicy.LOCAL, BUCKET),
            Shop.rule("full-south", true, FailurePolicy.ALLOW, WINDOW));

    private final NotedHits noted = new NotedHits();
    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore shared = new MemoryStore(ticker, 99, Long.MAX_VALUE);
    private final MemoryStore own = new MemoryStore(ticker, 99, Long.MAX_VALUE);
    private final Decider decider = Shop.decider(
            rules,
            new PartlyFailingStore(
                    shared,
                    check -> check.limit().equals(HOURLY)
                            || new String(check.key().bytes(), StandardCharsets.ISO_8859_1).contains("full")),
            own,
            noted);

    @BeforeEach
    void noon() {
        ticker.set(StoreContract.NOON_MICROS);
    }

    @AfterEach
    void close() {
        shared.close();
        own.close();
    }

    @Test
    void a_limit_that_was_asked_refuses_beside_one_that_could_not_be() {
        assertThat(ask("full-allow", "login").statuses())
                .containsExactly(Status.NO_RULE, new Status(false, TWO, "", 1, 60_000_000));
        assertThat(ask("full-allow", "login").isOver()).isFalse();
        assertThat(ask("full-allow", "login").isOver()).isTrue();
        assertThat(noted.policies).containsOnly(FailurePolicy.ALLOW).hasSize(3);
        assertThat(noted.heard.subList(0, 2)).containsExactly("undecided shop.full-allow", "decided shop.login by 2");
    }

    @Test
    void what_could_not_be_asked_makes_the_answer_an_error_unless_it_is_refused() {
        assertError("login", "full-error");
        assertError("login", "full-error");
        assertThat(ask("login", "full-error").isOver()).isTrue();
        assertError("full-error");
    }

    @Test
    void what_is_denied_refuses_what_was_charged() {
        assertThat(ask("full-deny", "login").isOver()).isTrue();
        assertThat(ask("login").statuses().getFirst().remaining())
                .as("of two, both counted")
                .isZero();
    }

    @Test
    void its_own_counters_know_what_the_store_has_refused() {
        ask("login");
        ask("login");
        assertThat(ask("login", "full-own-bucket").statuses())
                .extracting(Status::remaining)
                .as("it charges nothing on admission")
                .containsExactly(0L, 2L);
        assertThat(ask("full-own-bucket").statuses().getFirst().remaining()).isEqualTo(1);
    }

    @Test
    void a_limit_that_refuses_is_enough_to_refuse_its_descriptor() {
        assertThat(ask("both").statuses()).as("the other may refuse").containsExactly(Status.NO_RULE);
        ask("both");
        var refused = ask("both", "bucket");
        assertThat(refused.isOver()).isTrue();
        assertThat(refused.statuses().getFirst()).isEqualTo(new Status(true, TWO, TWO.toString(), 0, 60_000_000));
        assertThat(noted.heard)
                .endsWith(
                        "decided shop.both by 2",
                        "decided shop.both by name",
                        "undecided shop.both by name",
                        "decided shop.bucket by 2");
        assertThat(refused.waitMicros()).isEqualTo(60_000_000);
    }

    @Test
    void quotas_refuse_only_together_also_where_one_could_not_be_asked() {
        ask("north");
        ask("north");
        assertThat(ask("north").isOver()).isTrue();
        assertThat(ask("north", "full-south").isOver()).isFalse();
    }

    private void assertError(String... keys) {
        assertThatThrownBy(() -> ask(keys))
                .hasCauseInstanceOf(UndecidedException.class)
                .hasMessageContaining("a part of it is full");
    }

    private Verdict ask(String... keys) {
        return Shop.ask(decider, keys);
    }
}
