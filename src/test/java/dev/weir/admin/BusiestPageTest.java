package dev.weir.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.busiest.WatchedStore;
import dev.weir.decide.key.KeyWriter;
import dev.weir.http.Question;
import dev.weir.http.Reply;
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
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who looks at the page waits five seconds, in which callers go on. */
final class BusiestPageTest {
    private static final Limit HUNDRED = Limit.fixedWindow(Quota.per(Unit.MINUTE, 100));

    private final WatchedStore store = new WatchedStore(new MemoryStore(new ManualTicker(), 10_000, Long.MAX_VALUE));
    private final AtomicLong nanos = new AtomicLong();

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
                    3 requests in 5.0 s had limits; of 330 hits 300 were over one.

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
                .isEqualTo("0 requests in 5.0 s had limits; of 0 hits 0 were over one.\n");
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
                .contains("There are many: any may have had up to ")
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
        assertThat(body).doesNotContain("user=").contains("is not told apart");
    }

    @Test
    void a_value_writes_no_line_of_its_own() {
        assertThat(meanwhile(() -> hit("ann\n\u001b[2Jall is well", 1)).body())
                .contains("user=ann\\u000a\\u001b[2Jall is well; 100 in 60 s\n");
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
        Reply reply = page.answer(new Question(Set.of(), new byte[0]));
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
        return page.answer(new Question(Set.of(), new byte[0]));
    }

    private void hit(String user, long hits) {
        var descriptor = Descriptor.of(new Entry("path", "/login"), new Entry("user", user));
        var check = Check.of(KeyWriter.write("shop", descriptor, null, HUNDRED, false), HUNDRED, hits);
        store.decide(Plan.of(List.of(check))).toCompletableFuture().join();
    }
}
