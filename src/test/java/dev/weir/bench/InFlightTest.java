package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InFlightTest {
    private static final int MOST = 1 << 14;

    private final InFlight inFlight = new InFlight();

    private static int stream(int number) {
        return 2 * number + 1;
    }

    @Test
    void a_stream_that_nobody_answers_keeps_its_start_and_what_it_said_however_many_come_after_it() {
        inFlight.start(stream(0), 7);
        inFlight.said(stream(0), (byte) 2);
        for (int i = 1; i < MOST; i++) {
            assertThat(inFlight.hasRoomFor(stream(i))).isTrue();
            inFlight.start(stream(i), i);
        }
        assertThat(inFlight.size()).isEqualTo(MOST);
        assertThat(inFlight.oldest()).isEqualTo(stream(0));
        assertThat(inFlight.startOf(stream(0))).isEqualTo(7);
        assertThat(inFlight.said(stream(0))).isEqualTo((byte) 2);
        assertThat(inFlight.startOf(stream(MOST - 1))).isEqualTo(MOST - 1);
    }

    @Test
    void one_that_nobody_answers_keeps_none_from_being_asked_a_whole_ring_after_it() {
        inFlight.start(stream(0), 7);
        inFlight.said(stream(0), (byte) 2);
        for (int i = 1; i < 3 * MOST; i++) {
            assertThat(inFlight.hasRoomFor(stream(i))).as("stream %d", i).isTrue();
            inFlight.start(stream(i), i);
            inFlight.end(stream(i));
        }
        assertThat(inFlight.size()).isEqualTo(1);
        assertThat(inFlight.oldest()).isEqualTo(stream(0));
        assertThat(inFlight.startOf(stream(0))).isEqualTo(7);
        assertThat(inFlight.said(stream(0))).isEqualTo((byte) 2);
        inFlight.said(stream(0), (byte) 1);
        assertThat(inFlight.said(stream(0))).isEqualTo((byte) 1);
        inFlight.start(stream(3 * MOST), 8);
        inFlight.end(stream(0));
        assertThat(inFlight.has(stream(0))).isFalse();
        assertThat(inFlight.oldest()).isEqualTo(stream(3 * MOST));
    }

    @Test
    void there_is_no_room_when_two_rings_are_under_way() {
        for (int i = 0; i < 2 * MOST; i++) {
            assertThat(inFlight.hasRoomFor(stream(i))).isTrue();
            inFlight.start(stream(i), i);
        }
        assertThat(inFlight.hasRoomFor(stream(2 * MOST))).isFalse();
        inFlight.end(stream(0));
        assertThat(inFlight.hasRoomFor(stream(2 * MOST))).isTrue();
        inFlight.start(stream(2 * MOST), 3);
        assertThat(inFlight.oldest()).isEqualTo(stream(1));
        assertThat(inFlight.startOf(stream(2 * MOST))).isEqualTo(3);
        assertThat(inFlight.clear()).isEqualTo(2 * MOST);
        assertThat(inFlight.size()).isZero();
        assertThat(inFlight.has(stream(1))).isFalse();
    }

    @Test
    void of_two_under_way_far_apart_each_has_a_place() {
        inFlight.start(stream(0), 1);
        for (int i = 1; i < 100; i++) {
            inFlight.start(stream(i), i);
            inFlight.end(stream(i));
        }
        inFlight.start(stream(100), 100);
        assertThat(inFlight.has(stream(0))).isTrue();
        assertThat(inFlight.has(stream(100))).isTrue();
        assertThat(inFlight.has(stream(99))).isFalse();
        assertThat(inFlight.size()).isEqualTo(2);
    }
}
