package dev.weir.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Call;
import dev.weir.call.Outcome;
import dev.weir.call.Replies;
import dev.weir.call.Trace;
import dev.weir.call.Tracer;
import dev.weir.http2.message.BrokenCallException;
import dev.weir.http2.message.Budget;
import dev.weir.http2.opening.Methods;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a call is told of its end. */
final class ExchangeTest {
    private static final int BUDGET_BYTES = 10_000;
    private static final int LARGE_BYTES = 16_000; // most of a frame
    private static final int MANY = 3; // more than half of the first window, which is when Netty gives room anew
    private static final int MESSAGE_HEAD_BYTES = 5;
    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

    private final List<String> heard = new ArrayList<>();
    private final List<Long> deadlines = new ArrayList<>();
    private final Budget budget = new Budget(BUDGET_BYTES);
    private final List<String> followed = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();
    private final EmbeddedCaller caller = new EmbeddedCaller();

    @BeforeEach
    void greet() {
        var _ = caller.connect(
                new Methods(
                        Map.of(),
                        (head, replies) -> {
                            deadlines.add(head.deadlineNanos());
                            return new NotedCall(heard, replies);
                        },
                        100_000,
                        this::follow,
                        _ -> {}),
                budget);
        caller.greet();
    }

    private Trace follow(String path, Tracer.Headers headers) {
        followed.add(path + " " + headers.get("grpc-encoding"));
        return new Trace() {
            @Override
            public void ended(Outcome outcome) {
                ends.add(String.valueOf(outcome.message()));
            }
        };
    }

    @AfterEach
    void end() {
        caller.close();
    }

    @Test
    void a_call_that_is_refused_for_its_headers_is_not_followed() {
        caller.send(caller.headers(1, 0, "grpc-encoding", "snappy"));
        caller.send(caller.headers(3, 0, "grpc-timeout", "soon"));
        assertThat(followed).isEmpty();
        caller.send(caller.headers(5, 0, "grpc-encoding", "gzip"));
        assertThat(followed).containsExactly("/any gzip");
    }

    @Test
    void who_follows_a_call_hears_once_how_it_ended() {
        caller.send(caller.headers(1, 0), EmbeddedCaller.number(EmbeddedCaller.RST_STREAM, 1, 8));
        caller.send(caller.headers(3, 0), EmbeddedCaller.data(3, 0, EmbeddedCaller.message(1, 1)));
        caller.send(caller.headers(5, 0, "grpc-timeout", "0n"), EmbeddedCaller.data(5, EmbeddedCaller.END_STREAM));
        caller.send(
                caller.headers(7, 0), EmbeddedCaller.data(7, EmbeddedCaller.END_STREAM, EmbeddedCaller.message(4, 3)));
        assertThat(ends)
                .containsExactly(
                        "the caller left",
                        "one message too many",
                        "the caller's deadline passed before there was an answer",
                        "Encountered end-of-stream mid-frame");
    }

    @Test
    void the_same_headers_open_a_call_of_its_own_each_time() {
        for (int stream = 1; stream < 9; stream += 2) {
            caller.send(caller.headers(stream, EmbeddedCaller.END_STREAM, "grpc-encoding", "gzip"));
        }
        assertThat(followed).hasSize(4).containsOnly("/any gzip");
        assertThat(heard).containsExactly("asked", "asked", "asked", "asked");
    }

    @Test
    void the_same_timeout_runs_from_when_its_own_call_came() {
        long before = System.nanoTime();
        for (int stream = 1; stream < 7; stream += 2) {
            caller.send(caller.headers(stream, EmbeddedCaller.END_STREAM, "grpc-timeout", "1H"));
        }
        assertThat(deadlines).hasSize(3).doesNotHaveDuplicates().isSorted();
        assertThat(deadlines.getFirst() - before).isBetween(HOUR_NANOS, 2 * HOUR_NANOS);
    }

    @Test
    void other_headers_open_another_call() {
        caller.send(caller.headers(1, 0, "grpc-timeout", "1H"));
        caller.send(caller.headers(3, 0, "grpc-timeout", "1H"));
        caller.send(
                caller.headers(5, 0, "grpc-timeout", "0n"),
                EmbeddedCaller.data(5, EmbeddedCaller.END_STREAM, EmbeddedCaller.message(4, 4)));
        assertThat(heard).containsExactly("message of 4", "cancelled");
    }

