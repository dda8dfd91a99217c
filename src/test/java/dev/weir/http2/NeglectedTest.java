package dev.weir.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Calls;
import dev.weir.call.Replies;
import dev.weir.http2.message.Budget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2CodecUtil;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A caller gives answers room, and goes on with its calls, as the test says, while the test moves the clock. */
final class NeglectedTest {
    private static final int ANSWER_BYTES = 20_000;
    private static final int CONNECTION_WINDOW_BYTES = 65_535;

    private static final int MESSAGE_BYTES = 600;
    private static final int SO_MANY_BYTES_FIT = 1_000;

    private static final int MANY = 100;
    private static final int LARGE_BYTES = 64 << 10;
    private static final int UNKNOWN = 0x20;

    private final List<Replies> asked = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();
    private final EmbeddedCaller caller = new EmbeddedCaller();

    @AfterEach
    void end() {
        caller.close();
    }

    private void connect(int windowBytes) {
        connect(
                (_, replies) -> {
                    asked.add(replies);
                    return new NotedCall(heard, replies);
                },
                windowBytes);
    }

    private void connect(Calls calls, int windowBytes) {
        var connection = caller.connect(calls, new Budget(SO_MANY_BYTES_FIT));
        var _ = caller.channel().pipeline().addLast(new Neglected(connection));
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

    /** What full sockets hold has a bound of its own, and whoever is slow at the network has made room in his windows. */
    @Test
    void that_the_socket_is_full_is_none_of_this() {
        connect(CONNECTION_WINDOW_BYTES);
        ask(1);
        setSocketFull(true);
        answer();
        caller.pass(60);
        assertThat(caller.channel().isOpen()).isTrue();
        assertThat(caller.came(EmbeddedCaller.DATA)).isEmpty();
        setSocketFull(false);
        assertThat(caller.came(EmbeddedCaller.DATA)).isNotEmpty();
    }

    private void setSocketFull(boolean isFull) {
        caller.channel().unsafe().outboundBuffer().setUserDefinedWritability(1, !isFull);
        caller.channel().runPendingTasks();
    }

    private void connectToCallsOfOneMessage() {
        connect((head, replies) -> new GatedCall(head.path(), true, replies, heard, asked), CONNECTION_WINDOW_BYTES);
    }

    private void begin(int stream) {
        caller.send(caller.headers(stream, 0));
    }

    private void sendPart(int stream) {
        caller.send(EmbeddedCaller.data(stream, 0, EmbeddedCaller.message(MESSAGE_BYTES, MESSAGE_BYTES / 2)));
    }

    private void sendRest(int stream) {
        caller.send(EmbeddedCaller.data(stream, 0, Unpooled.buffer().writeZero(MESSAGE_BYTES / 2)));
    }

    @Test
    void a_call_of_which_nothing_but_the_headers_comes_is_ended() {
        connectToCallsOfOneMessage();
        begin(1);
        caller.pass(9);
        assertThat(heard).isEmpty();
        caller.pass(6);
        assertThat(heard).containsExactly("broken: the caller began the call, and has not finished it for 10 seconds");
        assertThat(caller.came(EmbeddedCaller.RST_STREAM)).hasSize(1);
        assertThat(caller.channel().isOpen()).as("the others go on").isTrue();
    }

    /** Each flush is a system call. */
    @Test
    void very_many_that_are_ended_go_out_together() {
        var flushes = new ArrayList<String>();
        var _ = caller.channel().pipeline().addLast(new ChannelOutboundHandlerAdapter() {
            @Override
            public void flush(ChannelHandlerContext context) {
                flushes.add("one");
                context.flush();
            }
        });
        connectToCallsOfOneMessage();
        for (int stream = 1; stream < 2 * MANY; stream += 2) {
            begin(stream);
        }
        flushes.clear();
        caller.pass(15);
        assertThat(heard).hasSize(MANY);
        assertThat(caller.came(EmbeddedCaller.RST_STREAM)).hasSize(MANY);
        assertThat(flushes).as("one for each look, and a few").hasSizeLessThan(10);
    }

    @Test
    void what_a_call_holds_that_is_left_in_the_middle_of_its_message_is_given_to_others() {
        connectToCallsOfOneMessage();
        begin(1);
        sendPart(1);
        begin(3);
        sendPart(3);
        assertThat(heard).singleElement().asString().startsWith("broken: too many bytes of unfinished calls");
        caller.pass(15);
        assertThat(heard).hasSize(2).last().asString().startsWith("broken: the caller began");
        begin(5);
        sendPart(5);
        sendRest(5);
        caller.send(EmbeddedCaller.data(5, EmbeddedCaller.END_STREAM));
        assertThat(heard).last().isEqualTo("asked /any");
    }

    @Test
    void a_stream_of_messages_may_rest_between_them() {
        connect(CONNECTION_WINDOW_BYTES);
        begin(1);
        sendPart(1);
        caller.pass(12);
        sendRest(1);
        caller.pass(600);
        assertThat(heard).containsExactly("message of " + MESSAGE_BYTES);
    }

    @Test
    void one_that_is_left_in_the_middle_of_a_message_is_ended() {
        connect(CONNECTION_WINDOW_BYTES);
        begin(1);
        sendPart(1);
        caller.pass(15);
        assertThat(heard).last().asString().startsWith("broken: the caller began");
    }

    @Test
    void a_call_whose_caller_has_said_everything_waits_for_its_answer() {
        connectToCallsOfOneMessage();
        ask(1);
        caller.pass(600);
        assertThat(heard).containsExactly("asked /any");
    }

    private void connectToBeLookedAt() {
        connect(CONNECTION_WINDOW_BYTES);
        var _ = caller.came();
    }

    /** As it comes after a flood: in a buffer that is guessed to be filled. */
    private void sendInLargeBuffer(ByteBuf bytes) {
        var _ = caller.channel()
                .writeInbound(caller.channel().alloc().directBuffer(LARGE_BYTES).writeBytes(bytes));
        bytes.release();
    }

    private static ByteBuf unknown(int bytes) {
        return EmbeddedCaller.frame(UNKNOWN, 0, 0, Unpooled.buffer().writeZero(bytes));
    }

    private void assertFrameGivenUp() {
        assertThat(caller.channel().isOpen()).isFalse();
        assertThat(caller.came(EmbeddedCaller.GO_AWAY))
                .singleElement()
                .satisfies(text -> assertThat(text).endsWith("frame_not_finished"));
    }

    @Test
    void who_leaves_a_frame_unfinished_is_given_up_after_ten_seconds() {
        connectToBeLookedAt();
        sendInLargeBuffer(unknown(16_384).slice(0, 9));
        caller.pass(9);
        assertThat(caller.channel().isOpen()).isTrue();
        caller.pass(6);
        assertFrameGivenUp();
    }

    @Test
    void a_byte_now_and_then_does_not_help() {
        connectToBeLookedAt();
        ByteBuf frame = unknown(16_384);
        for (int i = 0; i < 5; i++) {
            sendInLargeBuffer(frame.readBytes(1));
            caller.pass(3);
        }
        frame.release();
        assertFrameGivenUp();
    }

    @Test
    void who_leaves_a_block_of_headers_unfinished_is_given_up_too() {
        connectToBeLookedAt();
        ByteBuf headers = caller.headers(1, 0);
        ByteBuf parts = EmbeddedCaller.inTwo(headers);
        caller.send(parts.readBytes(Http2CodecUtil.FRAME_HEADER_LENGTH + 1));
        caller.pass(15);
        assertFrameGivenUp();
    }

    @Test
    void who_always_begins_another_frame_holds_no_more_than_came_of_it() {
        connectToBeLookedAt();
        sendInLargeBuffer(unknown(1).slice(0, 9));
        assertThat(caller.heldBytes()).isGreaterThanOrEqualTo(LARGE_BYTES);
        for (int i = 0; i < 9; i++) {
            caller.pass(5);
            assertThat(caller.heldBytes()).isLessThan(100);
            sendInLargeBuffer(Unpooled.wrappedBuffer(
                    Unpooled.buffer().writeZero(1), unknown(1).slice(0, 9)));
        }
        ask(1);
        assertThat(caller.channel().isOpen()).as("it goes on").isTrue();
    }

    @Test
    void who_finishes_a_frame_that_was_looked_at_is_understood() {
        connectToBeLookedAt();
        ByteBuf headers = caller.headers(1, EmbeddedCaller.END_STREAM);
        sendInLargeBuffer(headers.readBytes(12));
        caller.pass(9);
        sendInLargeBuffer(headers);
        assertThat(asked).hasSize(1);
        caller.pass(600);
        assertThat(caller.channel().isOpen()).isTrue();
    }

    @Test
    void who_is_not_read_from_cannot_finish_a_frame() {
        connectToBeLookedAt();
        sendInLargeBuffer(unknown(16_384).slice(0, 9));
        caller.pass(10);
        var _ = caller.channel().config().setAutoRead(false);
        caller.pass(60);
        assertThat(caller.channel().isOpen()).isTrue();
        var _ = caller.channel().config().setAutoRead(true);
        caller.pass(10);
        assertThat(caller.channel().isOpen()).isTrue();
        caller.pass(5);
        assertFrameGivenUp();
    }
}
