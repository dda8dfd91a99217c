package dev.weir;

import static dev.weir.testing.Caller.descriptor;
import static dev.weir.testing.Caller.request;
import static dev.weir.testing.Caller.withHits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.weir.testing.Caller;
import dev.weir.testing.Http;
import dev.weir.testing.RawCall;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Compressor;
import io.grpc.CompressorRegistry;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Status;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a caller can get wrong is answered with what it was and where the bound is, counts nothing, and harms nobody. What
 * only looks wrong is decided like anything else. Every value has ten hits a year.
 */
final class CallersMistakesIT {
    private static final String RULES = """
        domain: edge
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 10 } }
        """;
    private static final int MIB = 1 << 20;
    private static final RateLimitDescriptor VICTIM = descriptor("user", "victim");

    private static RedisServer redis;
    private static WeirProcess weir;
    private static Caller caller;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        var environment = new HashMap<>(WeirProcess.on(redis));
        environment.put("STORE_TIMEOUT", "20s"); // what is asked here is not speed
        weir = WeirProcess.start(Map.of("edge.yaml", RULES), environment);
        caller = Caller.of(weir);
    }

    @AfterAll
    static void end() {
        caller.close();
        weir.close();
        redis.close();
    }

    @AfterEach
    void nothing_was_counted_and_the_service_answers_on() {
        assertThat(caller.left("edge", "user", "victim")).isEqualTo(10);
        assertThat(weir.isAlive()).isTrue();
        assertThat(weir.output()).doesNotContain("\tat ").doesNotContain(" ERROR ");
    }

    static Stream<Arguments> mistakes() {
        var tooManyHits = 1_000_000_001L;
        return Stream.of(
                Arguments.of("an empty domain", request("", VICTIM), "domain must not be empty"),
                Arguments.of("no descriptors", request("edge"), "descriptor list must not be empty"),
                Arguments.of(
                        "65 descriptors",
                        victims(65),
                        "may hold 64 descriptors (MAX_DESCRIPTORS), this one holds more"),
                Arguments.of("10,000 descriptors", victims(10_000), "may hold 64 descriptors (MAX_DESCRIPTORS)"),
                Arguments.of("33 entries", request("edge", VICTIM, entries(33)), "may hold 32 entries (MAX_ENTRIES)"),
                Arguments.of(
                        "too many hits of the request",
                        request("edge", VICTIM).toBuilder()
                                .setHitsAddend((int) tooManyHits)
                                .build(),
                        "hits_addend may be at most 1000000000 (MAX_HITS), one of this request is 1000000001"),
                Arguments.of(
                        "too many hits of a descriptor",
                        request("edge", VICTIM, withHits(VICTIM, tooManyHits)),
                        "at most 1000000000 (MAX_HITS), one of this request is 1000000001"),
                Arguments.of(
                        "hits that no signed number holds",
                        request("edge", VICTIM, withHits(VICTIM, -1)),
                        "at most 1000000000 (MAX_HITS)"),
                Arguments.of("a limit without a unit", request("edge", VICTIM, limitPer(0)), "7 (week), not 0"),
                Arguments.of("a limit of an unknown unit", request("edge", VICTIM, limitPer(99)), "7 (week), not 99"),
                Arguments.of(
                        "a message over 1 MiB",
                        request("edge", VICTIM, descriptor("user", "x".repeat(MIB))),
                        "may hold 1048576 bytes (MAX_MESSAGE_BYTES), this one holds 1048"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    void a_mistake_is_named_with_its_bound(String mistake, RateLimitRequest request, String sentence) {
        var failure = caller.failureOf(request);
        assertThat(failure.getCode()).as(mistake).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(failure.getDescription()).contains(sentence);
    }

    static Stream<Arguments> garbage() {
        byte[] whole = request("edge", VICTIM).toByteArray();
        byte[] brokenText = ByteString.copyFrom(whole)
                .concat(ByteString.copyFrom(new byte[] {0x0A, 0x02, (byte) 0xC3, 0x28})) // a domain, not in UTF-8
                .toByteArray();
        byte[] brokenKey = new String(whole, StandardCharsets.ISO_8859_1)
                .replace("user", "use\u00ff")
                .getBytes(StandardCharsets.ISO_8859_1);
        return Stream.of(
                Arguments.of("bytes of chance", new byte[] {(byte) 0xFF, (byte) 0xFF, 0x07, 0x42}),
                Arguments.of("a message cut short", Arrays.copyOf(whole, whole.length - 1)),
                Arguments.of("a text of another language", "GET / HTTP/1.1".getBytes(StandardCharsets.UTF_8)),
                Arguments.of("a domain that is no UTF-8", brokenText),
                Arguments.of("a key that is no UTF-8", brokenKey));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("garbage")
    void bytes_that_are_no_message_are_told_to_be_none(String garbage, byte[] bytes) {
        var failure = RawCall.send(caller, bytes);
        assertThat(failure.getCode()).as(garbage).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(failure.getDescription()).startsWith("the message is no RateLimitRequest: ");
    }

    @Test
    void two_messages_on_a_call_for_one_break_it_off() {
        byte[] message = request("edge", VICTIM).toByteArray();
        assertThat(RawCall.send(caller, message, message).getCode())
                .as("gRPC itself notices, and resets the call")
                .isEqualTo(Status.Code.CANCELLED);
    }

    @Test
    void a_call_without_a_message_ends() {
        var failure = RawCall.send(caller);
        assertThat(failure.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(failure.getDescription()).contains("no message");
    }

    @Test
    void an_empty_message_has_no_domain() {
        assertThat(RawCall.send(caller, new byte[0]).getDescription()).contains("domain must not be empty");
    }

    @Test
    void a_message_far_over_the_bound_is_refused_too() {
        var request = request("edge", VICTIM, descriptor("user", "x".repeat(16 * MIB)));
        assertThat(caller.failureOf(request).getCode())
                .isIn(Status.Code.INVALID_ARGUMENT, Status.Code.RESOURCE_EXHAUSTED);
    }

    @Test
    void a_way_of_packing_that_is_unknown_is_refused_and_counted() {
        var packings = CompressorRegistry.newEmptyInstance();
        packings.register(new Unpacked());
        var channel = Grpc.newChannelBuilder("127.0.0.1:" + weir.grpcPort(), InsecureChannelCredentials.create())
                .compressorRegistry(packings)
                .build();
        try {
            var stub = RateLimitServiceGrpc.newBlockingStub(channel).withCompression(Unpacked.NAME);
            assertThatThrownBy(() -> stub.shouldRateLimit(request("edge", VICTIM)))
                    .hasMessage("UNIMPLEMENTED: Can't find decompressor for " + Unpacked.NAME);
        } finally {
            channel.shutdownNow();
        }
        assertThat(Http.get(weir.debug("/stats")).body()).contains("weir.calls.refused{reason=encoding}: 1\n");
    }

    /** Says that it packs. */
    private static final class Unpacked implements Compressor {
        static final String NAME = "zstd";

        @Override
        public String getMessageEncoding() {
            return NAME;
        }

        @Override
        public OutputStream compress(OutputStream out) {
            return out;
        }
    }

    static Stream<Arguments> oddValues() {
        var long1 = "x".repeat(900 << 10);
        return Stream.of(
                        List.of("900 KiB", long1),
                        List.of("900 KiB with another end", long1.substring(1) + "y"),
                        List.of("empty", ""),
                        List.of("a NUL", "\0"),
                        List.of("two NULs", "\0\0"),
                        List.of("a NUL inside", "a\0b"),
                        List.of("what stands before it", "a"),
                        List.of("composed", "\u00e9"),
                        List.of("decomposed", "e\u0301"),
                        List.of("beyond 16 bits", "\ud83e\udd80"),
                        List.of("the last character of all", "\udbff\udfff"),
                        List.of("written from the right", "\u202ecba"),
                        List.of("a blank", " "),
                        List.of("looks like a pattern", "*"),
                        List.of("looks like a hash tag", "{a}"))
                .map(row -> Arguments.of(row.get(0), row.get(1)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("oddValues")
    void an_odd_value_is_counted_on_a_counter_of_its_own(String what, String value) {
        for (int left = 9; left >= 7; left--) {
            var status = caller.hit("edge", "user", value);
            assertThat(status.getLimitRemaining()).as(what).isEqualTo(left);
            assertThat(status.getCurrentLimit().getRequestsPerUnit()).isEqualTo(10);
        }
    }

    @Test
    void as_much_as_the_bounds_allow_is_decided() {
        var descriptors = Collections.nCopies(64, withHits(descriptor("user", "busy"), 1_000_000_000));
        var response = caller.ask(request("edge", descriptors.toArray(RateLimitDescriptor[]::new)));
        assertThat(response.getStatusesCount()).isEqualTo(64);
        assertThat(caller.ask("edge", entries(32)).getStatusesCount()).isEqualTo(1);
    }

    private static RateLimitRequest victims(int count) {
        return request("edge", Collections.nCopies(count, VICTIM).toArray(RateLimitDescriptor[]::new));
    }

    private static RateLimitDescriptor entries(int count) {
        var entry = VICTIM.getEntries(0);
        return RateLimitDescriptor.newBuilder()
                .addAllEntries(Collections.nCopies(count, entry))
                .build();
    }

    private static RateLimitDescriptor limitPer(int unit) {
        var descriptor = VICTIM.toBuilder();
        descriptor.getLimitBuilder().setRequestsPerUnit(5).setUnitValue(unit);
        return descriptor.build();
    }
}
