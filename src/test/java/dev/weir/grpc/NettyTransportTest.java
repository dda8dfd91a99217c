package dev.weir.grpc;

import static dev.weir.grpc.ServedPort.SHOULD_RATE_LIMIT;
import static dev.weir.grpc.ServedPort.call;
import static dev.weir.grpc.ServedPort.framed;
import static dev.weir.grpc.ServedPort.question;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.decide.Decider;
import dev.weir.testing.Eventually;
import io.grpc.health.v1.HealthCheckRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What our port does on its own account: statuses where grpc-java resets, and bounds on what a caller can make it hold. */
class NettyTransportTest extends TransportContract {
    private static final int REFUSED_STREAM = 7;
    private static final int ENHANCE_YOUR_CALM = 11;
    private static final int MAX_STREAMS = 4_000;
    private static final int MIB = 1 << 20;
    private static final int MUCH = 2_000; // for a message of any other method
    private static final int CALLS = 2_000;
    private static final int MEANINGLESS = 4_000;

    @Override
    Transport of(Decider decider) {
        return new NettyTransport(decider);
    }

    private RawAnswer ask(byte[] body) throws IOException {
        return ask(call(SHOULD_RATE_LIMIT), body);
    }

    private static void assertStatus(RawAnswer answer, String code, String message) {
        assertThat(answer.trailer("grpc-message")).contains(message);
        assertThat(answer.trailer("grpc-status")).isEqualTo(code);
        assertThat(answer.header(":status")).isEqualTo("200");
    }

    @Test
    void trailers_may_end_a_request() throws IOException {
        int stream = caller().open(call(SHOULD_RATE_LIMIT), 0);
        caller().frame(RawFrames.DATA, 0, stream, framed(question("ann")));
        caller().frame(RawFrames.HEADERS, RawFrames.END_STREAM | RawFrames.END_HEADERS, stream);
        assertDecided(caller().answer(stream), 999_999);
    }

    @Test
    void what_is_no_message_is_told_by_a_status() throws IOException {
        byte[] message = question("ann");
        assertStatus(ask(framed(1, message)), "13", "compression not configured");
        assertStatus(ask(framed(6, message)), "13", "reserved bits not zero");
        assertStatus(ask(Arrays.copyOf(framed(message), 9)), "13", "Encountered end-of-stream mid-frame");
        assertStatus(ask(ByteBuffer.allocate(5).putInt(1, -1).array()), "8", "exceeds maximum size 8388608");
        assertStatus(ask(ByteBuffer.allocate(5).putInt(1, 9 * MIB).array()), "8", "8388608: 9437184");
        var gzip = call(SHOULD_RATE_LIMIT, "grpc-encoding", "gzip");
        assertStatus(ask(gzip, framed(1, message)), "13", "the message is no gzip: ");
        assertStatus(ask(call(SHOULD_RATE_LIMIT, "grpc-timeout", "1x"), framed(message)), "13", "malformed: 1x");
        byte[] two = ByteBuffer.allocate(2 * framed(message).length)
                .put(framed(message))
                .put(framed(message))
                .array();
        assertStatus(ask(two), "1", "a call has one message, this one has more");
        assertDecided(ask(framed(message)), 999_999);
    }

