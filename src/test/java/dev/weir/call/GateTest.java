package dev.weir.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Callers wait for 15 ms, so calls may take 5.25 ms in the mean. Time is a number here. */
final class GateTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long PATIENCE = 15 * MILLI;
    private static final int MOST = 2_048;
    private static final int LEAST = 32;
    private static final int FEW = 64;

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private long now = 7_000 * SECOND;
    private long tripNanos;
    private final Gate gate = new Gate(tasks::add, () -> now, new Patience(PATIENCE, () -> tripNanos));
    private final Gate.Socket entrance = gate.socket();

    private int enterAll() {
        return enterAll(entrance);
    }

    private static int enterAll(Gate.Socket socket) {
        int entered = 0;
        while (socket.enter(Head.NO_DEADLINE)) {
            entered++;
        }
        return entered;
    }

    /** Lets calls that were let in leave after some time, all at once. */
    private void leave(int calls, long afterNanos, long deadlineNanos) {
        for (int i = 0; i < calls; i++) {
            gate.leave(now, deadlineNanos == Head.NO_DEADLINE ? deadlineNanos : now + deadlineNanos);
        }
        now += afterNanos;
        gate.flushed();
    }

    private void leave(int calls, long afterNanos) {
        leave(calls, afterNanos, Head.NO_DEADLINE);
    }

    private static long read(Gate.Socket socket) {
        socket.read();
        return socket.cameNanos();
    }

    private void endRound() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    @Test
    void a_call_is_inside_until_its_answer_is_flushed() {
        assertThat(enterAll()).isEqualTo(MOST);
        gate.leave(now, Head.NO_DEADLINE);
        gate.leave(now, Head.NO_DEADLINE);
        assertThat(entrance.enter(Head.NO_DEADLINE)).isFalse();
        gate.flushed();
        assertThat(enterAll()).isEqualTo(2);
    }

    @Test
    void the_bound_follows_the_time_that_calls_take() {
        leave(enterAll(), 30 * MILLI);
        assertThat(enterAll()).as("six times the goal halves it").isEqualTo(1_024);
        leave(1_024, 15 * MILLI);
        assertThat(enterAll()).as("three times the goal halves it").isEqualTo(512);
        leave(512, 7 * MILLI);
        assertThat(enterAll()).as("three quarters").isEqualTo(384);
        leave(384, 21 * MILLI / 4);
        assertThat(enterAll()).as("met").isEqualTo(384);
        leave(384 / 2, 4 * MILLI);
        leave(384 / 2, 4 * MILLI);
        assertThat(enterAll()).as("it grows by a quarter at most").isEqualTo(480);
    }

    @Test
    void the_trip_to_a_far_store_is_no_queue() {
        tripNanos = 5 * MILLI;
        leave(enterAll(), 17 * MILLI);
        assertThat(enterAll())
                .as("5 ms and 0.35 of the other 10 are the goal: 8.5")
                .isEqualTo(1_024);
        leave(1_024, 17 * MILLI / 2);
        assertThat(enterAll()).as("met").isEqualTo(1_024);
        tripNanos = 0;
        leave(1_024, 7 * MILLI);
        assertThat(enterAll()).as("without it the goal is 5.25").isEqualTo(768);
        tripNanos = 20 * MILLI;
        leave(768, 15 * MILLI);
        assertThat(enterAll()).as("however far it is, callers wait for 15 ms").isEqualTo(768);
    }

    @Test
    void one_window_is_one_step() {
        int inside = enterAll();
        leave(inside / 4, 3 * MILLI);
        leave(inside / 4, MILLI);
        assertThat(enterAll()).as("still the first bound").isEqualTo(inside / 2);
    }

    @Test
    void a_store_that_is_slow_by_itself_is_still_asked() {
        for (int i = 0; i < 20; i++) {
            leave(enterAll(), SECOND);
        }
        assertThat(enterAll()).isEqualTo(LEAST);
    }

    @Test
    void slow_answers_of_few_calls_bound_nothing() {
        for (int i = 0; i < 20; i++) {
            for (int calls = 0; calls < MOST / 2; calls++) {
                assertThat(entrance.enter(Head.NO_DEADLINE)).isTrue();
            }
            leave(MOST / 2, SECOND);
        }
        assertThat(enterAll()).isEqualTo(MOST);
    }

    @Test
    void callers_who_wait_less_are_answered_sooner() {
        leave(enterAll(), 5 * MILLI, 20 * MILLI);
        assertThat(enterAll()).as("20 ms are more than anybody is waited for").isEqualTo(MOST);
        leave(MOST, 5 * MILLI, 8 * MILLI);
        assertThat(enterAll()).as("2.8 of 8 ms were meant").isEqualTo(1_147);
    }

    @Test
    void bytes_that_were_waited_for_came_just_now() {
        var socket = gate.socket();
        now += MILLI;
        assertThat(read(socket)).isEqualTo(now);
    }

    @Test
    void a_thread_that_only_looked_around_has_waited_for_bytes() {
        var socket = gate.socket();
        socket.read();
        socket.emptied();
        endRound();
        now += SECOND;
        gate.flushed();
        now += MILLI / 100;
        assertThat(read(socket)).isEqualTo(now);
    }

    @Test
    void bytes_that_are_found_after_other_work_came_in_the_middle_of_it() {
        var first = gate.socket();
        var second = gate.socket();
        var third = gate.socket();
        now += SECOND;
        assertThat(read(first)).isEqualTo(now);
        first.emptied();
        now += MILLI;
        second.read();
        second.emptied();
        now += 3 * MILLI;
        endRound();
        assertThat(read(second)).as("not before the connection was read").isEqualTo(now - 3 * MILLI / 2);
        assertThat(read(third))
                .as("nor before the last round, whichever is read first")
                .isEqualTo(now - 2 * MILLI);
        now += 6 * MILLI;
        endRound();
        assertThat(read(third)).isEqualTo(now - 3 * MILLI);
    }

    @Test
    void what_one_look_finds_in_several_reads_lay_there_as_it_began() {
        var socket = gate.socket();
        now += SECOND;
        socket.read();
        socket.emptied();
        now += 4 * MILLI;
        endRound();
        assertThat(read(socket)).isEqualTo(now - 2 * MILLI);
        now += MILLI;
        assertThat(read(socket)).as("of five milliseconds").isEqualTo(now - 5 * MILLI / 2);
        socket.emptied();
        now += 2 * MILLI;
        endRound();
        assertThat(read(socket)).as("since the last read").isEqualTo(now - MILLI);
    }

    /** The thread looks at a connection, answers the calls that it finds there, and is then kept for some time by others. */
    private boolean look(int calls, long workNanos, long deadlineNanos) {
        entrance.read();
        boolean areLetIn = true;
        for (int i = 0; i < calls; i++) {
            long deadline = deadlineNanos == Head.NO_DEADLINE ? deadlineNanos : entrance.cameNanos() + deadlineNanos;
            if (entrance.enter(deadline)) {
                gate.leave(entrance.cameNanos(), deadline);
            } else {
                areLetIn = false;
            }
        }
        entrance.emptied();
        gate.flushed();
        now += workNanos;
        endRound();
        return areLetIn;
    }

    private boolean look(long workNanos) {
        return look(FEW + 1, workNanos, Head.NO_DEADLINE);
    }

    private void look(int times, long workNanos) {
        for (int i = 0; i < times; i++) {
            assertThat(look(workNanos)).isTrue();
        }
    }

    @Test
    void a_thread_that_comes_round_too_late_three_times_turns_away_what_is_old() {
        look(2, 16 * MILLI);
        look(1, 15 * MILLI);
        look(3, 16 * MILLI);
        assertThat(look(11 * MILLI)).as("it came 8 ms ago, about").isFalse();
        assertThat(look(16 * MILLI)).as("5.5 ms ago").isTrue();
        entrance.read();
        assertThat(entrance.isShut(Head.NO_DEADLINE)).isTrue();
    }

    @Test
    void a_round_that_takes_as_long_as_three_late_ones_is_seen_before_it_ends() {
        var second = gate.socket();
        now += SECOND;
        entrance.read();
        for (int i = 0; i <= FEW; i++) {
            assertThat(entrance.enter(Head.NO_DEADLINE)).isTrue();
        }
        now += 45 * MILLI;
        second.read();
        assertThat(second.enter(Head.NO_DEADLINE)).isTrue();
        now += 1;
        second.read();
        assertThat(second.enter(Head.NO_DEADLINE)).isFalse();
    }

    @Test
    void few_that_are_answered_slowly_are_not_turned_away() {
        for (int i = 0; i < 20; i++) {
            assertThat(look(FEW, 100 * MILLI, Head.NO_DEADLINE)).isTrue();
        }
    }

    @Test
    void what_is_young_as_it_is_read_grows_old_behind_large_calls() {
        look(3, 16 * MILLI);
        look(10 * MILLI);
        entrance.read();
        assertThat(entrance.enter(Head.NO_DEADLINE)).as("5 ms ago").isTrue();
        now += MILLI;
        assertThat(entrance.enter(Head.NO_DEADLINE)).as("6 ms ago").isTrue();
        now += 1;
        assertThat(entrance.enter(Head.NO_DEADLINE)).isFalse();
        assertThat(gate.socket().enter(Head.NO_DEADLINE))
                .as("what has just come elsewhere")
                .isTrue();
    }

    @Test
    void for_those_who_wait_less_a_round_is_late_sooner_and_they_are_old_sooner() {
        for (int i = 0; i < 4; i++) {
            assertThat(look(FEW + 1, 9 * MILLI, 8 * MILLI)).isTrue();
        }
        assertThat(look(FEW + 1, 10 * MILLI, 8 * MILLI)).as("4.5 of 8 ms").isFalse();
        entrance.read();
        assertThat(entrance.mayBeShut()).isTrue();
        assertThat(entrance.isShut(now + 4 * MILLI)).as("5 of 9 ms").isTrue();
        assertThat(entrance.isShut(now + 8 * MILLI)).as("5 of 13 ms").isFalse();
    }

    @Test
    void when_nothing_was_old_for_twenty_windows_all_are_let_in_again() {
        look(3, 16 * MILLI);
        assertThat(look(5 * MILLI)).isFalse();
        look(19, 5 * MILLI);
        look(1, 16 * MILLI);
        assertThat(look(5 * MILLI)).as("the twentieth would be the next").isFalse();
        look(21, 5 * MILLI);
        look(3, 16 * MILLI);
        assertThat(look(5 * MILLI)).isFalse();
    }

    @Test
    void it_is_the_twenty_windows_after_it_fell_behind_that_count() {
        look(21, 5 * MILLI);
        look(3, 16 * MILLI);
        var fresh = gate.socket();
        fresh.read();
        assertThat(fresh.enter(Head.NO_DEADLINE)).isTrue();
        leave(1, 5 * MILLI);
        assertThat(fresh.mayBeShut()).isTrue();
    }

    /** Else one caller who hardly waits would keep it from all the others. */
    @Test
    void who_is_old_only_as_he_waits_for_less_than_the_others_does_not_keep_it_behind() {
        look(3, 16 * MILLI);
        assertThat(look(5 * MILLI)).isFalse();
        for (int i = 0; i < 21; i++) {
            look(1, 5 * MILLI);
            entrance.read();
            assertThat(entrance.enter(entrance.cameNanos() + 3 * MILLI)).isEqualTo(i == 20);
        }
        assertThat(entrance.mayBeShut()).isFalse();
    }

    @Test
    void late_ones_are_a_part_of_a_round_and_keep_it_behind() {
        for (int i = 0; i < 3; i++) {
            for (int late = 0; late <= FEW; late++) {
                entrance.read();
                entrance.late();
            }
            now += 16 * MILLI;
            endRound();
        }
        for (int i = 0; i < 30; i++) {
            now += 16 * MILLI;
            entrance.read();
            entrance.late();
            assertThat(entrance.mayBeShut()).isTrue();
        }
    }

    @Test
    void who_is_turned_away_as_he_is_old_does_not_widen_the_bound() {
        leave(enterAll(), 30 * MILLI);
        look(3, 16 * MILLI);
        for (int i = 0; i < 5; i++) {
            assertThat(look(5 * MILLI)).isFalse();
            look(1, 5 * MILLI);
            look(1, 16 * MILLI);
        }
        assertThat(enterAll(gate.socket())).isEqualTo(1_024);
    }
}
