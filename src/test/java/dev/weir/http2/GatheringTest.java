package dev.weir.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http2.bound.Budgets;
import dev.weir.http2.bound.OpenCalls;
import dev.weir.http2.message.Budget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written while the socket is full. */
final class GatheringTest {
    private static final int LARGE_BYTES = 10_000;
    private static final int ALWAYS_BYTES = 8 << 10;
    private static final int ROUND_BYTES = 256 << 10;

    private final EmbeddedCaller caller = new EmbeddedCaller();
    private final Budget unsent = new Budget(3 * LARGE_BYTES);
    private final Socket socket = new Socket();
    private final Gathering gathering = new Gathering(unsent);

    GatheringTest() {
        var _ = caller.channel().pipeline().addLast(socket, gathering);
    }

    @AfterEach
    void end() {
        caller.close();
    }

    /** Takes nothing until it is told to. */
    private static final class Socket extends ChannelOutboundHandlerAdapter {
        private final Queue<ChannelPromise> untaken = new ArrayDeque<>();
        private final ByteBuf taken = Unpooled.buffer();
        private boolean isTaking;

        @Override
        public void write(ChannelHandlerContext context, Object piece, ChannelPromise promise) {
            taken.writeBytes((ByteBuf) piece);
            ((ByteBuf) piece).release();
            untaken.add(promise);
        }

        @Override
        public void flush(ChannelHandlerContext context) {
            while (isTaking && !untaken.isEmpty()) {
                take();
            }
        }

        @Override
        public void close(ChannelHandlerContext context, ChannelPromise promise) {
            untaken.forEach(lost -> lost.tryFailure(new ClosedChannelException()));
            var _ = context.close(promise);
        }

        void take() {
            untaken.remove().setSuccess();
        }
    }

    private ChannelFuture write(int bytes) {
        return caller.channel().writeAndFlush(Unpooled.buffer().writeZero(bytes));
    }

    @Test
    void who_reads_nothing_while_the_room_of_all_is_used_up_is_left() throws Exception {
        unsent.take(LARGE_BYTES + ALWAYS_BYTES);
        var first = write(LARGE_BYTES);
        var second = write(LARGE_BYTES);
        assertThat(caller.channel().isOpen()).isTrue();
        var _ = write(1);
        assertThat(caller.channel().isOpen()).isFalse();
        assertThat(first.isSuccess() || second.isSuccess()).isFalse();
        unsent.take(2 * LARGE_BYTES - ALWAYS_BYTES); // of all that is given back
    }

    @Test
    void so_is_who_takes_nothing_of_one_answer() {
        assertThat(unsent.mayTake(3 * LARGE_BYTES)).isTrue();
        var _ = write(LARGE_BYTES);
        assertThat(caller.channel().isOpen()).isFalse();
    }

    @Test
    void so_is_who_lets_a_round_write_much_before_its_end() {
        assertThat(unsent.mayTake(3 * LARGE_BYTES)).isTrue();
        for (int bytes = LARGE_BYTES; bytes <= ROUND_BYTES; bytes += LARGE_BYTES) {
            var _ = caller.channel().write(Unpooled.buffer().writeZero(LARGE_BYTES));
        }
        assertThat(caller.channel().isOpen()).isTrue();
        var _ = caller.channel().write(Unpooled.buffer().writeZero(LARGE_BYTES));
        assertThat(caller.channel().isOpen()).isFalse();
    }

    @Test
    void what_is_gathered_for_a_full_socket_counts() throws Exception {
        var _ = write(1);
        for (int bytes = 0; bytes < 3 * LARGE_BYTES + ALWAYS_BYTES - 100; bytes += 100) {
            var _ = write(100);
        }
        assertThat(caller.channel().isOpen()).isTrue();
        var _ = write(100);
        assertThat(caller.channel().isOpen()).isFalse();
        unsent.take(3 * LARGE_BYTES); // of all that is given back
    }

    @Test
    void who_reads_everything_is_not_left_though_others_use_up_the_room_of_all() throws Exception {
        unsent.take(3 * LARGE_BYTES);
        socket.isTaking = true;
        for (int i = 0; i < 10; i++) {
            assertThat(write(100).isSuccess()).isTrue();
            assertThat(write(LARGE_BYTES).isSuccess()).isTrue();
        }
        assertThat(caller.channel().isOpen()).isTrue();
    }

