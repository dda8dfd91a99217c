package dev.weir.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.busiest.WatchedStore;
import dev.weir.decide.Answering;
import dev.weir.decide.Bounds;
import dev.weir.decide.DeafListener;
import dev.weir.decide.Decider;
import dev.weir.http.Authorization;
import dev.weir.http.Page;
import dev.weir.http.Question;
import dev.weir.http.Reply;
import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.rules.Domain;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.RateLimit;
import dev.weir.rules.RuleNode;
import dev.weir.rules.RuleNode.Flags;
import dev.weir.rules.RuleSet;
import dev.weir.store.Store;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An operator asks which rule a caller meets, and how much of it is used. */
final class ExplainPageTest {
    private static final Bounds BOUNDS = new Bounds(10, 1, 100);
    private static final Limit TEN = Limit.fixedWindow(Quota.per(Unit.MINUTE, 10));
    private static final Limit BUCKET = Limit.of(Quota.per(Unit.SECOND, 2), new Algorithm.TokenBucket(20));
    private static final Limit LOCKING =
            new Limit(Quota.per(Unit.MINUTE, 1), new Algorithm.FixedWindow(), Charge.ALWAYS, 90);
    private static final Limit NOTHING = Limit.fixedWindow(Quota.per(Unit.HOUR, 0));

    private final MemoryStore store = new MemoryStore(new ManualTicker(), 10, Long.MAX_VALUE);
    private final RuleSet rules = rules();
    private final Page page = page(store);

    @AfterEach
    void end() {
        store.close();
    }

    @Test
    void the_way_to_a_rule_is_told_and_what_is_used_of_its_limits() {
        ask("user=ann", 3);
        Reply reply = page.answer(post("user=ann"));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("""
                domain       shop
                way          user=ann  the bare key `user`: any value
                rule         user
                limit        10 a minute, fixed window; refused hits count too
                limit        2 a second, token bucket, burst 20; counts only what is admitted
                near misses  none

                shop; user=ann; 10 in 60 s: 3 of 10 hits used, 7 left; as if untouched in 60 s
                shop; user=ann; 2 in 1 s; token_bucket: 3 of 20 hits used, 17 left; as if untouched in 2 s
                Nothing was counted.
                """);
        assertThat(page.answer(post("user=ann")).body()).as("asked again").isEqualTo(reply.body());
    }

    @Test
    void what_nobody_has_hit_is_unused() {
        assertThat(counters("user=bob"))
                .containsExactly(
                        "shop; user=bob; 10 in 60 s: none of 10 hits is used",
                        "shop; user=bob; 2 in 1 s; token_bucket: none of 20 hits is used");
    }

    @Test
    void what_is_over_its_limit_or_locked_or_forbidden_is_told() {
        ask("user=ann", 10);
        assertThat(counters("user=ann"))
                .first()
                .asString()
                .endsWith("10 of 10 hits used, 0 left; as if untouched in 60 s");
        ask("user=ann", 1);
        assertThat(counters("user=ann")).first().asString().endsWith("over its limit or locked, for 60 s at least");
        ask("pin=1", 2);
        assertThat(counters("pin=1"))
                .containsExactly("shop; pin=1; 1 in 60 s: over its limit or locked, for 90 s at least");
        assertThat(counters("never=1")).containsExactly("shop; never=1; 0 in 3600 s: refuses everything");
    }

    @Test
    void each_descriptor_is_explained_and_each_counter_told_once() {
        String page = this.page.answer(post("usr=ann,never=1,never=1")).body();
        assertThat(page.lines().filter(line -> line.startsWith("rule ")))
                .containsExactly(
                        "rule         none: the descriptor passes, uncounted",
                        "rule         never",
                        "rule         never");
        assertThat(page).contains("near misses  user");
        assertThat(page.lines().filter(line -> line.startsWith("shop; "))).hasSize(1);
    }

    @Test
    void a_limit_that_is_sent_along_stands_in_place_of_the_rules() {
        assertThat(page.answer(post("own=1")).body())
                .contains("But a limit was sent along, and holds in place of the rule's.\n")
                .contains("\nshop; own=1; 7 in 86400 s: none of 7 hits is used\n");
    }

