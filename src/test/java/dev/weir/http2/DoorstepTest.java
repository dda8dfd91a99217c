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
import dev.weir.http2.opening.Methods;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2CodecUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that are turned away before they begin, beside those that begin first: the caller sees no difference. */
final class DoorstepTest {
    private static final long PATIENCE_NANOS = 1_000_000_000_000L;
    private static final int MAX_MESSAGE_BYTES = 1_000;
    private static final int PING = 6;
    private static final int PADDED = 8;
    private static final int ACK = 1;
    private static final int PROTOCOL_ERROR = 1;
    private static final int STREAM_CLOSED = 5;
    private static final int REFUSED_STREAM = 7;

    private final Side unopened = new Side(true);
    private final Side opened = new Side(false);

    /** A caller and its connection, with a gate that the test opens and shuts. */
    private static final class Side {
        private final EmbeddedCaller caller = new EmbeddedCaller();
        private final List<String> heard = new ArrayList<>();
        private final List<Replies> asked = new ArrayList<>();
        private final Gate gate = new Gate(Runnable::run, System::nanoTime, new Patience(PATIENCE_NANOS, () -> 0));
        private final Connection connection;
        private int filled;
        private int notBegun;

        Side(boolean isUnopened) {
            var gathering = new Gathering(EmbeddedCaller.unsent());
            var methods =
                    new Methods(Map.of("/gated", calls(isUnopened)), calls(false), MAX_MESSAGE_BYTES, null, _ -> {});
            connection = new ConnectionBuilder(methods, Budgets.of(100_000), gate, gathering, () -> {}).next();
            caller.channel().freezeTime(); // on a busy machine a timer fires at one side and not at the other
            caller.channel().pipeline().addLast(gathering, connection);
            caller.greet();
            var _ = caller.came();
        }

        private Calls calls(boolean isUnopened) {
            return new Calls() {
                @Override
                public Call begin(Head head, Replies replies) {
                    return new GatedCall(head.path(), head.path().equals("/gated"), replies, heard, asked);
                }

                @Override
                public @Nullable Outcome turnedAwayWith() {
                    return isUnopened ? GatedCall.EXHAUSTED : null;
                }

                @Override
                public void turnedAway() {
                    notBegun++;
                    heard.add("turned away");
                }
            };
        }

        void shut() {
            for (; gate.socket().enter(Head.NO_DEADLINE); filled++) {
                assertThat(filled).isLessThan(100_000);
            }
        }

        void open() {
            for (; filled > 0; filled--) {
                gate.leave(System.nanoTime(), Head.NO_DEADLINE);
            }
            gate.flushed();
        }

        ByteBuf gated(int stream) {
            return whole(stream, "/gated", 3);
        }

        ByteBuf whole(int stream, String path, int bytes) {
            return Unpooled.wrappedBuffer(headers(stream, 0, path), message(stream, bytes));
        }

        ByteBuf headers(int stream, int flags, String path) {
            return caller.headers(stream, flags, ":path", path);
        }
    }

    private static ByteBuf message(int stream, int bytes) {
        return EmbeddedCaller.data(stream, EmbeddedCaller.END_STREAM, EmbeddedCaller.message(bytes, bytes));
    }

    @AfterEach
    void end() {
        unopened.caller.close();
        opened.caller.close();
    }

    /** The first calls make the caller's table of headers and the connection know the last block. */
    private static int accustom(Side side) {
        side.caller.send(side.gated(1));
        side.caller.send(side.gated(3));
        return 5;
    }

    @Test
    void a_call_too_many_is_answered_without_a_stream() {
        int stream = accustom(unopened);
        unopened.shut();
        var _ = unopened.caller.came();
        unopened.caller.send(unopened.gated(stream), unopened.gated(stream + 2));
        assertThat(unopened.notBegun).isEqualTo(2);
        assertThat(unopened.caller.came(EmbeddedCaller.HEADERS)).hasSize(2);
        assertThat(unopened.connection.connection().numActiveStreams())
                .as("those that were asked before")
                .isEqualTo(2);
    }

    @Test
    void calls_are_asked_again_when_the_gate_opens() {
        int stream = accustom(unopened);
        unopened.shut();
        unopened.caller.send(unopened.gated(stream));
        unopened.open();
        unopened.caller.send(unopened.gated(stream + 2));
        assertThat(unopened.heard).containsExactly("asked /gated", "asked /gated", "turned away", "asked /gated");
    }

    @Test
    void netty_counts_the_streams_that_it_did_not_see() {
        int stream = accustom(unopened);
        unopened.shut();
        unopened.caller.send(unopened.gated(stream), unopened.gated(stream + 2), unopened.gated(stream + 4));
        assertThat(unopened.connection.connection().remote().lastStreamCreated())
                .isEqualTo(stream + 4);
        unopened.caller.send(
                EmbeddedCaller.number(EmbeddedCaller.RST_STREAM, stream, 8),
                EmbeddedCaller.number(EmbeddedCaller.WINDOW_UPDATE, stream + 2, 100));
        assertThat(unopened.caller.came(EmbeddedCaller.GO_AWAY))
                .as("as for streams that were closed")
                .isEmpty();
    }

