package dev.weir.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Counts that lie side by side. */
final class CountsTest {
    private static final int THREADS = 4;
    private static final int TIMES = 200_000;

    @Test
    void each_place_has_a_count_of_its_own() {
        var counts = new Counts(3);
        counts.add(0, 1);
        counts.add(2, 5);
        counts.add(2, 7);
        assertThat(sums(counts)).containsExactly(1, 0, 12);
    }

    @Test
    void nothing_is_lost_where_threads_meet() throws InterruptedException {
        var counts = new Counts(3);
        join(addFromAllThreads(counts));
        assertThat(sums(counts)).containsExactly((long) THREADS * TIMES, 0, 2L * THREADS * TIMES);
    }

    @Test
    void nothing_is_lost_while_threads_part_and_no_count_falls() throws InterruptedException {
        var counts = new Counts(3);
        counts.add(1, 9);
        var threads = addFromAllThreads(counts);
        long last = 0;
        while (threads.stream().anyMatch(Thread::isAlive)) {
            long next = counts.sum(0);
            assertThat(next).isGreaterThanOrEqualTo(last);
            last = next;
            if (next > TIMES) {
                counts.part();
            }
        }
        join(threads);
        assertThat(sums(counts)).containsExactly((long) THREADS * TIMES, 9, 2L * THREADS * TIMES);
    }

    @Test
    void what_was_counted_before_the_threads_part_stays() throws InterruptedException {
        var counts = new Counts(3);
        counts.add(0, 7);
        counts.part();
        counts.add(1, 9);
        counts.part();
        join(addFromAllThreads(counts));
        assertThat(sums(counts)).containsExactly(7 + (long) THREADS * TIMES, 9, 2L * THREADS * TIMES);
    }

    private static List<Thread> addFromAllThreads(Counts counts) {
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int time = 0; time < TIMES; time++) {
                    counts.add(0, 1);
                    counts.add(2, 2);
                }
            }));
        }
        return threads;
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (var thread : threads) {
            thread.join();
        }
    }

    private static long[] sums(Counts counts) {
        return new long[] {counts.sum(0), counts.sum(1), counts.sum(2)};
    }
}
