package dev.weir.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Call;
import dev.weir.call.Calls;
import dev.weir.call.Gate;
import dev.weir.call.Head;
import dev.weir.call.Outcome;
import dev.weir.call.Patience;
import dev.weir.call.Replies;
import dev.weir.http2.bound.Budgets;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a connection turns away of a thread that has come round too late. The gate's time is a number that runs ahead of all
 * other clocks; callers wait for 100 s, so that what these go on meanwhile is nothing.
 */
final class OldCallsTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long PATIENCE = 100 * SECOND;
    private static final int MORE_THAN_FEW = 65;

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private long now = System.nanoTime();
    private final Gate gate = new Gate(tasks::add, () -> now, new Patience(PATIENCE, () -> 0));
    private final EmbeddedCaller caller = new EmbeddedCaller();
    private final List<String> heard = new ArrayList<>();
    private int notBegun;
    private int stream = 1;

    private Calls calls() {
        return new Calls() {
            @Override
            public Call begin(Head head, Replies replies) {
                return new GatedCall(head.path(), true, replies, heard, new ArrayList<>());
            }

            @Override
            public Outcome turnedAwayWith() {
                return GatedCall.EXHAUSTED;
            }

            @Override
            public void turnedAway() {
                notBegun++;
                heard.add("turned away");
            }
        };
    }

    /** Three rounds of 110 s each. */
    @BeforeEach
    void fallBehind() {
        var gathering = new Gathering(EmbeddedCaller.unsent());
        var methods = EmbeddedCaller.methods(calls(), 1_000);
        caller.channel()
                .pipeline()
                .addLast(
                        gathering, new ConnectionBuilder(methods, Budgets.of(1_000), gate, gathering, () -> {}).next());
        caller.greet();
        work(SECOND);
        for (int i = 0; i < 3; i++) {
            ask(MORE_THAN_FEW, null);
            work(110 * SECOND);
        }
        assertThat(heard).containsOnly("asked /any");
        heard.clear();
    }

    @AfterEach
    void end() {
        caller.close();
    }

    /** Calls that are read at one go. */
    private void ask(int calls, @Nullable String timeout) {
        ByteBuf sent = Unpooled.buffer();
        for (int i = 0; i < calls; i++, stream += 2) {
            ByteBuf headers =
                    timeout == null ? caller.headers(stream, 0) : caller.headers(stream, 0, "grpc-timeout", timeout);
            sent.writeBytes(headers);
            sent.writeBytes(EmbeddedCaller.data(stream, EmbeddedCaller.END_STREAM, EmbeddedCaller.message(3, 3)));
        }
        caller.send(sent);
    }

    /** Lets the thread work for some time, at whose end it comes straight to its sockets. */
    private void work(long nanos) {
        now += nanos;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    @Test
    void those_that_are_old_are_turned_away_on_the_doorstep() {
        ask(10, null);
        assertThat(heard).as("55 s ago").hasSize(10).containsOnly("turned away");
        assertThat(notBegun).isEqualTo(10);
    }

    @Test
    void those_that_are_young_are_asked() {
        ask(1, null);
        heard.clear();
        work(SECOND);
        ask(10, null);
        assertThat(heard).as("half a second ago").hasSize(10).containsOnly("asked /any");
    }

    @Test
    void who_waits_less_is_turned_away_sooner() {
        ask(1, null);
        heard.clear();
        work(20 * SECOND);
        ask(5, "20S");
        assertThat(heard).as("10 s of 20 are over").hasSize(5).containsOnly("turned away");
        assertThat(notBegun)
                .as("the last ones had the same headers as one before")
                .isGreaterThan(1);
        heard.clear();
        ask(5, "90S");
        assertThat(heard).as("10 s of 90 are over").hasSize(5).containsOnly("asked /any");
    }
}