    @Test
    void the_caller_gets_its_window_back() {
        int stream = accustom(unopened);
        unopened.shut();
        var _ = unopened.caller.came();
        int sent = 0;
        for (int call = 0; call < 1_000; call++, stream += 2) {
            unopened.caller.send(unopened.whole(stream, "/gated", 900));
            sent += 905;
        }
        assertThat(unopened.notBegun).isEqualTo(1_000);
        int givenBack = unopened.caller.came(EmbeddedCaller.WINDOW_UPDATE).stream()
                .mapToInt(DoorstepTest::number)
                .sum();
        assertThat(sent - givenBack).isBetween(0, ConnectionBuilder.WINDOW_BYTES / 16);
    }

    @Test
    void none_is_turned_away_that_way_when_its_connection_is_leaving() {
        int stream = accustom(unopened);
        unopened.shut();
        unopened.connection.leave();
        unopened.caller.send(unopened.gated(stream));
        assertThat(unopened.notBegun).isZero();
        assertThat(unopened.heard).endsWith("turned away");
    }

    @Test
    void a_call_in_the_middle_of_a_block_of_headers_is_no_call() {
        for (var side : List.of(unopened, opened)) {
            int stream = accustom(side);
            side.shut();
            ByteBuf parts = EmbeddedCaller.inTwo(side.headers(stream, 0, "/gated"));
            ByteBuf first = parts.readBytes(Http2CodecUtil.FRAME_HEADER_LENGTH + 1);
            side.caller.send(first, side.gated(stream + 2), parts);
            assertThat(side.heard).doesNotContain("turned away");
            assertThat(side.caller.came(EmbeddedCaller.GO_AWAY))
                    .singleElement()
                    .satisfies(goAway -> assertThat(number(goAway.substring(4))).isEqualTo(PROTOCOL_ERROR));
        }
        assertThat(unopened.notBegun).isZero();
    }

