package dev.weir.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.call.Call;
import dev.weir.call.Calls;
import dev.weir.call.Outcome;
import dev.weir.call.Refusal;
import dev.weir.call.Replies;
import dev.weir.http2.bound.Budgets;
import dev.weir.http2.bound.OpenCalls;
import dev.weir.http2.message.Budget;
import dev.weir.http2.opening.Methods;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2CodecUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers who want a connection to hold, or to do, more than their calls are worth. */
final class HostileCallerTest {
    private static final int MEGABYTE = 1 << 20;
    private static final int LONGEST_FRAME = 16 << 10;
    private static final String REFUSED_STREAM = "\0\0\0\7";

    private final EmbeddedCaller caller = new EmbeddedCaller();
    private final List<String> heard = new ArrayList<>();
    private final List<Refusal> told = new ArrayList<>();

    private Connection begin(Calls calls, int... settings) {
        return begin(EmbeddedCaller.unsent(), calls, settings);
    }

    /** Begins a connection beside others that have left so much room for answers that are not taken. */
    private Connection begin(Budget unread, Calls calls, int... settings) {
        return begin(new Budget(1_000), unread, calls, settings);
    }

    private Connection begin(Budget unfinished, Budget unread, Calls calls, int... settings) {
        var methods = methods(calls);
        var budgets = EmbeddedCaller.budgets(unfinished, unread, new Budget(0));
        Connection connection = caller.connect(methods, budgets);
        caller.greet(settings);
        var _ = caller.came();
        return connection;
    }

    private Methods methods(Calls calls) {
        return new Methods(Map.of(), calls, MEGABYTE, null, told::add);
    }

    @AfterEach
    void end() {
        caller.close();
    }

    @Test
    void answers_that_nobody_takes_end_the_connection_when_they_are_too_many() {
        var _ = begin((_, replies) -> new Answering(replies, MEGABYTE), EmbeddedCaller.INITIAL_WINDOW_SIZE, 0);
        int asked = 0;
        while (caller.channel().isOpen() && asked < 20) {
            caller.send(caller.headers(2 * asked + 1, EmbeddedCaller.END_STREAM));
            asked++;
        }
        assertThat(asked).as("of a megabyte each, 8 megabytes may wait").isEqualTo(8);
        assertThat(caller.came(EmbeddedCaller.GO_AWAY))
                .singleElement()
                .asString()
                .contains("answers_not_taken");
        assertThat(told).containsExactly(Refusal.PROTOCOL);
    }

    /** Who waited for the end of it would have to hold it all. */
    @Test
    void a_frame_that_is_too_long_ends_the_connection_as_it_begins() {
        var _ = begin((_, replies) -> new NotedCall(heard, replies));
        caller.send(EmbeddedCaller.data(1, 0, Unpooled.buffer().writeZero(LONGEST_FRAME + 1))
                .slice(0, Http2CodecUtil.FRAME_HEADER_LENGTH));
        assertThat(caller.came(EmbeddedCaller.GO_AWAY)).hasSize(1);
        assertThat(caller.channel().isOpen()).isFalse();
    }

    @Test
    void headers_that_are_begun_are_kept_as_long_as_there_is_room_and_end_the_connection_then() {
        var unfinished = new Budget(30_000);
        var _ = begin(unfinished, EmbeddedCaller.unsent(), (_, replies) -> new Answering(replies, 1));
        caller.send(EmbeddedCaller.frame(
                EmbeddedCaller.HEADERS, 0, 1, Unpooled.buffer().writeZero(10_000)));
        caller.send(EmbeddedCaller.frame(
                EmbeddedCaller.CONTINUATION, 0, 1, Unpooled.buffer().writeZero(16_000)));
        assertThat(caller.channel().isOpen()).isTrue();
        assertThat(unfinished.mayTake(15_000)).as("16,000 are taken").isFalse();
        caller.send(
                EmbeddedCaller.frame(
                        EmbeddedCaller.CONTINUATION, 0, 1, Unpooled.buffer().writeZero(8_000)),
                EmbeddedCaller.frame(
                        EmbeddedCaller.CONTINUATION, 0, 1, Unpooled.buffer().writeZero(8_000)));
        assertThat(caller.came(EmbeddedCaller.GO_AWAY))
                .singleElement()
                .asString()
                .contains("too_many_headers_begun");
        caller.close();
        assertThat(unfinished.mayTake(30_000)).as("all is given back").isTrue();
    }

