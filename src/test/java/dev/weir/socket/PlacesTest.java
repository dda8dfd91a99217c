package dev.weir.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class PlacesTest {
    @Test
    void who_finds_no_place_is_counted_and_whoever_leaves_makes_room_for_one() {
        var told = new AtomicInteger();
        var places = new Places(2, told::incrementAndGet);
        assertThat(places.take()).isTrue();
        assertThat(places.take()).isTrue();
        assertThat(places.take()).isFalse();
        assertThat(places.take()).isFalse();
        assertThat(places.taken()).isEqualTo(2);
        assertThat(places.refused()).isEqualTo(2);
        assertThat(told).hasValue(2);
        places.leave();
        assertThat(places.taken()).isEqualTo(1);
        assertThat(places.take()).isTrue();
        assertThat(places.take()).isFalse();
    }

    @Test
    void threads_that_race_never_take_more_than_there_are() throws Exception {
        var places = new Places(3, () -> {});
        var inside = new AtomicInteger();
        var most = new AtomicInteger();
        try (var threads = Executors.newFixedThreadPool(8)) {
            for (int thread = 0; thread < 8; thread++) {
                threads.execute(() -> {
                    for (int i = 0; i < 20_000; i++) {
                        if (places.take()) {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            inside.decrementAndGet();
                            places.leave();
                        }
                    }
                });
            }
        }
        assertThat(most.get()).isBetween(1, 3);
        assertThat(places.taken()).isZero();
    }
}
