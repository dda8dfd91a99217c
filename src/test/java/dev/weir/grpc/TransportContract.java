package dev.weir.grpc;

import static dev.weir.grpc.ServedPort.SHOULD_RATE_LIMIT;
import static dev.weir.grpc.ServedPort.call;
import static dev.weir.grpc.ServedPort.framed;
import static dev.weir.grpc.ServedPort.question;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.decide.Decider;
import dev.weir.testing.Eventually;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What gRPC promises to a caller, held against our port and against grpc-java's. */
abstract class TransportContract {
    static final String CHECK = "/grpc.health.v1.Health/Check";
    static final String WATCH = "/grpc.health.v1.Health/Watch";
    private static final int CANCEL = 8;
    static final String REFLECTION = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    static final int INITIAL_WINDOW_SIZE = 4;

    private ServedPort served;
    private RawFrames caller;

    abstract Transport of(Decider decider);

    /** What a caller puts around its sockets. */
    Socket around(Socket tcp) throws IOException {
        return tcp;
    }

    RawFrames connect(int... settings) throws IOException {
        return RawFrames.connect(this::around, served.port(), settings);
    }

    ServedPort served() {
        return served;
    }

    RawFrames caller() {
        return caller;
    }

    @BeforeEach
    void start() throws IOException {
        served = new ServedPort(this::of);
        caller = connect();
    }

    @AfterEach
    void end() throws InterruptedException {
        caller.close();
        served.stop();
    }

    RawAnswer ask(Http2Headers headers, byte[] body) throws IOException {
        int stream = caller.open(headers, 0);
        caller.frame(RawFrames.DATA, RawFrames.END_STREAM, stream, body);
        return caller.answer(stream);
    }

    private RawAnswer ask(byte[] body) throws IOException {
        return ask(call(SHOULD_RATE_LIMIT), body);
    }

