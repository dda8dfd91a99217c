package dev.weir.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.busiest.WatchedStore;
import dev.weir.decide.Answering;
import dev.weir.decide.Bounds;
import dev.weir.decide.DeafListener;
import dev.weir.decide.Decider;
import dev.weir.decide.OneAnswerStore;
import dev.weir.http.Authorization;
import dev.weir.http.Page;
import dev.weir.http.Question;
import dev.weir.http.Reply;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.logging.HeardLog;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import dev.weir.rules.Domain;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.RateLimit;
import dev.weir.rules.RuleNode;
import dev.weir.rules.RuleNode.Flags;
import dev.weir.rules.RuleSet;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A caller is over its limits, and an operator lets it in again. */
final class ResetPageTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final String BEARER = "Bearer " + TOKEN;
    private static final Bounds BOUNDS = new Bounds(3, 1, 100);
    private static final Limit TEN = Limit.fixedWindow(Quota.per(Unit.MINUTE, 10));
    private static final Limit HUNDRED = Limit.fixedWindow(Quota.per(Unit.HOUR, 100));

    @RegisterExtension
    private final HeardLog log = HeardLog.of(ResetPage.class);

    private final MemoryStore store = new MemoryStore(new ManualTicker(), 10, Long.MAX_VALUE);
    private final Page page = page(store, TOKEN);

    @AfterEach
    void end() {
        store.close();
    }

    @Test
    void all_limits_of_a_caller_begin_again_and_the_log_tells_who_did_it() {
        assertThat(mayPass("ann", 10)).isTrue();
        assertThat(mayPass("ann", 1)).isFalse();
        Reply reply = page.answer(post(BEARER, "ann"));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("""
                shop; user=ann; 10 in 60 s: forgotten
                shop; user=ann; 100 in 3600 s: forgotten
                """);
        assertThat(log.lines())
                .containsExactly(
                        "INFO 10.1.2.3 resets shop; user=ann; 10 in 60 s",
                        "INFO 10.1.2.3 resets shop; user=ann; 100 in 3600 s");
        assertThat(mayPass("ann", 10)).isTrue();
    }

    @Test
    void what_nobody_has_hit_is_told_and_what_is_named_twice_is_one() {
        assertThat(mayPass("ann", 1)).isTrue();
        Reply reply = page.answer(post(BEARER, "bob,ann,bob"));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("""
                shop; user=bob; 10 in 60 s: there was none
                shop; user=bob; 100 in 3600 s: there was none
                shop; user=ann; 10 in 60 s: forgotten
                shop; user=ann; 100 in 3600 s: forgotten
                """);
    }

    /** One that is misspelt would else look as if it were forgotten with the others. */
    @Test
    void a_descriptor_that_no_limit_holds_for_is_told_behind_the_others() {
        assertThat(mayPass("ann", 1)).isTrue();
        Reply reply = page.answer(post(BEARER, "free,ann,free"));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("""
                shop; user=ann; 10 in 60 s: forgotten
                shop; user=ann; 100 in 3600 s: forgotten
                shop; user=free: no limit holds
                """);
    }

    @Test
    void a_value_pretends_nothing() {
        page.answer(post(BEARER, "ann\n10.9.9.9 resets all"));
        assertThat(log.lines())
                .first()
                .isEqualTo("INFO 10.1.2.3 resets shop; user=ann\\u{a}10.9.9.9 resets all; 10 in 60 s");
    }

    @Test
    void without_the_token_nothing_happens() {
        assertThat(mayPass("ann", 10)).isTrue();
        assertThat(page.answer(post("Bearer " + TOKEN + "0", "ann")).status()).isEqualTo(401);
        assertThat(mayPass("ann", 1)).isFalse();
    }

    @Test
    void to_look_resets_nothing() {
        assertThat(mayPass("ann", 10)).isTrue();
        var question = new Question(
                "GET", Map.of(), new Authorization(BEARER), "10.1.2.3", "ann".getBytes(StandardCharsets.UTF_8));
        Reply reply = page.answer(question);
        assertThat(reply.status()).isEqualTo(405);
        assertThat(reply.headers()).isEqualTo(Map.of("Allow", "POST"));
        assertThat(mayPass("ann", 1)).isFalse();
    }

    @Test
    void what_cannot_be_read_or_has_no_limit_is_told() {
        assertThat(page.answer(post(BEARER, "garbage")).status()).isEqualTo(400);
        assertThat(page.answer(post(BEARER, "garbage")).body()).isEqualTo("not JSON\n");
        assertThat(page.answer(post(BEARER, "x".repeat(101))).status()).isEqualTo(413);
        assertThat(page.answer(post(BEARER, "a,b,c,d")).status())
                .as("beyond the bounds")
                .isEqualTo(400);
        Reply free = page.answer(post(BEARER, "free"));
        assertThat(free.status()).isEqualTo(404);
        assertThat(free.body()).isEqualTo("no limit holds for this: there is nothing to reset\n");
    }

    @Test
    void of_a_store_that_has_refused_it_is_certain() {
        var answer = new CompletableFuture<List<Reading>>();
        answer.completeExceptionally(StoreException.ofAnswer("READONLY"));
        Reply reply = page(new OneAnswerStore(answer), TOKEN).answer(post(BEARER, "ann"));
        assertThat(reply.body().lines()).first().isEqualTo("shop; user=ann; 10 in 60 s: READONLY; it is not forgotten");
    }

    @Test
    void a_store_that_fails_is_told_counter_by_counter() {
        try (var gone = new JsonPageTest.GoneStore()) {
            Reply reply = page(gone, TOKEN).answer(post(BEARER, "ann"));
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.body().lines())
                    .first()
                    .isEqualTo(
                            "shop; user=ann; 10 in 60 s: the store did not answer; nobody knows whether it is forgotten");
            assertThat(log.lines())
                    .contains(
                            "WARN 10.1.2.3 may not have reset shop; user=ann; 10 in 60 s: the store did not answer; nobody knows"
                                    + " whether it is forgotten");
        }
    }

    @Test
    void where_rules_were_never_read_that_is_told() {
        var ruleless = new Decider(() -> null, store, null, BOUNDS, Answering.PLAIN, new DeafListener());
        Reply reply = page(ruleless, store, TOKEN).answer(post(BEARER, "ann"));
        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.body()).startsWith("no rate limit configuration loaded");
    }

    private Page page(Store behind, String token) {
        return page(decider(behind), behind, token);
    }

    private static Page page(Decider decider, Store behind, String token) {
        var inside = new Inside(
                ResetPageTest::read,
                _ -> "",
                _ -> {
                    throw new AssertionError("nothing is decided");
                },
                Duration.ofSeconds(20),
                new DeafListener(),
                100,
                new JsonPageTest.WellProbes(),
                new WatchedStore(behind, 1, () -> 0),
                decider::forget,
                decider::look,
                new AdminToken(token),
                null,
                () -> null,
                Charge.ALWAYS,
                List::of,
                UnseenView.view());
        return ResetPage.of(inside);
    }

    private Decider decider(Store behind) {
        var limits = new RateLimit(List.of(new NamedLimit(TEN, ""), new NamedLimit(HUNDRED, "")), List.of());
        var free = new RuleNode("user", "free", RateLimit.unlimited(List.of()), Flags.NONE, Map.of(), List.of());
        var user = new RuleNode("user", "", limits, Flags.NONE, Map.of(), List.of());
        var rules = RuleSet.of(List.of(Domain.of("shop", List.of(free, user))));
        return new Decider(() -> rules, behind, null, BOUNDS, Answering.PLAIN, new DeafListener());
    }

    private static Request read(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        if (text.equals("garbage")) {
            throw new InvalidRequestException("not JSON");
        }
        return new Request(
                "shop",
                Stream.of(text.split(","))
                        .map(user -> Descriptor.of(new Entry("user", user)))
                        .toList(),
                1);
    }

    private static Question post(String authorization, String users) {
        return new Question(
                "POST", Map.of(), new Authorization(authorization), "10.1.2.3", users.getBytes(StandardCharsets.UTF_8));
    }

    private boolean mayPass(String user, long hits) {
        Verdict verdict = decider(store)
                .decide(new Request("shop", List.of(Descriptor.of(new Entry("user", user))), hits))
                .verdict()
                .toCompletableFuture()
                .join();
        return !verdict.isOver();
    }
}
