package dev.weir.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Calls;
import dev.weir.call.Gate;
import dev.weir.call.Patience;
import dev.weir.http2.bound.Budgets;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How old a connection takes for what it reads. Time is a number here, and a look may take several reads. */
final class LookTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private long now = 7_000 * SECOND;
    private final Gate gate = new Gate(tasks::add, () -> now, new Patience(SECOND, () -> 0));
    private final EmbeddedCaller caller = new EmbeddedCaller();
    private final EmbeddedChannel channel = caller.channel();
    private final Connection connection = connection();

    private Connection connection() {
        Calls none =
                (head, replies) -> new GatedCall(head.path(), false, replies, new ArrayList<>(), new ArrayList<>());
        var gathering = new Gathering(EmbeddedCaller.unsent());
        var made = new ConnectionBuilder(
                        EmbeddedCaller.methods(none, 1_000), Budgets.of(1_000), gate, gathering, () -> {})
                .next();
        channel.pipeline().addLast(gathering, made);
        return made;
    }

    @AfterEach
    void end() {
        var _ = channel.finishAndReleaseAll();
    }

    /** Reads a call, without an end of the look, and returns how long ago it is taken to have come. */
    private long ageOfNext(int stream) {
        ByteBuf call = caller.headers(stream, EmbeddedCaller.END_STREAM, ":path", "/any");
        channel.pipeline().fireChannelRead(call);
        return now - connection.socket().cameNanos();
    }

    private void endLook() {
        channel.pipeline().fireChannelReadComplete();
    }

    /** Lets the thread work for some time, at whose end it comes straight to its sockets. */
    private void work(long nanos) {
        now += nanos;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    @Test
    void what_later_reads_of_a_look_bring_had_waited_too() {
        now += SECOND;
        caller.greet();
        work(4 * MILLI);
        assertThat(ageOfNext(1)).as("from the middle of 4 ms").isEqualTo(2 * MILLI);
        now += 2 * MILLI;
        assertThat(ageOfNext(3)).as("from the middle of 6 ms").isEqualTo(3 * MILLI);
        endLook();
        work(MILLI);
        assertThat(ageOfNext(5)).as("since the look before").isEqualTo(MILLI / 2);
    }
}