    /** A busy caller's reads end in the midst of one block after the other. */
    @Test
    void headers_that_are_finished_are_not_counted_with_those_begun_behind_them() {
        var unfinished = new Budget(10_000);
        var _ = begin(unfinished, EmbeddedCaller.unsent(), (_, replies) -> new Answering(replies, 1));
        caller.send(longHeadersBegun(1));
        for (int stream = 1; stream < 20; stream += 2) {
            caller.send(endOfHeaders(stream), longHeadersBegun(stream + 2));
            assertThat(caller.came(EmbeddedCaller.GO_AWAY)).isEmpty();
        }
        assertThat(caller.channel().isOpen()).isTrue();
        caller.send(endOfHeaders(21));
        assertThat(unfinished.mayTake(10_000)).as("nothing is begun").isTrue();
    }

    @Test
    void headers_that_are_begun_behind_a_call_that_is_reset_are_counted_once() {
        var _ = begin(new Budget(10_000), EmbeddedCaller.unsent(), (_, replies) -> new Answering(replies, 1));
        caller.send(caller.headers(1, EmbeddedCaller.END_STREAM, "connection", "close"), longHeadersBegun(3));
        assertThat(caller.came(EmbeddedCaller.GO_AWAY)).isEmpty();
        assertThat(caller.channel().isOpen()).isTrue();
    }

    private static ByteBuf endOfHeaders(int stream) {
        ByteBuf lastLetter = Unpooled.buffer().writeByte('a');
        return EmbeddedCaller.frame(EmbeddedCaller.CONTINUATION, EmbeddedCaller.END_HEADERS, stream, lastLetter);
    }

    /** All but the last letter of a header of 16,000 bytes, as HPACK writes it without its table. */
    private static ByteBuf longHeadersBegun(int stream) {
        ByteBuf block = Unpooled.buffer().writeBytes(ByteBufUtil.decodeHexDump("838684" + "000178" + "7f817c"));
        for (int i = 1; i < 16_000; i++) {
            block.writeByte('a');
        }
        return EmbeddedCaller.frame(EmbeddedCaller.HEADERS, 0, stream, block);
    }

    @Test
    void answers_that_are_taken_make_room_for_others() {
        var _ = begin((_, replies) -> new Answering(replies, MEGABYTE), EmbeddedCaller.INITIAL_WINDOW_SIZE, 0);
        for (int asked = 0; asked < 30; asked++) {
            int stream = 2 * asked + 1;
            caller.send(caller.headers(stream, EmbeddedCaller.END_STREAM));
            caller.send(
                    EmbeddedCaller.number(EmbeddedCaller.WINDOW_UPDATE, 0, 2 * MEGABYTE),
                    EmbeddedCaller.number(EmbeddedCaller.WINDOW_UPDATE, stream, 2 * MEGABYTE));
            assertThat(caller.came(EmbeddedCaller.GO_AWAY)).isEmpty();
        }
        assertThat(caller.channel().isOpen()).isTrue();
    }

    @Test
    void answers_of_calls_that_are_given_up_make_room_for_others() {
        var _ = begin((_, replies) -> new Answering(replies, MEGABYTE), EmbeddedCaller.INITIAL_WINDOW_SIZE, 0);
        for (int asked = 0; asked < 30; asked++) {
            caller.send(caller.headers(2 * asked + 1, EmbeddedCaller.END_STREAM));
            caller.send(EmbeddedCaller.number(EmbeddedCaller.RST_STREAM, 2 * asked + 1, 8));
        }
        assertThat(caller.channel().isOpen()).isTrue();
    }