    @Test
    void a_few_bytes_do_not_become_gigabytes() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(packed)) {
            for (int i = 0; i < 64; i++) {
                out.write(new byte[MIB]);
            }
        }
        var answer = ask(
                call(SHOULD_RATE_LIMIT, "grpc-encoding", "gzip"),
                framed(1, Arrays.copyOf(packed.toByteArray(), 16_000)));
        assertThat(answer.trailer("grpc-status")).isIn("8", "13");
        int stream = caller().open(call(SHOULD_RATE_LIMIT, "grpc-encoding", "gzip"), 0);
        send(caller(), stream, framed(1, packed.toByteArray()), RawFrames.END_STREAM);
        assertStatus(caller().answer(stream), "8", "Decompressed gRPC message exceeds maximum size 1048576");
    }

    @Test
    void a_method_that_is_none_is_answered_with_the_one_that_is() throws IOException {
        var answer = ask(call(SHOULD_RATE_LIMIT, ":method", "PUT"), framed(question("ann")));
        assertThat(answer.header("allow")).isEqualTo("POST");
    }

    @Test
    void a_way_of_packing_that_is_not_understood_is_answered_with_one_that_is() throws IOException {
        var answer = ask(call(SHOULD_RATE_LIMIT, "grpc-encoding", "br"), framed(question("ann")));
        assertThat(answer.header("grpc-accept-encoding")).isEqualTo("gzip");
    }

    @Test
    void a_caller_who_still_speaks_when_the_answer_is_there_need_not_go_on() throws IOException {
        int stream = caller().open(call(SHOULD_RATE_LIMIT), 0);
        caller().frame(RawFrames.DATA, 0, stream, framed(6, question("ann")));
        assertStatus(caller().answer(stream), "13", "reserved bits");
        caller().frame(RawFrames.DATA, RawFrames.END_STREAM, stream, new byte[1]);
        assertDecided(ask(framed(question("ann"))), 999_999);
        assertThat(caller().goAway()).isEqualTo(-1);
    }

    @Test
    void unfinished_messages_of_all_callers_are_bounded_together() throws IOException {
        int streams = 40; // of one MiB each, where 32 MiB may be held
        byte[] part = new byte[16_000];
        for (int i = 0; i < streams; i++) {
            int stream = caller().open(call(SHOULD_RATE_LIMIT), 0);
            caller().frame(
                            RawFrames.DATA,
                            0,
                            stream,
                            ByteBuffer.allocate(5).putInt(1, 2 * MIB).array());
            for (int sent = 0; sent < MIB; sent += part.length) {
                caller().frame(RawFrames.DATA, 0, stream, part);
            }
        }
        var last = caller().answer(2 * streams - 1);
        assertStatus(last, "8", "too many bytes of unfinished calls");
        caller().close();
        try (var other = connect()) {
            Eventually.await("what the caller held is given back", () -> isTaken(other));
        }
    }

    @Test
    void a_probe_is_answered_when_all_that_may_be_held_is_held() throws IOException {
        int streams = 40;
        int last = 0;
        for (int i = 0; i < streams; i++) {
            last = leaveUnfinished(MIB);
        }
        for (int bytes = MIB / 2; bytes > 0; bytes /= 2) { // smaller ones, for what room is left beside those
            var _ = leaveUnfinished(bytes);
            last = leaveUnfinished(bytes);
        }
        assertStatus(caller().answer(last), "8", "too many bytes of unfinished calls");
        assertStatus(ask(call(CHECK), framed(health("who else"))), "5", "unknown service who else");
        assertThat(ask(call(CHECK), framed(health("ratelimit"))).trailer("grpc-status"))
                .isEqualTo("0");
    }

    private int leaveUnfinished(int bytes) throws IOException {
        int stream = caller().open(call(SHOULD_RATE_LIMIT), 0);
        send(caller(), stream, framed(unknownField(bytes)), 0);
        return stream;
    }

    @Test
    void a_long_name_is_not_told_back_and_a_longer_one_not_taken() throws IOException {
        RawAnswer answer = ask(call(CHECK, "grpc-encoding", "gzip"), framed(1, gzip(health("%".repeat(MUCH)))));
        assertStatus(answer, "5", "unknown service %");
        assertThat(answer.trailer("grpc-message")).hasSizeLessThan(4_000);
        byte[] longer = health("%".repeat(MIB));
        assertStatus(ask(call(CHECK, "grpc-encoding", "gzip"), framed(1, gzip(longer))), "8", "maximum size 2048");
        for (String path : List.of(CHECK, WATCH)) {
            int stream = caller().open(call(path), 0);
            send(caller(), stream, framed(longer), 0);
            assertStatus(caller().answer(stream), "8", "maximum size 2048: ");
        }
    }

    @Test
    void a_message_that_is_packed_in_very_many_parts_is_told_by_a_status() throws IOException {
        byte[] empty = gzip(new byte[0]);
        ByteBuffer parts = ByteBuffer.allocate(100_000 * empty.length);
        while (parts.hasRemaining()) {
            parts.put(empty);
        }
        int stream = caller().open(call(SHOULD_RATE_LIMIT, "grpc-encoding", "gzip"), 0);
        send(caller(), stream, framed(1, parts.array()), RawFrames.END_STREAM);
        assertStatus(caller().answer(stream), "13", "the message is no gzip: too many parts");
    }

    private static byte[] health(String service) {
        return HealthCheckRequest.newBuilder().setService(service).build().toByteArray();
    }

    /** A message that is whole waits for the end of its call all the same. */
    @Test
    void whole_messages_of_calls_that_do_not_end_are_bounded_too() throws IOException {
        int streams = 20;
        for (int i = 0; i < streams; i++) {
            int stream = caller().open(call(SHOULD_RATE_LIMIT), 0);
            send(caller(), stream, framed(unknownField(MIB)), 0);
        }
        assertStatus(caller().answer(2 * streams - 1), "8", "too many bytes of unfinished calls");
        caller().close();
        try (var other = connect()) {
            Eventually.await("what the caller held is given back", () -> isTaken(other));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {CHECK, WATCH})
    void whole_messages_of_all_other_calls_leave_room(String path) throws IOException {
        for (int i = 0; i < MAX_STREAMS - 1; i++) {
            int stream = caller().open(call(path), 0);
            send(caller(), stream, framed(unknownField(MUCH)), 0);
            if (i % 100
                    == 0) { // more than there is room for would be on its way to a thread that others keep from running
                int asked = caller().open(call(REFLECTION), 0);
                send(caller(), asked, framed(unknownField(1)), RawFrames.END_STREAM);
                var _ = caller().answer(asked);
            }
        }
        assertThat(isTaken(caller())).isTrue();
    }

    @Test
    void what_is_no_message_is_not_passed_on_to_grpc_java() throws IOException {
        for (String path : List.of(WATCH, REFLECTION)) {
            for (int flags : new int[] {RawFrames.END_STREAM, 0}) { // nobody waits for the end of what is none
                int stream = caller().open(call(path), 0);
                caller().frame(RawFrames.DATA, flags, stream, framed(new byte[] {0x0a, 0x7f}));
                assertStatus(caller().answer(stream), "13", "Invalid protobuf byte sequence");
            }
        }
    }

    @Test
    void what_a_message_is_unpacked_counts() throws IOException {
        int streams = 40; // of nearly a MiB each
        byte[] body = framed(1, gzip(unknownField(MIB - 100)));
        for (int i = 0; i < streams; i++) {
            int stream = caller().open(call(SHOULD_RATE_LIMIT, "grpc-encoding", "gzip"), 0);
            send(caller(), stream, body, 0);
        }
        assertStatus(caller().answer(2 * streams - 1), "8", "too many bytes of unfinished calls");
    }

    @Test
    void a_call_of_many_messages_holds_none_that_was_taken() throws IOException {
        int stream = caller().open(call(REFLECTION), 0);
        byte[] body = framed(unknownField(MUCH));
        for (int answered = 0; answered < 20 * MIB / MUCH; answered++) {
            caller().frame(RawFrames.WINDOW_UPDATE, 0, stream, RawFrames.number(2 * MUCH));
            caller().frame(RawFrames.WINDOW_UPDATE, 0, 0, RawFrames.number(2 * MUCH));
            int echoed = caller().of(stream).bodyBytes() + MUCH;
            send(caller(), stream, body, 0);
            caller().readUntil(() -> caller().of(stream).bodyBytes() > echoed
                    || caller().of(stream).isEnded());
            assertThat(caller().of(stream).isEnded()).isFalse();
        }
    }

    /** Its messages would wait in grpc-java, which takes as many as come. */
    @Test
    void who_does_not_take_his_answers_may_send_no_more_until_he_does() throws IOException {
        try (var slow = connect(INITIAL_WINDOW_SIZE, 0)) {
            slow.frame(RawFrames.PING, 0, 0, new byte[8]);
            slow.readUntil(() -> slow.pongs() == 1); // it knows by then how much it may send
            int stream = slow.open(call(REFLECTION), 0);
            for (int sent = 0; sent < MIB - 2 * MUCH; sent += MUCH + 11) {
                slow.frame(RawFrames.DATA, 0, stream, framed(unknownField(MUCH)));
            }
            slow.frame(RawFrames.PING, 0, 0, new byte[8]);
            slow.readUntil(() -> slow.pongs() == 2);
            assertThat(slow.of(stream).window()).isZero();
            slow.frame(RawFrames.WINDOW_UPDATE, 0, stream, RawFrames.number(4 * MIB));
            slow.frame(RawFrames.WINDOW_UPDATE, 0, 0, RawFrames.number(4 * MIB));
            slow.readUntil(() -> slow.of(stream).window() > 0 || slow.of(stream).isEnded());
            assertThat(slow.of(stream).isEnded()).isFalse();
        }
    }

    @Test
    void calls_that_grpc_java_answers_are_bounded_together() throws IOException {
        int most = 1_000;
        for (int i = 0; i <= most; i++) {
            caller().open(call(WATCH), 0);
        }
        assertStatus(caller().answer(2 * most + 1), "8", "too many calls of this kind are open: 1000");
        int last = 2 * most - 1;
        caller().frame(RawFrames.DATA, RawFrames.END_STREAM, last, framed(new byte[0]));
        caller().readUntil(() -> caller().of(last).bodyBytes() == 7);
        assertDecided(ask(framed(question("ann"))), 999_999);
        caller().close();
        try (var other = connect()) {
            Eventually.await("those of a caller who has left are gone", () -> isWatched(other));
        }
    }

    private static boolean isWatched(RawFrames caller) {
        try {
            int watch = caller.open(call(WATCH), 0);
            caller.frame(RawFrames.DATA, RawFrames.END_STREAM, watch, framed(new byte[0]));
            caller.readUntil(
                    () -> caller.of(watch).bodyBytes() == 7 || caller.of(watch).isEnded());
            return !caller.of(watch).isEnded();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_port_that_ends_tells_the_watches_of_health_and_ends_them() throws Exception {
        served().transport().setHealthy(true);
        int watch = caller().open(call(WATCH), 0);
        caller().frame(RawFrames.DATA, RawFrames.END_STREAM, watch, framed(new byte[0]));
        caller().readUntil(() -> caller().of(watch).bodyBytes() == 7);
        caller().frame(RawFrames.PING, 0, 0, new byte[8]);
        caller().readUntil(() -> caller().pongs() == 1); // what was sent is behind it, and more may follow
        var stopping = Thread.ofVirtual().start(this::stop);
        assertThat(caller().answer(watch).trailer("grpc-status")).isEqualTo("14");
        byte[] told = caller().of(watch).body();
        assertThat(told).hasSize(14);
        assertThat(health(Arrays.copyOfRange(told, 12, 14))).isEqualTo("NOT_SERVING");
        caller().readUntil(caller()::isClosed);
        assertThat(stopping.join(Eventually.DEADLINE)).isTrue();
    }

    /** Returns a message that any method takes: of one field, which it does not know. */
    private static byte[] unknownField(int bytes) {
        ByteBuffer message = ByteBuffer.allocate(6 + bytes).put((byte) 0x82).put((byte) 0x06); // field 96, of bytes
        for (int shift = 0; shift < 21; shift += 7) {
            message.put((byte) (0x80 | (bytes >> shift & 0x7f)));
        }
        message.put((byte) (bytes >> 21));
        return message.array();
    }

    private static byte[] gzip(byte[] message) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(packed)) {
            out.write(message);
        }
        return packed.toByteArray();
    }

    private static void send(RawFrames caller, int stream, byte[] body, int lastFlags) throws IOException {
        for (int at = 0; at < body.length; at += 16_000) {
            int to = Math.min(body.length, at + 16_000);
            int flags = to == body.length ? lastFlags : 0;
            caller.frame(RawFrames.DATA, flags, stream, Arrays.copyOfRange(body, at, to));
        }
    }

    private static boolean isTaken(RawFrames other) {
        try {
            int stream = other.open(call(SHOULD_RATE_LIMIT), 0);
            send(other, stream, framed(new byte[MIB / 2]), RawFrames.END_STREAM);
            return other.answer(stream).trailer("grpc-status").equals("3");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_connection_has_so_many_calls_and_no_more() throws IOException {
        int last = 0;
        for (int i = 0; i <= MAX_STREAMS; i++) {
            last = caller().open(call(SHOULD_RATE_LIMIT), 0);
        }
        caller().frame(RawFrames.DATA, RawFrames.END_STREAM, last, framed(question("ann"))); // was under way
        assertThat(caller().answer(last).reset()).isEqualTo(REFUSED_STREAM);
        caller().frame(RawFrames.DATA, RawFrames.END_STREAM, last - 2, framed(question("ann")));
        assertThat(caller().answer(last - 2).trailer("grpc-status")).isEqualTo("0");
    }

    /** Envoy repeats what an end user sends it, up to 60 KiB: an error would let that user pass. */
    @Test
    void what_an_end_user_may_make_of_headers_is_read() throws IOException {
        for (int i = 1; i <= 3; i++) {
            var traced = call(SHOULD_RATE_LIMIT, "tracestate", "x".repeat(60 << 10));
            assertDecided(ask(traced, framed(question("ann"))), 1_000_000 - i);
        }
    }

    @Test
    void headers_are_bounded_and_the_calls_beside_them_go_on() throws IOException {
        var answer = ask(call(SHOULD_RATE_LIMIT, "x-large", "x".repeat(140_000)), framed(question("ann")));
        assertThat(answer.header(":status")).isEqualTo("431");
        assertDecided(ask(call(SHOULD_RATE_LIMIT), framed(question("ann"))), 999_999);
    }

    @Test
    void headers_far_beyond_the_bound_end_the_connection() throws IOException {
        caller().headers(1, call(SHOULD_RATE_LIMIT, "x-large", "x".repeat(200_000)), RawFrames.END_STREAM);
        caller().readUntil(() -> caller().goAway() >= 0);
        assertThat(caller().goAway()).isPositive();
    }

    @Test
    void headers_that_never_end_end_the_connection() throws IOException {
        byte[] block = caller().block(call(SHOULD_RATE_LIMIT));
        caller().frame(RawFrames.HEADERS, 0, 1, block);
        caller().frames(100, RawFrames.CONTINUATION, 1);
        caller().readUntil(() -> caller().goAway() >= 0);
        assertThat(caller().goAway()).isEqualTo(ENHANCE_YOUR_CALM);
    }

    @Test
    void frames_that_say_nothing_end_the_connection() throws IOException {
        int stream = caller().open(call(SHOULD_RATE_LIMIT), 0);
        caller().frames(100, RawFrames.DATA, stream);
        caller().readUntil(() -> caller().goAway() >= 0);
        assertThat(caller().goAway()).isEqualTo(ENHANCE_YOUR_CALM);
    }

    @Test
    void who_asks_only_to_cancel_is_sent_away() throws Exception {
        var flooding = Thread.ofPlatform().daemon().start(() -> cancelForever(caller()));
        caller().readUntil(() -> caller().goAway() >= 0);
        assertThat(caller().goAway()).isEqualTo(ENHANCE_YOUR_CALM);
        caller().close();
        assertThat(flooding.join(Eventually.DEADLINE)).isTrue();
    }

    /** Opens and cancels streams, a thousand in one write: one by one, a busy machine would be too slow to be a flood. */
    private static void cancelForever(RawFrames caller) {
        try {
            while (true) {
                caller.cancelled(1_000, call(SHOULD_RATE_LIMIT));
            }
        } catch (IOException _) {
            // The connection was closed while it wrote, which is what ends it.
        }
    }

    /** Answers of a kilobyte, each another one, that nobody reads fill the network; then frames that mean nothing would go on for ever. */
    @Test
    void who_does_not_read_is_not_read_from() throws Exception {
        try (var deaf = RawFrames.deaf(this::around, served().port())) {
            var sent = new AtomicInteger();
            var writing = Thread.ofPlatform().daemon().start(() -> flood(deaf, sent));
            var still = new int[2];
            Eventually.await("no more is taken", () -> {
                still[1] = sent.get() == still[0] ? still[1] + 1 : 0;
                still[0] = sent.get();
                return still[0] > CALLS && still[1] == 200;
            });
            assertThat(sent.get()).isLessThan(CALLS + MEANINGLESS);
            int last = 2 * CALLS - 1;
            assertThat(deaf.answer(last).trailer("grpc-status")).isEqualTo("12");
            deaf.readUntil(() -> deaf.pongs() == 1);
            assertThat(writing.join(Eventually.DEADLINE)).isTrue();
        }
    }

    private static void flood(RawFrames deaf, AtomicInteger sent) {
        try {
            for (int i = 0; i < CALLS; i++) {
                deaf.open(call("/a/" + i + "x".repeat(1_000)), RawFrames.END_STREAM);
                sent.incrementAndGet();
            }
            for (int i = 0; i < MEANINGLESS; i++) {
                deaf.frame(99, 0, 0, new byte[16_000]);
                sent.incrementAndGet();
            }
            deaf.frame(RawFrames.PING, 0, 0, new byte[8]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
