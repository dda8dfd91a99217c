package dev.weir.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Replies;
import dev.weir.http2.message.Budget;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A caller gives answers room as the test says, while the test moves the clock. */
final class ClosedWindowsTest {
    private static final int ANSWER_BYTES = 20_000;
    private static final int CONNECTION_WINDOW_BYTES = 65_535;

    private final List<Replies> asked = new ArrayList<>();
    private final EmbeddedCaller caller = new EmbeddedCaller();

    @AfterEach
    void end() {
        caller.close();
    }

    private void connect(int windowBytes) {
        var connection = EmbeddedCaller.connection(
                (_, replies) -> {
                    asked.add(replies);
                    return new NotedCall(new ArrayList<>(), replies);
                },
                new Budget(1_000));
        var _ = caller.channel().pipeline().addLast(connection, new ClosedWindows(connection));
        caller.greet(EmbeddedCaller.INITIAL_WINDOW_SIZE, windowBytes);
    }

    private void ask(int stream) {
        caller.send(caller.headers(stream, EmbeddedCaller.END_STREAM));
    }

    private void answer() {
        asked.removeFirst().answer(new byte[ANSWER_BYTES]);
        caller.channel().runPendingTasks();
    }

    private void give(int stream, int bytes) {
        caller.send(EmbeddedCaller.number(EmbeddedCaller.WINDOW_UPDATE, stream, bytes));
    }

    private void assertGivenUp() {
        caller.pass(19);
        assertThat(caller.channel().isOpen()).isTrue();
        assertThat(caller.came(EmbeddedCaller.GO_AWAY)).isEmpty();
        caller.pass(7);
        assertThat(caller.channel().isOpen()).isFalse();
        assertThat(caller.came(EmbeddedCaller.GO_AWAY))
                .singleElement()
                .satisfies(text -> assertThat(text).endsWith("answers_not_taken"));
    }

    @Test
    void who_gives_an_answer_no_room_is_given_up_after_twenty_seconds() {
        connect(0);
        ask(1);
        caller.pass(60);
        assertThat(caller.channel().isOpen()).as("there is no answer yet").isTrue();
        answer();
        assertGivenUp();
    }

    @Test
    void so_is_who_gives_the_whole_connection_none() {
        connect(CONNECTION_WINDOW_BYTES);
        for (int stream = 1; stream < 9; stream += 2) {
            ask(stream);
            answer();
        }
        assertGivenUp();
    }

    @Test
    void room_for_another_one_does_not_help() {
        connect(0);
        ask(1);
        answer();
        for (int stream = 3; stream < 9; stream += 2) {
            caller.pass(5);
            ask(stream);
            answer();
            give(stream, 2 * ANSWER_BYTES);
        }
        caller.pass(11);
        assertThat(caller.channel().isOpen()).isFalse();
    }

    @Test
    void who_makes_room_in_time_is_waited_for() {
        connect(0);
        for (int stream = 1; stream < 9; stream += 2) {
            ask(stream);
            answer();
            caller.pass(19);
            give(stream, 2 * ANSWER_BYTES);
            give(0, 2 * ANSWER_BYTES);
            assertThat(caller.came(EmbeddedCaller.DATA)).isNotEmpty();
        }
        caller.pass(600);
        assertThat(caller.channel().isOpen()).as("all is sent").isTrue();
    }
}
