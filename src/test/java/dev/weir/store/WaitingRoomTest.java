package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How many plans may wait. */
final class WaitingRoomTest {
    private static final int SEATS = 16_384;

    @Test
    void it_is_full_when_all_seats_are_taken_and_has_room_when_one_leaves() {
        var room = new WaitingRoom();
        for (int i = 0; i < SEATS; i++) {
            assertThat(room.isFull()).isFalse();
            room.come();
        }
        assertThat(room.isFull()).isTrue();
        room.leave(1);
        assertThat(room.isFull()).isFalse();
    }

    @Test
    void who_may_not_wait_outside_stands() {
        var room = new WaitingRoom();
        for (int i = 0; i < SEATS + 2; i++) {
            room.come();
        }
        room.leave(2);
        assertThat(room.isFull()).isTrue();
        room.leave(0);
        assertThat(room.isFull()).isTrue();
        room.leave(SEATS);
        assertThat(room.isFull()).isFalse();
    }
}
