package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many may wait on all connections together, in the order in which they were meant to start. */
final class WaitingTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void it_keeps_its_order_whatever_is_added_put_back_and_taken(long seed) {
        var random = new SplittableRandom(seed);
        var waiting = new Waiting(new Waiting.Places(10_000));
        var model = new ArrayDeque<Long>();
        for (int step = 0; step < 50_000; step++) {
            boolean isGrowing = step / 5_000 % 2 == 0;
            int kind = random.nextInt(10);
            if (kind == 0) {
                waiting.putBack(step);
                model.addFirst((long) step);
            } else if (isGrowing ? kind < 7 : kind < 3) {
                assertThat(waiting.add(step)).isTrue();
                model.addLast((long) step);
            } else if (!model.isEmpty()) {
                assertThat(waiting.oldest()).as("seed %d, step %d", seed, step).isEqualTo(model.element());
                assertThat(waiting.take()).isEqualTo(model.remove());
            }
            assertThat(waiting.size()).isEqualTo(model.size());
        }
    }

    @Test
    void the_places_are_for_all_connections() {
        var places = new Waiting.Places(3);
        var one = new Waiting(places);
        var other = new Waiting(places);
        assertThat(one.add(1)).isTrue();
        assertThat(one.add(2)).isTrue();
        assertThat(other.add(3)).isTrue();
        assertThat(other.add(4)).isFalse();
        assertThat(one.take()).isEqualTo(1);
        assertThat(other.add(4)).isTrue();
        other.putBack(2);
        assertThat(other.clear()).isEqualTo(3);
        assertThat(other.isEmpty()).isTrue();
        assertThat(one.add(5)).isTrue();
        assertThat(one.add(6)).isTrue();
        assertThat(one.add(7)).isFalse();
    }
}