    @Test
    void what_follows_the_message_that_ends_a_call_is_neither_read_nor_held() throws BrokenCallException {
        caller.send(
                caller.headers(1, 0),
                EmbeddedCaller.data(
                        1,
                        0,
                        EmbeddedCaller.message(1, 1),
                        EmbeddedCaller.message(2, 2),
                        EmbeddedCaller.message(3, 3),
                        EmbeddedCaller.message(5_000, 100)));
        assertThat(heard).containsExactly("message of 1", "message of 2");
        budget.take(BUDGET_BYTES); // nothing is held
    }

    @Test
    void a_call_that_is_late_when_it_was_read_is_cancelled() {
        caller.send(
                caller.headers(1, 0, "grpc-timeout", "0n"),
                EmbeddedCaller.data(1, EmbeddedCaller.END_STREAM, EmbeddedCaller.message(4, 4)));
        assertThat(heard).containsExactly("message of 4", "cancelled");
    }

    @Test
    void bytes_that_are_no_message_break_a_call() {
        caller.send(
                caller.headers(1, 0),
                EmbeddedCaller.data(1, 0, Unpooled.buffer().writeByte(6).writeInt(0)));
        assertThat(heard).containsExactly("broken: gRPC frame header malformed: reserved bits not zero");
    }

    @Test
    void an_end_within_a_message_breaks_a_call() {
        caller.send(
                caller.headers(1, 0), EmbeddedCaller.data(1, EmbeddedCaller.END_STREAM, EmbeddedCaller.message(4, 3)));
        assertThat(heard).containsExactly("broken: Encountered end-of-stream mid-frame");
    }

    @Test
    void a_caller_gets_room_for_more_only_when_the_call_is_ready_again() {
        var asked = new ArrayList<Replies>();
        try (var eager = new EmbeddedCaller()) {
            var _ = eager.connect(
                    (_, replies) -> {
                        asked.add(replies);
                        return new SlowCall();
                    },
                    new Budget(2 * MANY * LARGE_BYTES));
            eager.greet();
            eager.send(eager.headers(1, 0));
            for (int i = 0; i < MANY; i++) {
                eager.send(EmbeddedCaller.data(
                        1,
                        0,
                        EmbeddedCaller.message(LARGE_BYTES - MESSAGE_HEAD_BYTES, LARGE_BYTES - MESSAGE_HEAD_BYTES)));
            }
            assertThat(eager.came(EmbeddedCaller.WINDOW_UPDATE)).isEmpty();
            asked.getFirst().ready();
            eager.channel().runPendingTasks();
            assertThat(eager.came(EmbeddedCaller.WINDOW_UPDATE)).isNotEmpty();
        }
    }

    /** Its stream stays open as long, and its caller may go on. */
    @Test
    void what_follows_an_answer_that_waits_for_room_is_neither_read_nor_held() throws BrokenCallException {
        var asked = new ArrayList<Replies>();
        try (var slow = new EmbeddedCaller()) {
            var _ = slow.connect(
                    (_, replies) -> {
                        asked.add(replies);
                        return new NotedCall(heard, replies);
                    },
                    budget);
            slow.greet(EmbeddedCaller.INITIAL_WINDOW_SIZE, 0);
            slow.send(slow.headers(1, 0));
            asked.getFirst().answer(new byte[1]);
            slow.channel().runPendingTasks();
            for (int i = 0; i < 100; i++) {
                slow.send(EmbeddedCaller.data(
                        1,
                        0,
                        EmbeddedCaller.message(LARGE_BYTES - MESSAGE_HEAD_BYTES, LARGE_BYTES - MESSAGE_HEAD_BYTES)));
            }
            slow.send(EmbeddedCaller.data(1, EmbeddedCaller.END_STREAM));
            assertThat(slow.channel().isOpen())
                    .as("it has room for what it sends")
                    .isTrue();
            assertThat(heard).isEmpty();
            budget.take(BUDGET_BYTES);
        }
    }

    @Test
    void a_caller_who_gives_up_cancels_a_call() {
        caller.send(caller.headers(1, 0), EmbeddedCaller.number(EmbeddedCaller.RST_STREAM, 1, 8));
        assertThat(heard).containsExactly("cancelled");
    }

    /** Is never ready by itself. */
    private static final class SlowCall implements Call {
        @Override
        public void message(byte[] bytes) {}

        @Override
        public void halfClose() {}

        @Override
        public void cancel() {}

        @Override
        public boolean isReady() {
            return false;
        }
    }
}