    @Test
    void who_has_room_is_answered_though_others_have_left_none() {
        var _ = begin(new Budget(0), (_, replies) -> new Answering(replies, 20_000));
        for (int asked = 0; asked < 3; asked++) {
            caller.send(caller.headers(2 * asked + 1, EmbeddedCaller.END_STREAM));
        }
        assertThat(caller.came(EmbeddedCaller.DATA)).hasSize(3 * 2); // of 16 KiB at most
        assertThat(caller.channel().isOpen()).isTrue();
        caller.send(caller.headers(7, EmbeddedCaller.END_STREAM));
        assertThat(caller.came(EmbeddedCaller.GO_AWAY))
                .as("the window of the connection takes 65,535 bytes")
                .singleElement()
                .asString()
                .contains("answers_not_taken");
    }

    @Test
    void a_few_small_answers_may_wait_though_others_have_left_no_room() {
        var _ = begin(
                new Budget(0), (_, replies) -> new Answering(replies, 1_000), EmbeddedCaller.INITIAL_WINDOW_SIZE, 0);
        for (int asked = 0; asked < 4; asked++) {
            caller.send(caller.headers(2 * asked + 1, EmbeddedCaller.END_STREAM));
        }
        assertThat(caller.channel().isOpen()).isTrue();
        caller.send(caller.headers(9, EmbeddedCaller.END_STREAM));
        assertThat(caller.channel().isOpen()).isFalse();
    }

    @Test
    void who_takes_the_room_away_again_has_none() {
        var _ = begin(new Budget(0), (_, replies) -> new Answering(replies, 20_000));
        caller.send(
                caller.headers(1, EmbeddedCaller.END_STREAM),
                EmbeddedCaller.settings(EmbeddedCaller.INITIAL_WINDOW_SIZE, 0));
        assertThat(caller.came(EmbeddedCaller.GO_AWAY)).hasSize(1);
        assertThat(caller.channel().isOpen()).isFalse();
    }

    @Test
    void settings_that_change_all_the_time_end_the_connection() {
        var _ = begin((_, replies) -> new NotedCall(heard, replies));
        ByteBuf[] changes = new ByteBuf[99]; // with the first one a hundred
        for (int i = 0; i < changes.length; i++) {
            changes[i] = EmbeddedCaller.settings(EmbeddedCaller.INITIAL_WINDOW_SIZE, i);
        }
        caller.send(changes);
        assertThat(caller.channel().isOpen()).isTrue();
        caller.send(EmbeddedCaller.settings(EmbeddedCaller.INITIAL_WINDOW_SIZE, 1));
        assertThat(caller.came(EmbeddedCaller.GO_AWAY))
                .singleElement()
                .asString()
                .contains("too_many_settings");
        assertThat(caller.channel().isOpen()).isFalse();
    }

    @Test
    void calls_that_are_open_on_all_connections_together_are_bounded() {
        var budgets = new Budgets(
                new Budget(MEGABYTE),
                new Budget(MEGABYTE),
                EmbeddedCaller.unsent(),
                new Budget(0),
                new OpenCalls(20, 1_000));
        var methods = methods((_, replies) -> new NotedCall(heard, replies));
        var others = new EmbeddedCaller();
        for (var each : List.of(caller, others)) {
            var _ = each.connect(methods, budgets);
            each.greet();
            var _ = each.came();
        }
        open(others, 1, 20);
        assertThat(others.came(EmbeddedCaller.RST_STREAM)).isEmpty();
        open(caller, 1, 8);
        assertThat(caller.came(EmbeddedCaller.RST_STREAM))
                .as("a few may always be open")
                .isEmpty();
        open(caller, 17, 1);
        assertThat(caller.came(EmbeddedCaller.RST_STREAM)).containsExactly(REFUSED_STREAM);

        for (int i = 0; i < 9; i++) {
            others.send(EmbeddedCaller.number(EmbeddedCaller.RST_STREAM, 2 * i + 1, 8));
        }
        open(caller, 19, 2);
        assertThat(caller.came(EmbeddedCaller.RST_STREAM)).as("room for one").containsExactly(REFUSED_STREAM);

        others.close();
        open(caller, 23, 11);
        assertThat(caller.came(EmbeddedCaller.RST_STREAM)).isEmpty();
        open(caller, 45, 1);
        assertThat(caller.came(EmbeddedCaller.RST_STREAM)).containsExactly(REFUSED_STREAM);
        assertThat(told).containsExactly(Refusal.STREAMS, Refusal.STREAMS, Refusal.STREAMS);
    }