    /** Before it acknowledges the settings, and after: it need not ever do so. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_call_too_many_for_its_connection_is_refused_and_the_others_go_on(boolean hasAcknowledged) {
        for (var side : List.of(unopened, opened)) {
            if (hasAcknowledged) {
                side.caller.send(EmbeddedCaller.frame(EmbeddedCaller.SETTINGS, ACK, 0, Unpooled.EMPTY_BUFFER));
            }
            int last = 2 * ConnectionBuilder.MAX_STREAMS - 1;
            for (int stream = 1; stream <= last; stream += 2) {
                side.caller.send(side.headers(stream, 0, "/gated"));
            }
            side.shut();
            var _ = side.caller.came();
            side.caller.send(side.gated(last + 2), side.gated(last + 4));
            assertThat(side.caller.came(EmbeddedCaller.RST_STREAM).stream().map(DoorstepTest::number))
                    .as("and the rest of them is of no use")
                    .containsExactly(REFUSED_STREAM, STREAM_CLOSED, REFUSED_STREAM, STREAM_CLOSED);
            assertThat(side.heard).doesNotContain("turned away");
            side.open();
            side.caller.send(message(last, 3));
            side.asked.removeFirst().answer(new byte[3]);
            side.caller.channel().runPendingTasks();
            side.caller.send(side.gated(last + 6));
            assertThat(side.heard).as("there is room for one").containsExactly("asked /gated", "asked /gated");
        }
        assertThat(unopened.notBegun).isZero();
    }

    /** Whatever a caller sends, cut wherever it is cut, it gets the same frames both ways, and the calls hear the same. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void both_ways_answer_the_same(long seed) {
        accustom(unopened);
        accustom(opened);
        var random = new Random(seed);
        int stream = 5;
        for (int round = 0; round < 300; round++) {
            boolean isShut = random.nextInt(4) > 0;
            long choice = random.nextLong();
            play(unopened, isShut, stream, new Random(choice));
            stream = play(opened, isShut, stream, new Random(choice));
            assertThat(framesOf(unopened)).as("round %d", round).isEqualTo(framesOf(opened));
            assertThat(unopened.heard).as("round %d", round).isEqualTo(opened.heard);
        }
        assertThat(unopened.notBegun).as("turned away before they began").isGreaterThan(150);
        assertThat(opened.notBegun).isZero();
        assertThat(unopened.connection.connection().numActiveStreams())
                .isEqualTo(opened.connection.connection().numActiveStreams());
    }

    private static int play(Side side, boolean isShut, int first, Random random) {
        if (isShut) {
            side.shut();
        } else {
            side.open();
        }
        var sent = Unpooled.buffer();
        int stream = first;
        for (int i = random.nextInt(random.nextInt(10) == 0 ? 60 : 6); i >= 0; i--) {
            ByteBuf some = frames(side, stream, random);
            sent.writeBytes(some);
            stream += 2;
        }
        while (sent.isReadable()) {
            int bytes = random.nextBoolean() ? sent.readableBytes() : 1 + random.nextInt(sent.readableBytes());
            side.caller.send(sent.readBytes(bytes));
        }
        for (int i = random.nextInt(4); i > 0 && !side.asked.isEmpty(); i--) {
            side.asked.remove(random.nextInt(side.asked.size())).answer(new byte[random.nextInt(40)]);
            side.caller.channel().runPendingTasks();
        }
        return stream;
    }

    private static ByteBuf frames(Side side, int stream, Random random) {
        int before = 1 + 2 * random.nextInt((stream + 1) / 2);
        return switch (random.nextInt(30)) {
            case 0 -> side.whole(stream, "/other", 3);
            case 1 -> side.whole(stream, "/gated", MAX_MESSAGE_BYTES + 1);
            case 2 -> side.headers(stream, EmbeddedCaller.END_STREAM, "/gated");
            case 3 -> side.headers(stream, 0, "/gated");
            case 4 ->
                Unpooled.wrappedBuffer(side.gated(stream), EmbeddedCaller.number(EmbeddedCaller.RST_STREAM, before, 8));
            case 5 ->
                Unpooled.wrappedBuffer(
                        side.gated(stream), EmbeddedCaller.number(EmbeddedCaller.WINDOW_UPDATE, before, 7));
            case 6 -> Unpooled.wrappedBuffer(side.headers(stream, 0, "/gated"), message(before, 3));
            case 7 ->
                Unpooled.wrappedBuffer(
                        side.headers(stream, 0, "/gated"),
                        EmbeddedCaller.data(stream, 0, EmbeddedCaller.message(9, 4)),
                        EmbeddedCaller.data(
                                stream,
                                EmbeddedCaller.END_STREAM,
                                Unpooled.buffer().writeZero(5)));
            case 8 ->
                Unpooled.wrappedBuffer(
                        side.headers(stream, 0, "/gated"),
                        EmbeddedCaller.data(
                                stream,
                                EmbeddedCaller.END_STREAM,
                                EmbeddedCaller.message(3, 3),
                                EmbeddedCaller.message(3, 3)));
            case 9 ->
                Unpooled.wrappedBuffer(
                        side.headers(stream, 0, "/gated"),
                        EmbeddedCaller.data(stream, EmbeddedCaller.END_STREAM, EmbeddedCaller.message(9, 3)));
            case 10 ->
                Unpooled.wrappedBuffer(
                        side.headers(stream, 0, "/gated"),
                        EmbeddedCaller.data(
                                stream,
                                EmbeddedCaller.END_STREAM | PADDED,
                                Unpooled.buffer().writeByte(2),
                                EmbeddedCaller.message(3, 3),
                                Unpooled.buffer().writeZero(2)));
            case 11 -> EmbeddedCaller.frame(PING, 0, 0, Unpooled.buffer().writeLong(stream));
            case 12 -> side.gated(before);
            case 13 -> side.caller.headers(stream, 0, ":path", "/gated", "x-more", Integer.toString(stream));
            case 14, 15, 16 -> Unpooled.wrappedBuffer(late(side, stream), message(stream, 3));
            case 17 ->
                Unpooled.wrappedBuffer(EmbeddedCaller.inTwo(side.headers(stream, 0, "/gated")), message(stream, 3));
            case 18 ->
                Unpooled.wrappedBuffer(
                        side.headers(stream, 0, "/gated"),
                        EmbeddedCaller.data(
                                stream,
                                EmbeddedCaller.END_STREAM,
                                Unpooled.buffer().writeZero(3)));
            default -> side.gated(stream);
        };
    }

    private static int number(String bytes) {
        return Unpooled.wrappedBuffer(bytes.getBytes(StandardCharsets.ISO_8859_1))
                .readInt();
    }

    /** Nobody waits for its answer, whenever it is read. */
    private static ByteBuf late(Side side, int stream) {
        return side.caller.headers(stream, 0, ":path", "/gated", "grpc-timeout", "1n");
    }

    /** What came, without windows: those that are given back later are given back together. */
    private static List<String> framesOf(Side side) {
        ByteBuf came = side.caller.came();
        var frames = new ArrayList<String>();
        while (came.isReadable()) {
            int length = came.getUnsignedMedium(came.readerIndex());
            boolean isWindow = came.getByte(came.readerIndex() + 3) == EmbeddedCaller.WINDOW_UPDATE;
            String frame = ByteBufUtil.hexDump(came.readSlice(9 + length));
            if (!isWindow) {
                frames.add(frame);
            }
        }
        return frames;
    }
}
