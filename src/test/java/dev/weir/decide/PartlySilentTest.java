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
import dev.weir.rules.RateLimit;
import dev.weir.rules.RuleNode;
import dev.weir.rules.RuleNode.Flags;
import dev.weir.rules.RuleSet;
import dev.weir.store.Beyond;
import dev.weir.store.Check;
import dev.weir.store.Plan;
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

/** A part of the store is silent. What the others keep is decided all the same. */
final class PartlySilentTest {
    private static final Quota TWO = Quota.per(Unit.MINUTE, 2);
    private static final Limit WINDOW = Limit.fixedWindow(TWO);
    private static final Limit BUCKET = Limit.of(TWO, new Algorithm.TokenBucket(2));
    private static final Limit QUEUE = Limit.of(Quota.per(Unit.SECOND, 1), new Algorithm.LeakyBucket(2));
    private static final Limit HOURLY = Limit.fixedWindow(Quota.per(Unit.HOUR, 9));

    /** What is kept in the part that is silent has it in its name. */
    private final RuleSet rules = Shop.rules(
            Shop.rule("login", false, FailurePolicy.ERROR, WINDOW),
            Shop.rule("bucket", false, FailurePolicy.ERROR, BUCKET),
            Shop.rule("queue", false, FailurePolicy.ERROR, QUEUE),
            Shop.rule("both", false, FailurePolicy.ERROR, WINDOW, HOURLY),
            Shop.rule("north", true, FailurePolicy.ERROR, WINDOW),
            Shop.rule("silent-allow", false, FailurePolicy.ALLOW, WINDOW),
            Shop.rule("silent-deny", false, FailurePolicy.DENY, WINDOW),
            Shop.rule("silent-error", false, FailurePolicy.ERROR, WINDOW),
            Shop.rule("silent-local", false, FailurePolicy.LOCAL, WINDOW),
            Shop.rule("silent-own-bucket", false, FailurePolicy.LOCAL, BUCKET),
            Shop.rule("silent-south", true, FailurePolicy.DENY, WINDOW),
            Shop.rule("silent-east", true, FailurePolicy.ALLOW, WINDOW),
            Shop.rule("silent-west", true, FailurePolicy.LOCAL, WINDOW),
            new RuleNode("staff", "", RateLimit.unlimited(List.of()), Flags.NONE, Map.of(), List.of()));

    private final NotedHits noted = new NotedHits();
    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore shared = new MemoryStore(ticker, 99, Long.MAX_VALUE);
    private final MemoryStore own = new MemoryStore(ticker, 99, Long.MAX_VALUE);
    private final PartlySilentStore store = PartlySilentStore.of(shared, "silent");
    private final Decider decider = deciderOn(store);

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
    void a_limit_that_can_be_asked_refuses_beside_one_that_cannot() {
        assertThat(ask("silent-allow", "login").statuses()).containsExactly(Status.NO_RULE, login(false, 1));
        assertThat(ask("silent-allow", "login").isOver()).isFalse();
        var third = ask("silent-allow", "login");
        assertThat(third.isOver()).isTrue();
        assertThat(third.statuses()).containsExactly(Status.NO_RULE, login(true, 0));
        assertThat(noted.policies).containsOnly(FailurePolicy.ALLOW).hasSize(3);
        assertThat(noted.heard.subList(0, 2)).containsExactly("undecided shop.silent-allow", "decided shop.login by 2");
    }

    @Test
    void what_nobody_can_ask_makes_the_answer_an_error_unless_it_is_refused() {
        assertError("login", "silent-error");
        assertError("login", "silent-error");
        assertThat(noted.heard).containsOnly("undecided shop.login", "undecided shop.silent-error");
        assertThat(ask("login", "silent-error").statuses()).containsExactly(login(true, 0), Status.NO_RULE);
    }

    @Test
    void what_is_denied_refuses_and_charges_nothing_on_admission() {
        var verdict = ask("silent-deny", "login", "bucket");
        assertThat(verdict.isOver()).isTrue();
        assertThat(verdict.statuses())
                .extracting(Status::remaining)
                .as("a fixed window is charged all the same")
                .containsExactly(0L, 1L, 2L);
        assertThat(ask("silent-allow", "bucket").statuses().getLast().remaining())
                .isEqualTo(1);
    }

    @Test
    void the_store_knows_what_its_own_counters_have_refused() {
        ask("silent-local", "bucket");
        ask("silent-local");
        var refused = ask("silent-local", "bucket");
        assertThat(refused.isOver()).as("its own share").isTrue();
        assertThat(refused.statuses())
                .extracting(Status::remaining)
                .as("it charges nothing on admission")
                .containsExactly(0L, 1L);
        assertThat(ask("bucket").statuses().getFirst().remaining()).isZero();
    }

    @Test
    void what_the_store_refuses_is_charged_to_its_own_share() {
        ask("login");
        assertThat(ask("login", "silent-own-bucket").statuses())
                .extracting(Status::remaining)
                .containsExactly(0L, 1L);
        var refused = ask("login", "silent-own-bucket");
        assertThat(refused.isOver()).isTrue();
        assertThat(refused.statuses()).extracting(Status::remaining).containsExactly(0L, 0L);
    }

