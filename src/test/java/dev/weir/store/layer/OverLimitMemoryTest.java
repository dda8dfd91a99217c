package dev.weir.store.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Reading;
import dev.weir.store.StoreContract;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What is kept, in which order, and how much of it. */
final class OverLimitMemoryTest {
    private static final Limit LIMIT = Limit.fixedWindow(Quota.per(Unit.HOUR, 1));
    private static final Reading REFUSED = new Reading(false, 0, 0, 3_600_000_000L, 3_600_000_000L, 0);
    private static final long MILLI = 1_000_000;
    private static final CounterKey KEY = StoreContract.key("a");
    private static final Check HIT = Check.of(KEY, LIMIT, 1);

    private final AtomicLong clock = new AtomicLong();

    @Test
    void callers_who_make_up_keys_get_no_more_room_than_there_is() {
        long room = 1 << 20;
        var memory = new OverLimitMemory(room, clock::get);
        for (int i = 0; i < 1_000_000; i++) {
            memory.remember(Check.of(hostile(i), LIMIT, 1), REFUSED, clock.get());
        }
        assertThat(memory.size()).isBetween(1_000L, room / 240);
        clock.addAndGet(OverLimitMemory.LONGEST.toNanos());
        assertThat(memory.size()).as("after a second nothing is worth its room").isZero();
    }

    /** Long and short ones; all with one hash in each thousand. */
    private static CounterKey hostile(int i) {
        var text = new StringBuilder().append(i / 1_000).append(':');
        for (int bit = 0; bit < 10; bit++) {
            text.append((i % 1_000 >> bit & 1) == 0 ? "Aa" : "BB");
        }
        return StoreContract.key(text.append("x".repeat(i / 1_000 % 7 * 30)).toString());
    }

    @Test
    void one_key_longer_than_the_room_is_not_kept() {
        var memory = new OverLimitMemory(1_000, clock::get);
        var check = Check.of(StoreContract.key("k".repeat(1_000)), LIMIT, 1);
        memory.remember(check, REFUSED, clock.get());
        assertThat(memory.size()).isZero();
        assertThat(memory.recall(check, clock.get())).isNull();
    }

    @Test
    void an_answer_from_before_a_refund_comes_too_late() {
        var memory = new OverLimitMemory(1 << 20, clock::get);
        memory.forget(KEY, 5 * MILLI);
        memory.remember(HIT, REFUSED, 4 * MILLI);
        assertThat(memory.recall(HIT, 6 * MILLI)).isNull();
        memory.remember(HIT, REFUSED, 6 * MILLI);
        assertThat(memory.recall(HIT, 7 * MILLI)).isNotNull();
        memory.forget(KEY, 6 * MILLI);
        memory.remember(HIT, REFUSED, 6 * MILLI);
        assertThat(memory.recall(HIT, 7 * MILLI))
                .as("of the same instant the refund is right")
                .isNull();
    }

    @Test
    void of_two_answers_the_later_question_is_right() {
        var memory = new OverLimitMemory(1 << 20, clock::get);
        var soon = new Reading(false, 0, 0, 2_000, 2_000, 0);
        memory.remember(HIT, soon, 5 * MILLI);
        memory.remember(HIT, REFUSED, 4 * MILLI);
        assertThat(memory.recall(HIT, 7 * MILLI - 1)).isNotNull();
        assertThat(memory.recall(HIT, 7 * MILLI)).isNull();
    }

    @Test
    void a_clock_that_begins_anywhere_is_good_enough() {
        clock.set(Long.MAX_VALUE - 10);
        var memory = new OverLimitMemory(1 << 20, clock::get);
        memory.remember(HIT, REFUSED, clock.get());
        clock.addAndGet(500 * MILLI);
        var refusal = memory.recall(HIT, clock.get());
        assertThat(refusal).isNotNull();
        assertThat(refusal.reading(clock.get()).retryMicros()).isEqualTo(3_599_500_000L);
        clock.addAndGet(500 * MILLI);
        assertThat(memory.recall(HIT, clock.get())).isNull();
    }

    @Test
    void threads_agree_on_what_is_over() throws Exception {
        try (var bench = new OverLimitBench()) {
            bench.at(StoreContract.NOON_MICROS);
            var ten = Check.of(KEY, StoreContract.TEN_A_MINUTE, 1);
            Callable<Integer> asking = () -> {
                int admitted = 0;
                for (int i = 0; i < 20_000; i++) {
                    admitted += bench.ask(ten).isAdmitted() ? 1 : 0;
                }
                return admitted;
            };
            int admitted = 0;
            try (var threads = Executors.newFixedThreadPool(4)) {
                for (var thread : threads.invokeAll(Collections.nCopies(4, asking))) {
                    admitted += thread.get(); // throws what went wrong there
                }
            }
            assertThat(admitted).isEqualTo(10);
            assertThat(bench.sent).hasSizeBetween(11, 20);
        }
    }
}
