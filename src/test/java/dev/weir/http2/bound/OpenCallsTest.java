package dev.weir.http2.bound;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class OpenCallsTest {
    private final OpenCalls calls = new OpenCalls(1_000, 200);
    private final OpenCalls.Account first = calls.account();
    private final OpenCalls.Account second = calls.account();

    @Test
    void where_all_calls_are_taken_a_connection_may_have_a_few_all_the_same() {
        first.count(1_000);
        assertThat(second.mayOpen(9)).isFalse();
        assertThat(second.mayOpen(8)).isTrue();
        first.count(999);
        assertThat(second.mayOpen(9)).isTrue();
    }

    @Test
    void room_that_a_connection_has_grown_into_is_taken_until_it_ends() {
        assertThat(first.mayOpen(16 + 150)).isTrue();
        first.count(166);
        first.count(0);
        assertThat(first.mayOpen(9)).as("a few again").isTrue();
        assertThat(second.mayOpen(16 + 51)).isFalse();
        assertThat(second.mayOpen(16 + 50)).isTrue();
        assertThat(first.mayOpen(16 + 150)).as("it has that room").isTrue();
        assertThat(first.mayOpen(16 + 151)).isFalse();
        first.end();
        assertThat(second.mayOpen(16 + 200)).isTrue();
    }

    @Test
    void where_half_of_it_is_taken_who_uses_little_of_its_own_wastes_it() {
        assertThat(first.mayOpen(16 + 80)).isTrue();
        assertThat(first.isRoomWasted()).as("there is enough").isFalse();
        assertThat(second.mayOpen(16 + 20)).isTrue();
        assertThat(first.isRoomWasted()).as("half of it is left").isFalse();
        assertThat(second.mayOpen(16 + 21)).isTrue();
        assertThat(first.isRoomWasted()).isTrue();
        assertThat(calls.account().isRoomWasted()).as("who has not grown").isFalse();
        first.count(96 / 8);
        assertThat(first.isRoomWasted()).as("an eighth is in use").isFalse();
        first.end();
        assertThat(first.isRoomWasted()).isFalse();
    }
}
