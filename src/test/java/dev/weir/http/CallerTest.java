package dev.weir.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers who take their time, or much room, while the test moves the clock. */
@Timeout(60)
final class CallerTest {
    private static final int PLACES = 3;
    private static final int BODY_BYTES = 100;
    private static final int ANSWER_BYTES = 200_000;
    private static final int FREE_BYTES = 1 << 10;
    private static final String GET = "GET /page HTTP/1.1\r\nHost: h\r\n\r\n";

    private final Crowd crowd = new Crowd(PLACES, BODY_BYTES, ANSWER_BYTES);
    private final List<EmbeddedChannel> channels = new ArrayList<>();
    private final CountDownLatch isLetGo = new CountDownLatch(1);
    private final CountDownLatch isInterrupted = new CountDownLatch(1);
    private final Pages pages = new Pages(
            Map.of(
                    "/page",
                    new Large(),
                    "/held",
                    _ -> held(),
                    "/kept",
                    new Kept(),
                    "/long",
                    _ -> Reply.packed(to -> to.write("x".repeat(ANSWER_BYTES * 2)))),
            _ -> Reply.text(404, "none"));

    private Reply held() {
        try {
            isLetGo.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return Reply.text(200, "at last");
    }

    @AfterEach
    void end() {
        isLetGo.countDown();
        for (EmbeddedChannel channel : channels) {
            var _ = channel.finishAndReleaseAll();
        }
    }

    private EmbeddedChannel connect() {
        return connect(crowd);
    }

    private EmbeddedChannel connect(Crowd crowd) {
        assertThat(crowd.comes()).isTrue();
        var channel = new EmbeddedChannel();
        channel.freezeTime();
        var caller = new Caller(pages, crowd);
        var _ = channel.pipeline().addLast(new HttpResponseEncoder(), caller.requests(), caller);
        channels.add(channel);
        return channel;
    }

    private static void say(EmbeddedChannel channel, String said) {
        channel.writeInbound(Unpooled.copiedBuffer(said, ISO_8859_1));
    }

    private static void pass(EmbeddedChannel channel, long seconds) {
        for (long i = 0; i < seconds; i++) {
            channel.advanceTimeBy(1, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    /** Returns what is answered, once the page was shown on its thread. */
    private static String answer(EmbeddedChannel channel) {
        ByteBuf piece = channel.readOutbound();
        while (piece == null) {
            assertThat(Thread.interrupted()).as("no answer came").isFalse();
            LockSupport.parkNanos(100_000);
            channel.runPendingTasks();
            piece = channel.readOutbound();
        }
        var text = new StringBuilder();
        for (ByteBuf next = piece; next != null; next = channel.readOutbound()) {
            text.append(next.toString(ISO_8859_1));
            next.release();
        }
        return text.toString();
    }

    @Test
    void a_request_that_does_not_come_to_an_end_is_not_waited_for() {
        var channel = connect();
        say(channel, "GET /page HT");
        pass(channel, Caller.COMES_WITHIN_SECONDS - 1);
        say(channel, "TP/1.1\r\nand: ");
        assertThat(channel.isOpen()).isTrue();
        pass(channel, Caller.PAUSE_SECONDS + 2);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void neither_is_a_body() {
        var channel = connect();
        for (int i = 0; i < BODY_BYTES && channel.isOpen(); i++) {
            say(channel, i == 0 ? "POST /page HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n" : "x");
            pass(channel, 1);
        }
        assertThat(channel.isOpen()).isFalse();
        assertThat(crowd.holdsBody(BODY_BYTES)).as("its bytes are given back").isTrue();
    }

    @Test
    void who_asks_nothing_may_stay_for_minutes() {
        var channel = connect();
        say(channel, GET);
        assertThat(answer(channel)).contains("200 OK");
        pass(channel, Caller.IDLE_SECONDS - 1);
        assertThat(channel.isOpen()).isTrue();
        pass(channel, Caller.PAUSE_SECONDS + 2);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void who_says_empty_lines_asks_nothing() {
        var channel = connect();
        say(channel, GET + "\r\n");
        assertThat(answer(channel)).contains("200 OK");
        say(channel, "\r\n".repeat(FREE_BYTES));
        pass(channel, Caller.COMES_WITHIN_SECONDS + Caller.PAUSE_SECONDS + 2);
        assertThat(channel.isOpen()).isTrue();
        say(channel, "\r\nGET /page HT");
        pass(channel, Caller.COMES_WITHIN_SECONDS + Caller.PAUSE_SECONDS + 2);
        assertThat(channel.isOpen()).as("a request has begun").isFalse();
    }

    @Test
    void where_all_places_are_taken_who_is_idle_for_the_longest_time_goes() {
        var first = connect();
        var second = connect();
        var third = connect();
        say(first, GET);
        assertThat(answer(first)).contains("200 OK");
        var fourth = connect();
        assertThat(channels).extracting(EmbeddedChannel::isOpen).containsExactly(true, false, true, true);
        var _ = connect();
        assertThat(List.of(first, second, third, fourth))
                .extracting(EmbeddedChannel::isOpen)
                .containsExactly(true, false, false, true);
    }

    @Test
    void who_has_left_takes_no_place_and_is_looked_at_no_more() {
        var stays = connect();
        for (int i = 0; i < 2 * PLACES; i++) {
            var leaves = connect();
            assertThat(leaves.runScheduledPendingTasks()).isNotNegative();
            var _ = leaves.pipeline().close(); // its own way of closing drops what is due
            assertThat(leaves.runScheduledPendingTasks()).as("nothing is due").isNegative();
        }
        assertThat(stays.isOpen()).isTrue();
    }

    @Test
    void who_waits_for_us_keeps_the_place() {
        for (int i = 0; i < PLACES; i++) {
            say(connect(), "GET /held HTTP/1.1\r\nHost: h\r\n\r\n");
        }
        assertThat(crowd.comes()).isFalse();
        isLetGo.countDown();
        assertThat(answer(channels.getFirst())).contains("200 OK");
        assertThat(crowd.comes()).isTrue();
        assertThat(channels).extracting(EmbeddedChannel::isOpen).containsExactly(false, true, true);
    }

    @Test
    void bodies_of_all_callers_have_one_bound() {
        var first = connect();
        say(first, "POST /page HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n" + "x".repeat(60));
        var second = connect();
        String much = "POST /page HTTP/1.1\r\nHost: h\r\nContent-Length: 50\r\n\r\n" + "x".repeat(50);
        say(second, much);
        assertThat(answer(second)).contains("503 Service Unavailable").contains("held");
        say(first, "x".repeat(40));
        assertThat(answer(first)).contains("200 OK");
        say(second, much);
        assertThat(answer(second)).contains("200 OK");
    }

    @Test
    void answers_that_are_not_read_have_one_bound_too() {
        assertThat(crowd.holdsAnswer(ANSWER_BYTES * 2)).as("one may be larger").isTrue();
        var channel = connect();
        say(channel, GET);
        assertThat(answer(channel)).contains("503 Service Unavailable").contains("Connection: close");
        assertThat(channel.isOpen()).isFalse();
        crowd.giveBackAnswer(ANSWER_BYTES * 2);
        var next = connect();
        say(next, GET);
        assertThat(answer(next)).contains("200 OK");
    }

    @Test
    void of_a_long_answer_that_is_not_read_little_is_held() {
        var slow = connect();
        slow.pipeline().addFirst(new Unread());
        say(slow, "GET /long HTTP/1.1\r\nHost: h\r\n\r\n");
        awaitWritten(slow);
        assertThat(crowd.holdsAnswer(ANSWER_BYTES)).as("some of it is").isFalse();
        var other = connect();
        say(other, "GET /long HTTP/1.1\r\nHost: h\r\n\r\n");
        String answer = answer(other);
        assertThat(answer).contains("200 OK").contains("Content-Length: " + ANSWER_BYTES * 2);
        while (!answer.endsWith("x".repeat(ANSWER_BYTES * 2))) {
            answer += answer(other);
        }
        var _ = slow.close();
        assertThat(crowd.holdsAnswer(ANSWER_BYTES * 2)).as("all is given back").isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void where_there_is_no_memory_for_the_next_piece_the_connection_ends_and_nothing_is_held(int pieces) {
        var channel = connect();
        var _ = channel.config().setAllocator(new Memory(pieces));
        say(channel, "GET /long HTTP/1.1\r\nHost: h\r\n\r\n");
        while (channel.isOpen()) {
            assertThat(Thread.interrupted()).as("it stays").isFalse();
            LockSupport.parkNanos(100_000);
            channel.runPendingTasks();
        }
        assertThat(crowd.holdsAnswer(1)).isTrue();
        assertThat(crowd.holdsAnswer(ANSWER_BYTES - 1)).as("all is given back").isTrue();
    }

    @Test
    void what_is_sent_ahead_stays_as_it_came() {
        var channel = connect();
        say(channel, "GET /held HTTP/1.1\r\nHost: h\r\n\r\n" + GET.repeat(30));
        assertThat(channel.config().isAutoRead()).as("no more is read").isFalse();
        isLetGo.countDown();
        for (int answers = 0; answers < 31; ) {
            answers += answer(channel).split("200 OK", -1).length - 1;
        }
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void what_is_held_of_heads_and_of_what_is_sent_ahead_has_the_bound_of_bodies() {
        var first = connect();
        say(first, "GET /page HTTP/1.1\r\nHost: h\r\n" + header(FREE_BYTES + 60));
        var second = connect();
        say(second, GET + "x".repeat(FREE_BYTES + 60));
        assertThat(second.isOpen()).as("it waits for an answer").isFalse();
        var third = connect();
        say(third, "GET /page HTTP/1.1\r\nHost: h\r\n" + header(FREE_BYTES + 60));
        assertThat(answer(third)).contains("503 Service Unavailable").contains("held");
        say(first, "\r\n");
        assertThat(answer(first)).contains("200 OK");
        assertThat(crowd.holdsBody(BODY_BYTES)).as("all is given back").isTrue();
    }

    @Test
    void nobody_sends_much_ahead_while_an_answer_is_awaited_however_much_room_there_is() {
        var roomy = new Crowd(PLACES, 1 << 20, ANSWER_BYTES);
        var channel = connect(roomy);
        say(channel, "GET /held HTTP/1.1\r\nHost: h\r\n\r\n" + "x".repeat(16 << 10));
        assertThat(channel.isOpen()).isTrue();
        say(channel, "x");
        assertThat(channel.isOpen()).isFalse();
        assertThat(roomy.holdsBody(1 << 20)).as("all is given back").isTrue();
    }

    @Test
    void what_was_sent_ahead_is_given_back_once_it_is_read_though_its_caller_stays() {
        var channel = connect();
        say(channel, "GET /held HTTP/1.1\r\nHost: h\r\n\r\n" + GET.repeat(35));
        assertThat(crowd.holdsBody(BODY_BYTES)).isFalse();
        isLetGo.countDown();
        for (int answers = 0; answers < 36; ) {
            answers += answer(channel).split("200 OK", -1).length - 1;
        }
        assertThat(channel.isOpen()).isTrue();
        assertThat(crowd.holdsBody(BODY_BYTES)).isTrue();
    }

    @Test
    void a_body_that_was_answered_is_no_part_of_the_next_head() {
        var channel = connect();
        say(channel, "POST /page HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
        say(channel, ("1;" + "e".repeat(FREE_BYTES) + "\r\nx\r\n").repeat(2) + "0\r\n\r\n");
        assertThat(answer(channel)).contains("200 OK");
        say(channel, "GET /page HTTP/1.1\r\nHost: h\r\n");
        say(channel, "\r\n");
        assertThat(answer(channel)).contains("200 OK");
    }

    @Test
    void what_is_held_of_who_leaves_is_given_back() {
        var channel = connect();
        say(channel, "GET /page HTTP/1.1\r\nHost: h\r\n" + header(FREE_BYTES + 60));
        assertThat(crowd.holdsBody(BODY_BYTES)).isFalse();
        var _ = channel.close();
        assertThat(crowd.holdsBody(BODY_BYTES)).isTrue();
    }

    @Test
    void heads_of_very_many_lines_and_such_trailers_are_refused() {
        var heads = connect();
        say(heads, "GET /page HTTP/1.1\r\nHost: h\r\n" + "a:\r\n".repeat(128) + "\r\n");
        assertThat(answer(heads)).contains("431 Request Header Fields Too Large");
        var trailers = connect();
        String chunked = "POST /page HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n";
        say(trailers, chunked + "a:\r\n".repeat(129) + "\r\n");
        assertThat(answer(trailers)).contains("431 Request Header Fields Too Large");
        var few = connect();
        say(few, "GET /page HTTP/1.1\r\nHost: h\r\n" + "a:\r\n".repeat(127) + "\r\n");
        assertThat(answer(few)).contains("200 OK");
    }

    @Test
    void a_question_is_held_until_its_page_ends_which_is_told_that_nobody_waits() throws InterruptedException {
        var channel = connect();
        say(channel, "POST /kept HTTP/1.1\r\nHost: h\r\nContent-Length: 60\r\n\r\n" + "x".repeat(60));
        var _ = channel.close();
        isInterrupted.await();
        assertThat(crowd.holdsBody(BODY_BYTES)).as("the page holds it").isFalse();
        isLetGo.countDown();
        while (!crowd.holdsBody(BODY_BYTES)) {
            assertThat(Thread.interrupted()).as("nothing is given back").isFalse();
            LockSupport.parkNanos(100_000);
            channel.runPendingTasks();
        }
    }

    @Test
    void who_does_not_read_gives_way() {
        var slow = connect();
        slow.pipeline().addFirst(new Unread());
        say(slow, "GET /held HTTP/1.1\r\nHost: h\r\n\r\n");
        for (int i = 1; i < PLACES; i++) {
            say(connect(), "GET /held HTTP/1.1\r\nHost: h\r\n\r\n");
        }
        assertThat(crowd.comes()).as("all wait for us").isFalse();
        isLetGo.countDown();
        awaitWritten(slow);
        assertThat(crowd.comes()).isTrue();
        assertThat(channels).extracting(EmbeddedChannel::isOpen).containsExactly(false, true, true);
    }

    private static void awaitWritten(EmbeddedChannel slow) {
        while (slow.pipeline().get(Unread.class).pieces.isEmpty()) {
            assertThat(Thread.interrupted()).as("nothing is written").isFalse();
            LockSupport.parkNanos(100_000);
            slow.runPendingTasks();
        }
    }

    private static String header(int bytes) {
        return "a: " + "x".repeat(bytes - "GET /page HTTP/1.1\r\nHost: h\r\na: \r\n".length()) + "\r\n";
    }

    /** A socket whose other side does not read. */
    private static final class Unread extends ChannelOutboundHandlerAdapter {
        private final List<ChannelPromise> pieces = new ArrayList<>();

        @Override
        public void write(ChannelHandlerContext here, Object piece, ChannelPromise written) {
            ReferenceCountUtil.release(piece);
            pieces.add(written);
        }

        @Override
        public void close(ChannelHandlerContext here, ChannelPromise closed) {
            pieces.forEach(piece -> piece.tryFailure(new ClosedChannelException()));
            var _ = here.close(closed);
        }
    }

    /** Has room for so many pieces of a long answer. */
    private static final class Memory extends AbstractByteBufAllocator {
        private int pieces;

        Memory(int pieces) {
            super(true);
            this.pieces = pieces;
        }

        @Override
        protected ByteBuf newDirectBuffer(int bytes, int mostBytes) {
            if (bytes == Pieces.BYTES && pieces-- == 0) {
                throw new OutOfMemoryError("made for this test");
            }
            return newHeapBuffer(bytes, mostBytes);
        }

        @Override
        protected ByteBuf newHeapBuffer(int bytes, int mostBytes) {
            return new UnpooledHeapByteBuf(this, bytes, mostBytes);
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }

    /** Keeps a body until it is let go, whether anybody waits or not. */
    private final class Kept implements Page {
        @Override
        public int mostBytes() {
            return BODY_BYTES;
        }

        @Override
        public Reply answer(Question question) {
            try {
                isLetGo.await();
            } catch (InterruptedException _) {
                isInterrupted.countDown();
            }
            return held();
        }
    }

    /** Answers with a tenth of what all answers may have, and wants to see bodies. */
    private static final class Large implements Page {
        @Override
        public int mostBytes() {
            return BODY_BYTES;
        }

        @Override
        public Reply answer(Question question) {
            return Reply.text(200, "x".repeat(ANSWER_BYTES / 10));
        }
    }
}
