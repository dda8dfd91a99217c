package dev.weir.http2.bound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http2.message.Budget;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UnreadTest {
    private static final int ALL = 100_000;

    private final Budget ofAll = new Budget(ALL);
    private final Unread unread = new Unread(ofAll);

    @Test
    void what_has_no_room_takes_from_the_budget_but_for_the_first_few_bytes() {
        assertThat(unread.take(Unread.ALWAYS, false)).isTrue();
        assertThat(ofAll.mayTake(ALL)).isTrue();
        assertThat(unread.take(1, false)).isFalse();
        assertThat(unread.bytes()).isEqualTo(Unread.ALWAYS);
        ofAll.giveBack(1);
        assertThat(unread.take(1, false)).isTrue();
    }

    @Test
    void what_has_room_takes_nothing_until_the_room_is_gone() {
        assertThat(ofAll.mayTake(ALL)).isTrue();
        assertThat(unread.take(Unread.MOST_UNCOUNTED, true)).isTrue();
        assertThat(unread.take(1, true)).isFalse();
        assertThat(unread.count()).isFalse();
        ofAll.giveBack(ALL);
        assertThat(unread.count()).isTrue();
        assertThat(ofAll.mayTake(ALL - Unread.MOST_UNCOUNTED + Unread.ALWAYS)).isTrue();
        assertThat(ofAll.mayTake(1)).isFalse();
    }

    @Test
    void an_answer_may_be_larger_than_all_that_may_wait_if_it_waits_alone() {
        var beside = new Unread(new Budget(4L * Unread.MOST));
        assertThat(beside.take(2 * Unread.MOST, false)).isTrue();
        assertThat(beside.take(1, false)).isFalse();
        beside.giveBack(2 * Unread.MOST);
        assertThat(beside.take(Unread.MOST - 1, false)).isTrue();
        assertThat(beside.take(1, false)).isTrue();
        assertThat(beside.take(1, false)).as("more than all that may").isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void all_is_given_back_in_the_end(long seed) {
        var random = new SplittableRandom(seed);
        Deque<Integer> waiting = new ArrayDeque<>();
        for (int i = 0; i < 1_000; i++) {
            int bytes = random.nextInt(20_000);
            if (random.nextBoolean() && unread.take(bytes, random.nextBoolean())) {
                waiting.add(bytes);
            } else if (!waiting.isEmpty()) {
                unread.giveBack(waiting.remove());
            }
        }
        waiting.forEach(unread::giveBack);
        assertThat(unread.bytes()).as("seed %d", seed).isZero();
        assertThat(ofAll.mayTake(ALL)).as("seed %d", seed).isTrue();
        assertThat(ofAll.mayTake(1)).as("seed %d, and no more", seed).isFalse();
    }
}