    /** Netty's maps stay as large as they were with all of the calls. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void who_has_grown_for_many_calls_and_has_hardly_any_leaves_where_room_is_scarce(int kept) {
        var budgets = new Budgets(
                new Budget(MEGABYTE),
                new Budget(MEGABYTE),
                EmbeddedCaller.unsent(),
                new Budget(0),
                new OpenCalls(1_000, 100));
        var methods = methods((_, replies) -> new NotedCall(heard, replies));
        var connection = caller.connect(methods, budgets);
        var _ = caller.channel().pipeline().addLast(new Neglected(connection));
        caller.greet();
        open(caller, 1, 80);
        for (int i = kept; i < 80; i++) {
            caller.send(EmbeddedCaller.number(EmbeddedCaller.RST_STREAM, 2 * i + 1, 8));
        }
        caller.pass(4);
        assertThat(caller.came(EmbeddedCaller.GO_AWAY)).isEmpty();
        caller.pass(3);
        assertThat(caller.came(EmbeddedCaller.GO_AWAY)).as("in two steps").hasSize(2);
        assertThat(caller.channel().isOpen()).isEqualTo(kept > 0);
        caller.pass(3);
        assertThat(caller.channel().isOpen()).as("after five seconds").isFalse();
    }

    /** Opens calls and goes no further with them, one round each. */
    private static void open(EmbeddedCaller caller, int firstStream, int calls) {
        for (int i = 0; i < calls; i++) {
            caller.send(caller.headers(firstStream + 2 * i, 0));
        }
    }

    @Test
    void what_a_failure_repeats_of_the_caller_is_cut() {
        var _ = begin((_, replies) -> new Failing(replies, new Outcome(5, "%".repeat(8 * MEGABYTE))));
        caller.send(caller.headers(1, EmbeddedCaller.END_STREAM));
        assertThat(caller.came().readableBytes()).isLessThan(4_000);
    }

    @Test
    void a_task_that_breaks_leaves_none_of_the_others_undone() {
        var connection = begin((_, replies) -> new NotedCall(heard, replies));
        var done = new ArrayList<String>();
        connection.bring(() -> {
            throw new IllegalStateException("broken");
        });
        connection.bring(() -> done.add("done"));
        caller.channel().runPendingTasks();
        assertThatThrownBy(() -> caller.channel().checkException()).hasMessage("broken");
        caller.channel().runPendingTasks();
        assertThat(done).containsExactly("done");
    }

    /** Answers when it is asked. */
    private record Answering(Replies replies, int bytes) implements Call {
        @Override
        public void message(byte[] message) {
            throw new AssertionError("no message was sent");
        }

        @Override
        public void halfClose() {
            replies.answer(new byte[bytes]);
        }

        @Override
        public void cancel() {
            // Its answer may still wait.
        }
    }

    private record Failing(Replies replies, Outcome outcome) implements Call {
        @Override
        public void message(byte[] message) {
            throw new AssertionError("no message was sent");
        }

        @Override
        public void halfClose() {
            replies.close(outcome);
        }

        @Override
        public void cancel() {
            throw new AssertionError("nobody has left");
        }
    }
}
