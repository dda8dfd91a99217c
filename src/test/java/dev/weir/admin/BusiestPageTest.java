package dev.weir.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.busiest.WatchedStore;
import dev.weir.decide.key.KeyWriter;
import dev.weir.http.Authorization;
import dev.weir.http.Question;
import dev.weir.http.Reply;
import dev.weir.limit.Algorithm;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who looks at the page waits five seconds, in which callers go on. */
final class BusiestPageTest {
    private static final Limit HUNDRED = Limit.fixedWindow(Quota.per(Unit.MINUTE, 100));

    private final WatchedStore store =
            new WatchedStore(new MemoryStore(new ManualTicker(), 10_000, Long.MAX_VALUE), 1, () -> 0);
    private final AtomicLong nanos = new AtomicLong(-7_000_000_000L); // such a clock begins anywhere

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void counters_stand_there_with_their_hits_and_what_is_over_in_a_second() {
        assertThat(meanwhile(() -> {
                            hit("ann", 150);
                            hit("bob", 30);
                            hit("ann", 150);
                        })
                        .body())
                .isEqualTo("""
                    In 5.0 s: requests with limits 3, hits on counters 330, over their limit 300.

                            hits/s  counter
                              60.0  shop; path=/login; user=ann; 100 in 60 s
                               6.0  shop; path=/login; user=bob; 100 in 60 s

                            over/s  counter
                              60.0  shop; path=/login; user=ann; 100 in 60 s
                    """);
    }

    @Test
    void where_nothing_comes_nothing_is_shown() {
        assertThat(meanwhile(() -> {}).body())
                .isEqualTo("In 5.0 s: requests with limits 0, hits on counters 0, over their limit 0.\n");
    }

    @Test
    void no_more_are_shown_than_somebody_reads_and_how_well_they_are_known() {
        var body = meanwhile(() -> {
                    hit("eve", 5_000);
                    for (int i = 0; i < 6_000; i++) {
                        hit("user" + i, i < 30 ? 90 : 5);
                    }
                })
                .body();
        assertThat(body.lines().filter(line -> line.contains("path=/login"))).hasSize(20 + 1);
        assertThat(body)
                .contains("user=eve")
                .contains("There are many: each may have had up to ")
                .contains("hits/s more");
    }

    @Test
    void where_nobody_stands_out_nobody_is_named() {
        var body = meanwhile(() -> {
                    for (int i = 0; i < 6_000; i++) {
                        hit("user" + i, 1 + i % 2);
                    }
                })
                .body();
        assertThat(body).doesNotContain("user=").contains("is not named");
    }

    @Test
    void a_value_pretends_nothing() {
        assertThat(meanwhile(() -> hit("ann\n\u001b[2J; 3 in 60 s\u202etxt\\", 1))
                        .body())
                .contains("user=ann\\u{a}\\u{1b}[2J\\u{3b} 3 in 60 s\\u{202e}txt\\u{5c}; 100 in 60 s\n");
        assertThat(meanwhile(() -> hit("J\u00fcrgen \ud83d\ude00", 1)).body())
                .as("letters are letters")
                .contains("user=J\u00fcrgen \ud83d\ude00; 100 in 60 s\n");
    }

    @Test
    void a_limit_tells_its_way_of_counting_where_it_is_not_the_usual() {
        var gcra = Limit.of(Quota.per(Unit.MINUTE, 100), new Algorithm.Gcra(100));
        assertThat(meanwhile(() -> hit(gcra, "ann", 1)).body()).contains("user=ann; 100 in 60 s; gcra\n");
    }

    @Test
    void counters_with_very_long_keys_are_told_of() {
        var body = meanwhile(() -> {
                    hit("ann", 1);
                    var entries = Stream.generate(() -> new Entry("k", "v".repeat(200)))
                            .limit(9)
                            .toArray(Entry[]::new);
                    decide(HUNDRED, Descriptor.of(entries), 5);
                })
                .body();
        assertThat(body).contains("Of counters with very long keys, which are not named: 1.0 hits/s.\n");
    }

    @Test
    void what_the_store_did_not_decide_is_told() {
        var full = new WatchedStore(new MemoryStore(new ManualTicker(), 1, Long.MAX_VALUE), 1, () -> 0);
        var page = new BusiestPage(
                full,
                _ -> {
                    for (String user : List.of("ann", "bob", "eve")) {
                        var _ = full.decide(Plan.of(List.of(check(HUNDRED, login(user), 1))));
                    }
                },
                nanos::get);
        assertThat(page.answer(new Question("GET", Map.of(), new Authorization(""), "here", new byte[0]))
                        .body())
                .contains("requests with limits 1, ")
                .contains("\nRequests that the store did not decide: 2.\n");
        full.close();
    }

    @Test
    void who_leaves_ends_the_watch() {
        var page = new BusiestPage(
                store,
                _ -> {
                    hit("ann", 1);
                    throw new InterruptedException();
                },
                nanos::get);
        Reply reply = page.answer(new Question("GET", Map.of(), new Authorization(""), "here", new byte[0]));
        assertThat(Thread.interrupted()).as("told on").isTrue();
        assertThat(reply.status()).isEqualTo(503);
        assertThat(store.end().plans()).as("nobody watches any more").isZero();
    }

    /** Asks for the page, and lets callers do this meanwhile. */
    private Reply meanwhile(Runnable callers) {
        var page = new BusiestPage(
                store,
                length -> {
                    callers.run();
                    nanos.addAndGet(length.toNanos());
                },
                nanos::get);
        return page.answer(new Question("GET", Map.of(), new Authorization(""), "here", new byte[0]));
    }

    private void hit(String user, long hits) {
        hit(HUNDRED, user, hits);
    }

    private void hit(Limit limit, String user, long hits) {
        decide(limit, login(user), hits);
    }

    private void decide(Limit limit, Descriptor descriptor, long hits) {
        store.decide(Plan.of(List.of(check(limit, descriptor, hits))))
                .toCompletableFuture()
                .join();
    }

    private static Descriptor login(String user) {
        return Descriptor.of(new Entry("path", "/login"), new Entry("user", user));
    }

    private static Check check(Limit limit, Descriptor descriptor, long hits) {
        return Check.of(KeyWriter.write("shop", descriptor, null, limit, false), limit, hits);
    }
}
