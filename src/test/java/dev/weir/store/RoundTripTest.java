package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RoundTripTest {
    private static final long SECOND = 1_000_000_000;
    private static final long START = -7 * SECOND;

    private final RoundTrip trip = new RoundTrip(START);

    @Test
    void before_the_first_answer_it_is_nothing() {
        assertThat(trip.nanos()).isZero();
    }

    @Test
    void it_is_the_shortest_of_the_answers_whatever_the_others_waited_for() {
        trip.took(900, START);
        assertThat(trip.nanos()).isEqualTo(900);
        trip.took(400, START + SECOND);
        trip.took(5_000, START + 2 * SECOND);
        assertThat(trip.nanos()).isEqualTo(400);
    }

    @Test
    void a_store_that_moves_away_is_far_within_a_minute_and_not_before_half_of_it() {
        trip.took(400, START);
        for (int second = 1; second <= 30; second++) {
            trip.took(4_000, START + second * SECOND);
            assertThat(trip.nanos()).as("after %d s", second).isEqualTo(400);
        }
        trip.took(4_000, START + 60 * SECOND);
        assertThat(trip.nanos()).isEqualTo(4_000);
    }

    @Test
    void one_that_comes_nearer_is_near_at_once() {
        trip.took(4_000, START);
        trip.took(400, START + SECOND);
        assertThat(trip.nanos()).isEqualTo(400);
    }
}
