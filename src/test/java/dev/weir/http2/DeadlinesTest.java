package dev.weir.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http2.message.Budget;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many timers a connection has, whatever deadlines its callers name. */
final class DeadlinesTest {
    private static final long NONE = -1;
    private static final int CALLS = 20;

    private final EmbeddedCaller caller = new EmbeddedCaller();

    @BeforeEach
    void greet() {
        var _ = caller.connect((_, replies) -> new NotedCall(new ArrayList<>(), replies), new Budget(1_000));
        caller.greet();
    }

    @AfterEach
    void end() {
        caller.close();
    }

    private void ask(int stream, int hours) {
        caller.send(caller.headers(stream, EmbeddedCaller.END_STREAM, "grpc-timeout", hours + "H"));
    }

    /** Runs timers until there is none left; returns how often that was. */
    private int timers() {
        int timers = 0;
        long next = caller.channel().runScheduledPendingTasks();
        while (next != NONE && timers < 2 * CALLS) {
            timers++;
            caller.channel().advanceTimeBy(next, TimeUnit.NANOSECONDS);
            next = caller.channel().runScheduledPendingTasks();
        }
        return timers;
    }

    @Test
    void an_earlier_deadline_takes_the_place_of_the_one_before() {
        for (int i = 0; i < CALLS; i++) {
            ask(2 * i + 1, 1_000 * (CALLS - i));
        }
        assertThat(caller.channel().runScheduledPendingTasks()).isLessThanOrEqualTo(TimeUnit.HOURS.toNanos(1_000));
        for (int i = 0; i < CALLS; i++) {
            caller.send(EmbeddedCaller.number(EmbeddedCaller.RST_STREAM, 2 * i + 1, 8));
        }
        assertThat(timers()).isEqualTo(1);
    }

    @Test
    void of_later_deadlines_the_earliest_is_next() {
        ask(1, 1_000);
        ask(3, 3_000);
        ask(5, 2_000);
        caller.send(EmbeddedCaller.number(EmbeddedCaller.RST_STREAM, 1, 8));
        long first = caller.channel().runScheduledPendingTasks();
        assertThat(first).isLessThanOrEqualTo(TimeUnit.HOURS.toNanos(1_000));
        caller.channel().advanceTimeBy(first, TimeUnit.NANOSECONDS);
        assertThat(caller.channel().runScheduledPendingTasks())
                .isBetween(TimeUnit.HOURS.toNanos(1_000), TimeUnit.HOURS.toNanos(2_000));
    }

    @Test
    void a_connection_that_has_ended_leaves_no_timer() {
        ask(1, 99_999_999);
        assertThat(caller.channel().runScheduledPendingTasks()).isPositive();
        // Not by closing the channel of the test, which would drop all timers itself.
        var _ = caller.channel().pipeline().fireChannelInactive();
        assertThat(caller.channel().runScheduledPendingTasks()).isEqualTo(NONE);
    }
}
