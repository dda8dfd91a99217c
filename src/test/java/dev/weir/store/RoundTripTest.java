package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RoundTripTest {
    private static final long SECOND = 1_000_000_000;
    private static final long START = -7 * SECOND;

    private final RoundTrip trip = new RoundTrip(START);

    @Test
    void it_is_the_shortest_of_the_answers_whatever_the_others_waited_for() {
        assertThat(trip.took(900, START)).isEqualTo(900);
        assertThat(trip.took(400, START + SECOND)).isEqualTo(400);
        assertThat(trip.took(5_000, START + 2 * SECOND)).isEqualTo(400);
    }

    @Test
    void a_place_that_moves_away_is_far_within_a_minute_and_not_before_half_of_it() {
        trip.took(400, START);
        for (int second = 1; second <= 30; second++) {
            assertThat(trip.took(4_000, START + second * SECOND))
                    .as("after %d s", second)
                    .isEqualTo(400);
        }
        assertThat(trip.took(4_000, START + 60 * SECOND)).isEqualTo(4_000);
    }

    @Test
    void one_that_comes_nearer_is_near_at_once() {
        trip.took(4_000, START);
        assertThat(trip.took(400, START + SECOND)).isEqualTo(400);
    }
}
