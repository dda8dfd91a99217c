package dev.weir.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.OverrunThread.Connections;
import dev.weir.call.OverrunThread.Costs;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Callers wait for 15 ms, so calls may take 5.25 ms in the mean. Time is a number here. */
final class GateTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long PATIENCE = 15 * MILLI;
    private static final int MOST = 2_048;
    private static final int LEAST = 32;
    private static final int FEW = 64;

    /** A store that is the bottleneck: 125,000 calls a second without the batches' own cost. */
    private static final Costs WITH_STORE = new Costs(2_000, 1_500, 8_000, 100_000);

    /** Everything on the thread: 50,000 calls a second. To turn away costs a twentieth of an answer. */
    private static final Costs ALONE = new Costs(20_000, 1_000, 0, 0);

    /** The same for large requests: 4,000 calls a second. */
    private static final Costs LARGE = new Costs(250_000, 2_000, 0, 0);

    private static final long ALONE_RATE = 50_000;
    private static final Connections FOUR = new Connections(4, 600);
    private static final Connections HUNDRED = new Connections(100, 600);

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private long now = 7_000 * SECOND;
    private final Gate gate = new Gate(tasks::add, () -> now, PATIENCE);
    private final Gate.Socket entrance = gate.socket();

    private int enterAll() {
        int entered = 0;
        while (entrance.enter(Head.NO_DEADLINE)) {
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

    private static List<Arguments> threads() {
        return List.of(
                Arguments.argumentSet("with a store", WITH_STORE, FOUR, 122_000),
                Arguments.argumentSet("alone", ALONE, FOUR, ALONE_RATE),
                Arguments.argumentSet("alone, many connections", ALONE, HUNDRED, 45_000),
                Arguments.argumentSet("large requests", LARGE, new Connections(4, 60), 4_000),
                Arguments.argumentSet("large requests, many connections", LARGE, HUNDRED, 3_900));
    }

    @ParameterizedTest
    @MethodSource("threads")
    void below_saturation_nobody_is_turned_away(Costs costs, Connections connections, long saturation) {
        var thread = new OverrunThread(costs, connections, PATIENCE);
        for (int tenths = 1; tenths <= 9; tenths++) {
            var account = thread.run(saturation * tenths / 10, SECOND);
            assertThat(account.turnedAway()).as("at %d0 %%", tenths).isZero();
            assertThat(account.late()).as("at %d0 %%", tenths).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("threads")
    void at_twice_the_saturating_rate_nine_tenths_of_it_are_answered_in_time(
            Costs costs, Connections connections, long saturation) {
        var thread = new OverrunThread(costs, connections, PATIENCE);
        thread.run(saturation / 2, SECOND);
        var first = thread.run(2 * saturation, SECOND);
        assertThat(first.inTime()).as("from the first second on").isGreaterThan(saturation * 90 / 100);
        var overload = thread.run(2 * saturation, SECOND);
        assertThat(overload.inTime()).isGreaterThan(saturation * 9 / 10);
        assertThat(overload.late()).isLessThan(saturation / 1_000);
        assertThat(overload.mostQueued()).as("calls in all queues").isLessThan(saturation * 2 * 20 / 1_000);
        var fall = thread.run(saturation / 2, SECOND / 10);
        assertThat(fall.inTime()).as("a tenth of a second after the load fell").isGreaterThan(saturation * 45 / 1_000);
        var after = thread.run(saturation / 2, SECOND);
        assertThat(after.turnedAway()).isZero();
        assertThat(after.late()).isZero();
    }

    @Test
    void without_it_next_to_nothing_is() {
        var thread = new OverrunThread(ALONE, FOUR, 1_000 * SECOND);
        thread.run(2 * ALONE_RATE, SECOND);
        assertThat(thread.run(2 * ALONE_RATE, SECOND).inTime()).isLessThan(ALONE_RATE / 10);
    }

    @Test
    void what_came_while_the_thread_stood_still_does_not_make_the_rest_late() {
        var thread = new OverrunThread(ALONE, FOUR, PATIENCE);
        thread.run(ALONE_RATE / 2, SECOND);
        thread.stall(ALONE_RATE / 2, 50 * MILLI);
        thread.run(ALONE_RATE / 2, 100 * MILLI);
        var after = thread.run(ALONE_RATE / 2, SECOND);
        assertThat(after.turnedAway()).isZero();
        assertThat(after.late()).isZero();
    }
}