    @Test
    void a_rule_that_another_replaces_is_told_so() {
        String page = this.page.answer(post("plain=1,better=1")).body();
        assertThat(page)
                .contains("\nBut the rule of another descriptor replaces it: the descriptor passes, uncounted.\n");
        assertThat(page.lines().filter(line -> line.startsWith("shop; ")))
                .containsExactly("shop; better=1; 10 in 60 s: none of 10 hits is used");
    }

    @Test
    void a_rule_of_which_another_replaces_some_limits_is_told_so() {
        String page = this.page.answer(post("partly=1,better=1")).body();
        assertThat(page)
                .contains(
                        "\nBut the rule of another descriptor replaces some of these limits: their counters are not told below.\n");
        assertThat(page.lines().filter(line -> line.startsWith("shop; ")))
                .containsExactly(
                        "shop; partly=1; 2 in 1 s; token_bucket: none of 20 hits is used",
                        "shop; better=1; 10 in 60 s: none of 10 hits is used");
        assertThat(this.page.answer(post("partly=1")).body()).doesNotContain("But the rule");
    }

    /** Each of them is compared with thousands of rules, character by character. */
    @Test
    void a_body_has_no_more_than_people_type() {
        var roomy = page(store, 100_000);
        assertThat(roomy.mostBytes()).isEqualTo((16 << 10) + 1);
        assertThat(page.mostBytes()).isEqualTo(101);
        assertThat(roomy.answer(post("user=1" + ",user=1".repeat(7))).status()).isEqualTo(200);
        assertThat(roomy.answer(post("user=1" + ",user=1".repeat(8))).body())
                .isEqualTo("at most 8 descriptors are explained at a time\n");
        assertThat(roomy.answer(post("x".repeat(16 << 10))).status()).isEqualTo(200);
        assertThat(roomy.answer(post("x".repeat((16 << 10) + 1))).body()).isEqualTo("a body may have 16384 bytes\n");
    }

    /** Thousands of rules with patterns may take long. */
    @Test
    void what_does_not_fit_into_a_second_is_not_compared() {
        var clock = new AtomicLong();
        var slow = page(store, 100, () -> rules, () -> clock.addAndGet(600_000_000));
        assertThat(slow.answer(post("usr=1,usr=2")).body().lines().filter(line -> line.contains("compared")))
                .containsExactly(
                        "             not compared, as it takes too long: 6 rules",
                        "near misses  none among the rules that were compared",
                        "             not compared, as it takes too long: 7 rules");
    }

    @Test
    void for_a_caller_who_has_left_nothing_is_compared() {
        Thread.currentThread().interrupt();
        Reply reply = page.answer(post("user=ann"));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(reply).isEqualTo(Reply.text(503, "nobody waits for an answer\n"));
    }

    @Test
    void the_way_and_the_counters_are_of_the_same_rules() {
        var later = RuleSet.of(List.of(Domain.of("shop", List.of(node("user", BUCKET)))));
        var looks = new AtomicInteger();
        var changing = page(store, 100, () -> looks.getAndIncrement() == 0 ? rules : later, System::nanoTime);
        assertThat(changing.answer(post("user=ann")).body())
                .contains("\nlimit        2 a second, token bucket")
                .contains("\nshop; user=ann; 2 in 1 s; token_bucket: ")
                .doesNotContain("10 a minute", "10 in 60 s");
    }

    @Test
    void where_there_are_no_rules_that_is_told() {
        assertThat(page.answer(post("elsewhere")).body())
                .isEqualTo(
                        "There are no rules for the domain `elsewhere`: every descriptor of it passes. The domains are: shop\n");
    }