    /** {@code north} lives where it can be asked, and has one hit left, or none. */
    @ParameterizedTest
    @CsvSource({
        "1, north silent-south, false",
        "2, north silent-south, true",
        "2, north silent-east, false",
        "2, north silent-allow, true",
        "1, north silent-deny, true",
        "2, north silent-west, false",
        "1, north silent-west, false",
        "2, north silent-west silent-south, false",
        "2, north silent-west silent-deny, true"
    })
    void quotas_refuse_only_together_wherever_they_live(int hits, String keys, boolean isOver) {
        for (int i = 0; i < hits; i++) {
            ask("north");
        }
        assertThat(ask((keys + " bucket").split(" ", -1)).isOver()).isEqualTo(isOver);
        assertThat(ask("bucket").statuses().getFirst().remaining())
                .as("of two, with this one")
                .isEqualTo(isOver ? 1 : 0);
    }

    @Test
    void a_descriptor_is_asked_as_a_whole_or_not_at_all() {
        var hourlySilent = new PartlySilentStore(shared, check -> check.limit().equals(HOURLY));
        assertThatThrownBy(() -> Shop.ask(deciderOn(hourlySilent), "login", "both"))
                .hasCauseInstanceOf(UndecidedException.class);
        assertThat(hourlySilent.asked)
                .singleElement()
                .satisfies(plan -> assertThat(descriptors(plan)).containsExactly(0));
        assertThatThrownBy(() -> Shop.ask(deciderOn(hourlySilent), "both"))
                .as("also where it is the only one")
                .hasCauseInstanceOf(UndecidedException.class)
                .hasMessageContaining("a part of it is silent");
        assertThat(hourlySilent.asked).hasSize(1);
        assertThat(hourlySilent.knocks).hasSize(2);
        assertThat(ask("both").statuses().getFirst().remaining())
                .as("of two, neither was charged")
                .isEqualTo(1);
    }

    @Test
    void the_longest_delay_of_what_was_asked_holds() {
        ask("queue");
        assertThat(ask("silent-allow", "queue").metadata()).containsEntry("weir", Map.of("delay_ms", 1_000.0));
    }

    @Test
    void what_is_silent_is_knocked_at_and_charges_nothing_on_admission() {
        ask("login", "silent-allow", "staff", "unknown", "silent-local", "bucket");
        assertThat(store.knocks).singleElement().satisfies(knock -> {
            assertThat(knock.beyond()).isEqualTo(Beyond.REFUSED);
            assertThat(descriptors(knock)).containsExactly(1, 4);
        });
        assertThat(store.asked)
                .singleElement()
                .satisfies(plan -> assertThat(descriptors(plan)).containsExactly(0, 5));
    }

    @Test
    void the_store_itself_says_it_where_nothing_can_be_asked() {
        assertThat(ask("silent-allow").isOver()).isFalse();
        assertThat(ask("silent-allow", "staff", "silent-allow").isOver()).isFalse();
        assertThat(store.asked).extracting(plan -> plan.checks().size()).containsExactly(1, 2);
        assertThat(store.knocks).isEmpty();
    }

    @Test
    void the_wait_is_that_of_windows_which_were_charged_anyway() {
        ask("silent-allow", "login");
        var refused = ask("silent-deny", "login");
        assertThat(refused.waitMicros())
                .as("who comes back in a second is over")
                .isEqualTo(60_000_000);
    }

    @Test
    void its_own_counters_are_asked_once_where_the_rest_fails_as_well() {
        var failing = deciderOn(PartlySilentStore.of(PartlySilentStore.of(shared, "login"), "silent"));
        assertThatThrownBy(() -> Shop.ask(failing, "login", "silent-local"))
                .hasCauseInstanceOf(UndecidedException.class);
        assertThat(ask("silent-local", "bucket").statuses().getFirst().remaining())
                .as("of two, with this one")
                .isZero();
    }

    @Test
    void all_are_answered_by_their_policies_where_the_rest_fails_as_well() {
        var failing = deciderOn(PartlySilentStore.of(PartlySilentStore.of(shared, "login"), "silent"));
        assertThatThrownBy(() -> Shop.ask(failing, "login", "silent-allow"))
                .hasCauseInstanceOf(UndecidedException.class);
        assertThat(Shop.ask(failing, "login", "silent-deny").isOver()).isTrue();
    }

    private void assertError(String... keys) {
        assertThatThrownBy(() -> ask(keys))
                .hasCauseInstanceOf(UndecidedException.class)
                .hasMessageContaining("a part of it is silent");
    }

    private Verdict ask(String... keys) {
        return Shop.ask(decider, keys);
    }

    private Decider deciderOn(PartlySilentStore asked) {
        return Shop.decider(rules, asked, own, noted);
    }

    private static Status login(boolean isOver, long remaining) {
        return new Status(isOver, TWO, "", remaining, 60_000_000);
    }

    private static List<Integer> descriptors(Plan plan) {
        return plan.checks().stream().map(Check::descriptor).toList();
    }
}
