package dev.weir.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Call;
import dev.weir.call.Outcome;
import dev.weir.call.Replies;
import dev.weir.http2.message.Budget;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are written in one piece, beside those that go through Netty's encoder frame by frame. */
final class WholeAnswersTest {
    private static final int CONNECTION_WINDOW_BYTES = 65_535;

    private final Side whole = new Side(true);
    private final Side framed = new Side(false);

    /** A caller and its connection. */
    private static final class Side {
        private final EmbeddedCaller caller = new EmbeddedCaller();
        private final List<Replies> asked = new ArrayList<>();
        private final Connection connection;
        private int lastStream = -1;

        /** Without room of its own in what is gathered, a connection has to go the long way. */
        Side(boolean isWhole) {
            var gathering = new Gathering(EmbeddedCaller.unsent());
            var methods = EmbeddedCaller.methods((_, replies) -> call(replies), 100_000);
            connection = EmbeddedCaller.connection(methods, new Budget(1_000), gathering);
            caller.channel()
                    .pipeline()
                    .addLast(isWhole ? gathering : new Gathering(EmbeddedCaller.unsent()), connection);
        }

        private Call call(Replies replies) {
            asked.add(replies);
            return new NotedCall(new ArrayList<>(), replies);
        }

        void ask(boolean isAll) {
            lastStream += 2;
            caller.send(caller.headers(lastStream, isAll ? EmbeddedCaller.END_STREAM : 0));
        }

        void answer(int index, int bytes) {
            asked.remove(index).answer(new byte[bytes]);
            caller.channel().runPendingTasks();
        }

        /** Answers a part of what the call wants to hear. */
        void send(int index, int bytes) {
            asked.get(index).send(new byte[bytes], () -> {});
            caller.channel().runPendingTasks();
        }

        void fail(int index, Outcome why) {
            asked.remove(index).close(why);
            caller.channel().runPendingTasks();
        }
    }

    @AfterEach
    void end() {
        whole.caller.close();
        framed.caller.close();
    }

    @Test
    void an_answer_is_written_in_one_piece_where_nothing_is_in_its_way() {
        whole.caller.greet();
        whole.ask(true);
        assertThat(whole.connection.answerWhole(1, new byte[100], Outcome.OK)).isTrue();
        framed.caller.greet();
        framed.ask(true);
        assertThat(framed.connection.answerWhole(1, new byte[100], Outcome.OK)).isFalse();
    }

    @Test
    void no_more_is_sent_than_the_caller_has_room_for() {
        whole.caller.greet();
        for (int i = 0; i < 20; i++) {
            whole.ask(true);
            whole.answer(0, 4_995);
        }
        assertThat(dataBytes()).isEqualTo(CONNECTION_WINDOW_BYTES);
        whole.caller.send(EmbeddedCaller.number(EmbeddedCaller.WINDOW_UPDATE, 0, 1_000_000));
        assertThat(dataBytes()).isEqualTo(100_000 - CONNECTION_WINDOW_BYTES);
    }

    @Test
    void no_answer_overtakes_those_that_wait_for_the_window() {
        whole.caller.greet();
        for (int i = 0; i < 14; i++) {
            whole.ask(true);
            whole.answer(0, 4_995);
        }
        assertThat(dataBytes()).as("the last one waits with its end").isEqualTo(CONNECTION_WINDOW_BYTES);
        whole.ask(true);
        assertThat(whole.connection.answerWhole(29, new byte[100], Outcome.OK)).isFalse();
        // Room for the new one, and not for both.
        var _ = whole.caller.channel().writeOneInbound(EmbeddedCaller.number(EmbeddedCaller.WINDOW_UPDATE, 0, 1_000));
        assertThat(whole.connection.answerWhole(29, new byte[100], Outcome.OK)).isFalse();
        var _ = whole.caller.channel().flushInbound();
        assertThat(dataBytes()).isEqualTo(1_000);
    }

    private int dataBytes() {
        return whole.caller.came(EmbeddedCaller.DATA).stream()
                .mapToInt(String::length)
                .sum();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void whatever_happens_both_ways_write_the_same_bytes(long seed) {
        whole.caller.greet();
        framed.caller.greet();
        var random = new Random(seed);
        for (int step = 0; step < 250; step++) { // more would be more settings than a caller may send

            int action = random.nextInt(14);
            long choice = random.nextLong();
            act(whole, action, new Random(choice));
            act(framed, action, new Random(choice));
            assertThat(ByteBufUtil.hexDump(whole.caller.came()))
                    .as("step %d, action %d", step, action)
                    .isEqualTo(ByteBufUtil.hexDump(framed.caller.came()));
        }
        assertThat(whole.asked).hasSameSizeAs(framed.asked);
    }

    private static void act(Side side, int action, Random random) {
        int index = side.asked.isEmpty() ? -1 : random.nextInt(side.asked.size());
        int bytes = random.nextInt(random.nextInt(10) == 0 ? 9_000 : 200);
        int table = random.nextInt(3) * 100;
        int window = random.nextInt(3) * 3_000;
        int list = 1 << random.nextInt(6, 14);
        int stream = 1 + 2 * random.nextInt(Math.max(1, side.lastStream));
        switch (action) {
            case 0, 1, 2, 3 -> side.ask(action != 3);
            case 4 -> side.caller.send(EmbeddedCaller.settings(EmbeddedCaller.HEADER_TABLE_SIZE, table));
            case 5 -> side.caller.send(EmbeddedCaller.settings(EmbeddedCaller.INITIAL_WINDOW_SIZE, window));
            case 6 -> side.caller.send(EmbeddedCaller.number(EmbeddedCaller.WINDOW_UPDATE, 0, 1 + bytes));
            case 7 -> {
                if (stream <= side.lastStream) {
                    side.caller.send(EmbeddedCaller.number(EmbeddedCaller.RST_STREAM, stream, 8));
                }
            }
            case 8 -> side.caller.send(EmbeddedCaller.settings(EmbeddedCaller.MAX_HEADER_LIST_SIZE, list));
            case 9 -> {
                if (index >= 0) {
                    side.fail(index, new Outcome(Outcome.INTERNAL, "the store is " + bytes % 5));
                }
            }
            case 10, 11 -> {
                if (index >= 0) {
                    side.send(index, bytes);
                }
            }
            default -> {
                if (index >= 0) {
                    side.answer(index, bytes);
                }
            }
        }
    }
}