    @Test
    void where_rules_were_never_read_that_is_told() {
        Reply reply = page(store, 100, () -> null, System::nanoTime).answer(post("user=ann"));
        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.body()).startsWith("no rate limit configuration loaded");
    }

    @Test
    void what_cannot_be_read_is_told() {
        assertThat(page.answer(post("garbage")).status()).isEqualTo(400);
        assertThat(page.answer(post("x".repeat(101))).status()).isEqualTo(413);
        assertThat(page.answer(post("user=1" + ",user=1".repeat(10))).status())
                .as("beyond the bounds")
                .isEqualTo(400);
        Reply reply = page.answer(question("GET", ""));
        assertThat(reply.status()).isEqualTo(405);
        assertThat(reply.headers()).isEqualTo(Map.of("Allow", "POST"));
    }

    @Test
    void of_a_store_that_fails_the_rule_is_told_all_the_same() {
        try (var gone = new JsonPageTest.GoneStore()) {
            Reply reply = page(gone).answer(post("never=1"));
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.body())
                    .contains("rule         never\n")
                    .contains("0 in 3600 s: the store did not answer\n");
        }
    }

    private List<String> counters(String descriptors) {
        return page.answer(post(descriptors))
                .body()
                .lines()
                .filter(line -> line.startsWith("shop; "))
                .toList();
    }

    private Page page(Store behind) {
        return page(behind, 100);
    }

    private Page page(Store behind, int maxMessageBytes) {
        return page(behind, maxMessageBytes, () -> rules, System::nanoTime);
    }

    private static Page page(
            Store behind, int maxMessageBytes, Supplier<@Nullable RuleSet> inForce, LongSupplier nanos) {
        var decider = decider(behind, inForce);
        var inside = new Inside(
                ExplainPageTest::read,
                _ -> "",
                _ -> {
                    throw new AssertionError("nothing is decided");
                },
                Duration.ofSeconds(20),
                new DeafListener(),
                maxMessageBytes,
                new JsonPageTest.WellProbes(),
                new WatchedStore(behind, 1, () -> 0),
                decider::forget,
                decider::look,
                new AdminToken(""),
                null,
                inForce,
                Charge.ALWAYS,
                List::of,
                UnseenView.view());
        return new ExplainPage(inside, nanos);
    }

    private static Decider decider(Store behind, Supplier<@Nullable RuleSet> inForce) {
        return new Decider(inForce, behind, null, BOUNDS, Answering.PLAIN, new DeafListener());
    }

    private static RuleSet rules() {
        var replaced = new RateLimit(List.of(new NamedLimit(TEN, "plain")), List.of());
        var partly = new RateLimit(List.of(new NamedLimit(TEN, "plain"), new NamedLimit(BUCKET, "")), List.of());
        var replacing = new RateLimit(List.of(new NamedLimit(TEN, "")), List.of("plain"));
        return RuleSet.of(List.of(Domain.of(
                "shop",
                List.of(
                        node("user", TEN, BUCKET),
                        node("pin", LOCKING),
                        node("never", NOTHING),
                        node("own", TEN),
                        node("plain", replaced),
                        node("partly", partly),
                        node("better", replacing)))));
    }

    private static RuleNode node(String key, Limit... limits) {
        var named = Stream.of(limits).map(limit -> new NamedLimit(limit, "")).toList();
        return node(key, new RateLimit(named, List.of()));
    }

    private static RuleNode node(String key, RateLimit limits) {
        return new RuleNode(key, "", limits, Flags.NONE, Map.of(), List.of());
    }

    private static Request read(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        if (text.equals("garbage")) {
            throw new InvalidRequestException("not JSON");
        }
        return text.equals("elsewhere") ? request("elsewhere", "user=1", 1) : request("shop", text, 1);
    }

    private static Request request(String domain, String descriptors, long hits) {
        return new Request(
                domain,
                Stream.of(descriptors.split(","))
                        .map(ExplainPageTest::descriptor)
                        .toList(),
                hits);
    }

    private static Descriptor descriptor(String entry) {
        int middle = entry.indexOf('=');
        var descriptor = Descriptor.of(new Entry(entry.substring(0, Math.max(0, middle)), entry.substring(middle + 1)));
        return entry.startsWith("own") ? descriptor.withLimit(Quota.per(Unit.DAY, 7)) : descriptor;
    }

    private void ask(String descriptor, long hits) {
        var _ = decider(store, () -> rules)
                .decide(request("shop", descriptor, hits))
                .verdict()
                .toCompletableFuture()
                .join();
    }

    private static Question post(String descriptors) {
        return question("POST", descriptors);
    }

    private static Question question(String method, String body) {
        return new Question(method, Map.of(), new Authorization(""), "10.1.2.3", body.getBytes(StandardCharsets.UTF_8));
    }
}