    @Test
    void nor_is_who_is_a_little_behind() throws Exception {
        unsent.take(3 * LARGE_BYTES);
        for (int bytes = 0; bytes < ALWAYS_BYTES - 100; bytes += 100) {
            var _ = write(100);
        }
        assertThat(caller.channel().isOpen()).isTrue();
    }

    @Test
    void small_pieces_for_a_full_socket_leave_together_when_it_takes_again() {
        var _ = write(1);
        for (int i = 0; i < 1000; i++) {
            assertThat(write(13).isSuccess()).isTrue(); // so that nothing hangs on it
        }
        assertThat(socket.untaken).hasSize(1);
        socket.take();
        assertThat(socket.untaken).hasSize(1);
        socket.take();
        assertThat(socket.taken.readableBytes()).isEqualTo(1 + 1000 * 13);
        var _ = write(13);
        assertThat(socket.untaken).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void all_leaves_in_the_order_in_which_it_was_written_and_makes_room(long seed) {
        var random = new SplittableRandom(seed);
        ByteBuf written = Unpooled.buffer();
        for (int i = 0; i < 1000; i++) {
            byte[] piece = new byte[random.nextBoolean() ? random.nextInt(100) : LARGE_BYTES];
            random.nextBytes(piece);
            written.writeBytes(piece);
            var _ = caller.channel().write(Unpooled.wrappedBuffer(piece));
            if (random.nextBoolean()) {
                caller.channel().flush();
            }
            while (socket.untaken.size() > 1) {
                socket.take();
            }
        }
        caller.channel().flush();
        while (!socket.untaken.isEmpty()) {
            socket.take();
        }
        assertThat(ByteBufUtil.equals(socket.taken, written))
                .as("seed %d", seed)
                .isTrue();
        assertThat(unsent.mayTake(3 * LARGE_BYTES)).as("seed %d", seed).isTrue();
        assertThat(unsent.mayTake(1)).as("seed %d, and no more", seed).isFalse();
    }

    @Test
    void what_is_written_while_the_socket_takes_the_rest_leaves_too() {
        socket.isTaking = true;
        var first = caller.channel().write(Unpooled.buffer().writeZero(LARGE_BYTES));
        var _ = first.addListener(_ -> {
            var _ = write(100);
        });
        var _ = write(LARGE_BYTES);
        assertThat(socket.taken.readableBytes()).isEqualTo(2 * LARGE_BYTES + 100);
    }

    @Test
    void a_call_that_is_refused_while_the_socket_is_full_holds_nothing() {
        var connection = connect();
        caller.greet();
        int stream = 1;
        for (int i = 0; i < 1000; i++, stream += 2) {
            caller.send(caller.headers(stream, 0));
        }
        assertThat(connection.connection().numActiveStreams())
                .as("those that may always be open")
                .isEqualTo(8);
        assertThat(socket.untaken).hasSize(1);
    }

    private Connection connect() {
        var budgets = new Budgets(new Budget(0), new Budget(0), unsent, new Budget(0), new OpenCalls(0, 0));
        var methods = EmbeddedCaller.methods((_, replies) -> new NotedCall(new ArrayList<>(), replies), 0);
        var connection = EmbeddedCaller.connection(methods, budgets, gathering);
        var _ = caller.channel().pipeline().addLast(connection);
        return connection;
    }

    @Test
    void what_is_taken_makes_room() throws Exception {
        for (int i = 0; i < 100; i++) {
            var written = write(LARGE_BYTES);
            assertThat(written.isDone()).isFalse();
            socket.take();
            assertThat(written.isSuccess()).isTrue();
        }
        assertThat(caller.channel().isOpen()).isTrue();
    }

    @Test
    void a_connection_that_is_closed_in_peace_waits_for_its_last_answers() {
        var _ = write(100);
        var closed = caller.channel().pipeline().close();
        assertThat(caller.channel().isOpen()).isTrue();
        socket.take();
        assertThat(caller.channel().isOpen()).isFalse();
        assertThat(closed.isSuccess()).isTrue();
    }

    @Test
    void it_does_not_wait_for_long() {
        var _ = write(100);
        var _ = caller.channel().pipeline().close();
        caller.pass(4);
        assertThat(caller.channel().isOpen()).isTrue();
        caller.pass(1);
        assertThat(caller.channel().isOpen()).isFalse();
    }

    @Test
    void nor_does_one_that_is_broken_off() {
        var connection = connect();
        caller.greet();
        connection.breakOff();
        assertThat(caller.channel().isOpen()).isFalse();
    }
}
