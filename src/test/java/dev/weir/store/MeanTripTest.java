package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class MeanTripTest {
    private static final long NEAR = 200_000;
    private static final long FAR = 4_000_000;

    private final MeanTrip trip = new MeanTrip();

    @Test
    void before_the_first_answer_it_is_nothing_and_then_at_once_that() {
        assertThat(trip.nanos()).isZero();
        trip.to(FAR);
        assertThat(trip.nanos()).isEqualTo(FAR);
    }

    /** One in ten goes to the far one. */
    @Test
    void of_two_places_each_weighs_as_much_as_it_answers() {
        for (int i = 0; i < 10_000; i++) {
            trip.to(i % 10 == 0 ? FAR : NEAR);
        }
        assertThat(trip.nanos()).isCloseTo((FAR + 9 * NEAR) / 10, within(NEAR));
    }

    @Test
    void a_place_that_answers_no_more_is_soon_forgotten() {
        trip.to(FAR);
        for (int i = 0; i < 500; i++) {
            trip.to(NEAR);
        }
        assertThat(trip.nanos()).isCloseTo(NEAR, within(NEAR / 100));
    }
}