    static void assertDecided(RawAnswer answer, int remaining) throws IOException {
        assertThat(answer.header(":status")).isEqualTo("200");
        assertThat(answer.header("content-type")).isEqualTo("application/grpc");
        assertThat(answer.trailer("grpc-status")).isEqualTo("0");
        assertThat(answer.reset()).isEqualTo(RawAnswer.NOT_RESET);
        assertThat(ServedPort.remaining(answer)).isEqualTo(remaining);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/grpc+proto", "Application/gRPC", "application/GRPC;charset=utf-8"})
    void the_type_of_content_is_read_as_grpc_java_does(String type) throws IOException {
        assertDecided(ask(call(SHOULD_RATE_LIMIT, "content-type", type), framed(question("ann"))), 999_999);
    }

    @Test
    void a_question_is_answered_by_a_message_and_trailers() throws IOException {
        assertDecided(ask(framed(question("ann"))), 999_999);
        assertDecided(ask(framed(question("ann"))), 999_998);
    }

    @Test
    void a_message_may_be_cut_anywhere_and_padded() throws IOException {
        byte[] body = framed(question("ann"));
        for (int cut = 0; cut <= body.length; cut++) {
            int stream = caller.open(call(SHOULD_RATE_LIMIT), 0);
            caller.frame(RawFrames.DATA, 0, stream, Arrays.copyOf(body, cut));
            byte[] rest = Arrays.copyOfRange(body, cut, body.length);
            byte[] padded = Arrays.copyOf(
                    ByteBuffer.allocate(rest.length + 1).put((byte) 9).put(rest).array(), rest.length + 10);
            caller.frame(RawFrames.DATA, RawFrames.PADDED, stream, padded);
            caller.frame(RawFrames.DATA, RawFrames.END_STREAM, stream);
            assertDecided(caller.answer(stream), 999_999 - cut);
        }
    }

    @Test
    void headers_may_go_on_in_other_frames() throws IOException {
        byte[] block = caller.block(call(SHOULD_RATE_LIMIT));
        caller.frame(RawFrames.HEADERS, 0, 1, Arrays.copyOf(block, 7));
        caller.frame(RawFrames.CONTINUATION, RawFrames.END_HEADERS, 1, Arrays.copyOfRange(block, 7, block.length));
        caller.frame(RawFrames.DATA, RawFrames.END_STREAM, 1, framed(question("ann")));
        assertDecided(caller.answer(1), 999_999);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void calls_mixed_at_random_are_each_answered_once(long seed) throws IOException {
        var random = new SplittableRandom(seed);
        byte[] body = framed(question("ann"));
        var open = new ArrayList<int[]>(); // stream, bytes sent
        var streams = new ArrayList<Integer>();
        while (streams.size() < 60 || !open.isEmpty()) {
            if (streams.size() < 60 && random.nextInt(3) == 0) {
                int stream = caller.open(call(SHOULD_RATE_LIMIT), 0);
                streams.add(stream);
                open.add(new int[] {stream, 0});
            } else if (!open.isEmpty()) {
                int[] one = open.get(random.nextInt(open.size()));
                int to = Math.min(body.length, one[1] + random.nextInt(body.length));
                boolean isLast = to == body.length;
                byte[] part = Arrays.copyOfRange(body, one[1], to);
                caller.frame(RawFrames.DATA, isLast ? RawFrames.END_STREAM : 0, one[0], part);
                one[1] = to;
                if (isLast) {
                    open.remove(one);
                }
            }
        }
        var left = new ArrayList<Integer>();
        for (int stream : streams) {
            left.add(ServedPort.remaining(caller.answer(stream)));
        }
        assertThat(left).as("seed %d", seed).doesNotHaveDuplicates().hasSize(60).contains(999_940);
    }

    @ParameterizedTest
    @CsvSource({
        "content-type, text/plain, 415, 13, Content-Type 'text/plain' is not supported",
        "content-type, application/grpc-web, 415, 13, Content-Type 'application/grpc-web' is not supported",
        ":method, PUT, 405, 13, Method 'PUT' is not supported",
        ":path, /no.Service/Method, 200, 12, Method not found: no.Service/Method",
        "grpc-encoding, zstd, 200, 12, Can't find decompressor for zstd"
    })
    void a_request_that_is_no_call_is_told_why(String header, String value, String http, String grpc, String message)
            throws IOException {
        var answer = ask(call(SHOULD_RATE_LIMIT, header, value), framed(question("ann")));
        assertThat(answer.header(":status")).isEqualTo(http);
        assertThat(answer.header("grpc-status").concat(answer.trailer("grpc-status")))
                .contains(grpc);
        assertThat(answer.header("grpc-message").concat(answer.trailer("grpc-message")))
                .contains(message);
        assertThat(new String(answer.body(), StandardCharsets.UTF_8))
                .as("in the body for whoever knows nothing of gRPC")
                .isEqualTo(http.equals("200") ? "" : message);
        assertThat(answer.reset()).isEqualTo(RawAnswer.NOT_RESET);
    }

    @Test
    void a_request_without_a_type_is_no_call() throws IOException {
        var headers = call(SHOULD_RATE_LIMIT);
        headers.remove("content-type");
        var answer = ask(headers, framed(question("ann")));
        assertThat(answer.header(":status")).isEqualTo("415");
        assertThat(answer.header("grpc-message")).isEqualTo("Content-Type is missing from the request");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/grpc+proto", "application/grpc;charset=utf-8"})
    void the_type_may_say_more(String type) throws IOException {
        assertDecided(ask(call(SHOULD_RATE_LIMIT, "content-type", type), framed(question("ann"))), 999_999);
    }

    @Test
    void a_message_may_be_gzip() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(packed)) {
            out.write(question("ann"));
        }
        var headers = call(SHOULD_RATE_LIMIT, "grpc-encoding", "gzip");
        assertDecided(ask(headers, framed(1, packed.toByteArray())), 999_999);
        assertDecided(ask(headers, framed(0, question("ann"))), 999_998);
        assertDecided(ask(call(SHOULD_RATE_LIMIT, "grpc-encoding", "identity"), framed(question("ann"))), 999_997);
    }

    /** grpc-java tells these by a reset or by a status, depending on how far the call has come. */
    @Test
    void what_is_no_message_ends_the_call_and_not_the_connection() throws IOException {
        var bodies = new byte[][] {
            framed(1, question("ann")), // packed, and nobody said how
            framed(6, question("ann")), // flags of tomorrow
            ByteBuffer.allocate(5).put((byte) 0).putInt(-1).array(),
            ByteBuffer.allocate(5).put((byte) 0).putInt(9 << 20).array(), // too large
            Arrays.copyOf(framed(question("ann")), 9), // ends midway
            {0, 0},
        };
        for (byte[] body : bodies) {
            var answer = ask(body);
            assertThat(answer.trailer("grpc-status")).isNotEqualTo("0");
            assertThat(answer.bodyBytes()).as("no verdict").isZero();
        }
        assertDecided(ask(framed(question("ann"))), 999_999);
    }

    @Test
    void messages_of_errors_are_percent_encoded() throws IOException {
        var name = HealthCheckRequest.newBuilder()
                .setService("100 % \u00e9 ~ \n \ud83e\udd80")
                .build();
        var answer = ask(call(CHECK), framed(name.toByteArray()));
        assertThat(answer.trailer("grpc-status")).isEqualTo("5");
        assertThat(answer.trailer("grpc-message")).isEqualTo("unknown service 100 %25 %C3%A9 %7E %0A %F0%9F%A6%80");
        assertThat(answer.header(":status")).isEqualTo("200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ratelimit"})
    void health_is_told_and_watched(String service) throws IOException {
        byte[] question = framed(
                HealthCheckRequest.newBuilder().setService(service).build().toByteArray());
        assertThat(health(ask(call(CHECK), question).message())).isEqualTo("NOT_SERVING");
        int watch = caller.open(call(WATCH), 0);
        caller.frame(RawFrames.DATA, RawFrames.END_STREAM, watch, question);
        caller.readUntil(() -> caller.of(watch).bodyBytes() == 7);
        served.transport().setHealthy(true);
        caller.readUntil(() -> caller.of(watch).bodyBytes() == 14);
        assertThat(health(Arrays.copyOfRange(caller.of(watch).body(), 12, 14))).isEqualTo("SERVING");
        assertThat(health(ask(call(CHECK), question).message())).isEqualTo("SERVING");
        caller.frame(RawFrames.RST_STREAM, 0, watch, RawFrames.number(CANCEL));
        caller.frame(RawFrames.PING, 0, 0, new byte[8]);
        caller.readUntil(() -> caller.pongs() == 1);
        served.transport().setHealthy(false);
        assertThat(health(ask(call(CHECK), question).message())).isEqualTo("NOT_SERVING");
        assertThat(caller.of(watch).bodyBytes())
                .as("nothing after it was cancelled")
                .isEqualTo(14);
    }

    static String health(byte[] message) throws IOException {
        return HealthCheckResponse.parseFrom(message).getStatus().name();
    }

    @Test
    void a_deadline_is_answered_in_time() throws IOException {
        served.store().hold();
        var answer = ask(call(SHOULD_RATE_LIMIT, "grpc-timeout", "200m"), framed(question("ann")));
        assertThat(answer.trailer("grpc-status")).isEqualTo("4");
    }

    @Test
    void a_call_that_was_cancelled_is_abandoned() throws IOException {
        served.store().hold();
        int stream = caller.open(call(SHOULD_RATE_LIMIT), 0);
        caller.frame(RawFrames.DATA, RawFrames.END_STREAM, stream, framed(question("ann")));
        Eventually.await("the store is asked", () -> served.store().held() == 1);
        caller.frame(RawFrames.RST_STREAM, 0, stream, RawFrames.number(CANCEL));
        Eventually.await("it is told to forget it", () -> served.store().abandoned() == 1);
        served.store().release();
        assertDecided(ask(framed(question("ann"))), 999_999);
    }

    @Test
    void calls_of_a_caller_that_left_are_abandoned() throws IOException {
        served.store().hold();
        for (int i = 0; i < 5; i++) {
            int stream = caller.open(call(SHOULD_RATE_LIMIT), 0);
            caller.frame(RawFrames.DATA, RawFrames.END_STREAM, stream, framed(question("ann")));
        }
        Eventually.await("the store is asked", () -> served.store().held() == 5);
        caller.close();
        Eventually.await("all are forgotten", () -> served.store().abandoned() == 5);
    }

    @Test
    void answers_wait_for_the_window_of_their_reader() throws IOException {
        try (var slow = connect(INITIAL_WINDOW_SIZE, 3)) {
            int stream = slow.open(call(SHOULD_RATE_LIMIT), 0);
            slow.frame(RawFrames.DATA, RawFrames.END_STREAM, stream, framed(question("ann")));
            slow.readUntil(() -> slow.of(stream).bodyBytes() == 3);
            slow.frame(RawFrames.PING, 0, 0, new byte[8]);
            slow.readUntil(() -> slow.pongs() == 1);
            assertThat(slow.of(stream).bodyBytes()).isEqualTo(3);
            slow.frame(RawFrames.WINDOW_UPDATE, 0, stream, RawFrames.number(1 << 20));
            assertDecided(slow.answer(stream), 999_999);
        }
    }

    /** The second answer is there as soon as the first is written, which happens while the settings are read. */
    @Test
    void each_answer_of_a_call_takes_its_part_of_the_window() throws IOException {
        byte[] question = framed(
                ServerReflectionRequest.newBuilder().setListServices("").build().toByteArray());
        int probe = caller.open(call(REFLECTION), 0);
        caller.frame(RawFrames.DATA, 0, probe, question);
        caller.readUntil(() -> caller.of(probe).bodyBytes() > 0);
        int answer = caller.of(probe).bodyBytes();
        try (var slow = connect(INITIAL_WINDOW_SIZE, 0)) {
            int stream = slow.open(call(REFLECTION), 0);
            byte[] two = ByteBuffer.allocate(2 * question.length)
                    .put(question)
                    .put(question)
                    .array();
            slow.frame(RawFrames.DATA, 0, stream, two);
            slow.readUntil(() -> slow.of(stream).header(":status").equals("200"));
            byte[] roomForOne = ByteBuffer.allocate(6)
                    .putShort((short) INITIAL_WINDOW_SIZE)
                    .putInt(answer)
                    .array();
            slow.frame(RawFrames.SETTINGS, 0, 0, roomForOne);
            slow.frame(RawFrames.PING, 0, 0, new byte[8]);
            slow.readUntil(() -> slow.pongs() == 1 && slow.of(stream).bodyBytes() > 0);
            assertThat(slow.of(stream).bodyBytes()).isEqualTo(answer);
            slow.frame(RawFrames.WINDOW_UPDATE, 0, stream, RawFrames.number(answer));
            slow.readUntil(() -> slow.of(stream).bodyBytes() == 2 * answer);
        }
    }

    @Test
    void a_port_that_ends_answers_what_it_was_asked() throws Exception {
        served.store().hold();
        int stream = caller.open(call(SHOULD_RATE_LIMIT), 0);
        caller.frame(RawFrames.DATA, RawFrames.END_STREAM, stream, framed(question("ann")));
        Eventually.await("the store is asked", () -> served.store().held() == 1);
        var stopping = Thread.ofVirtual().start(this::stop);
        caller.readUntil(() -> caller.goAway() == 0);
        served.store().release();
        assertDecided(caller.answer(stream), 999_999);
        caller.readUntil(caller::isClosed);
        assertThat(stopping.join(Eventually.DEADLINE)).isTrue();
    }

    final void stop() {
        try {
            served.transport().stop(Eventually.DEADLINE);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_port_that_may_not_wait_breaks_off() throws Exception {
        served.store().hold();
        int stream = caller.open(call(SHOULD_RATE_LIMIT), 0);
        caller.frame(RawFrames.DATA, RawFrames.END_STREAM, stream, framed(question("ann")));
        Eventually.await("the store is asked", () -> served.store().held() == 1);
        served.transport().stop(Duration.ofMillis(50));
        caller.readUntil(caller::isClosed);
        assertThat(caller.isClosed()).isTrue();
    }

    @Test
    void too_many_pings_end_the_connection() throws IOException {
        for (int i = 0; i < 2; i++) {
            caller.frame(RawFrames.PING, 0, 0, new byte[8]);
        }
        caller.readUntil(() -> caller.pongs() == 2);
        assertThat(caller.goAway()).isEqualTo(-1);
        // At one go: the third may be the one too many, and after it the connection is closed.
        caller.frames(4, RawFrames.PING, 0, new byte[8]);
        caller.readUntil(() -> caller.goAway() >= 0);
        assertThat(caller.goAway()).as("ENHANCE_YOUR_CALM").isEqualTo(11);
        assertThat(caller.goAwayText()).isEqualTo("too_many_pings");
    }
}
