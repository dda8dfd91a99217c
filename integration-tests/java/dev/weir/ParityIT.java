package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.weir.testing.RedisServer;
import dev.weir.testing.RedisVersion;
import dev.weir.testing.RedisVersions;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Answers what envoyproxy/ratelimit answered: 1,200 recorded requests in each of four modes, asked over gRPC, in order, on
 * an empty store. There is no list of exceptions, because there are none.
 *
 * <p>The recording's windows are an hour and longer: a run that meets the end of a UTC hour is made again.
 */
final class ParityIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> MODES = List.of("plain", "headers", "shadow", "quota");

    static Stream<Arguments> runs() {
        return MODES.stream()
                .flatMap(mode -> Stream.concat(
                        Stream.of(Arguments.of(mode, "memory", null)),
                        RedisVersions.available().stream().map(version -> Arguments.of(mode, "redis", version))));
    }

    @ParameterizedTest(name = "{0}, {1} {2}")
    @MethodSource("runs")
    void every_recorded_answer_is_reproduced(String mode, String backend, RedisVersion version) throws IOException {
        JsonNode recording = Parity.recording(mode);
        Map<String, String> environment = new HashMap<>();
        recording
                .get("environment")
                .properties()
                .forEach(e -> environment.put(e.getKey(), e.getValue().asText()));
        environment.put("BACKEND_TYPE", backend);
        List<Map<String, Object>> answers = Parity.inOneHour(() -> backend.equals("redis")
                ? answersOnRedis(version, recording, environment)
                : answers(recording, environment));
        int step = 0;
        for (JsonNode asked : recording.get("steps")) {
            assertThat(answers.get(step))
                    .as("step %d: %s", step, asked.get("ask"))
                    .isEqualTo(comparable(asked.get("answer")));
            step++;
        }
        assertThat(step).isEqualTo(1_200);
    }

    private static List<Map<String, Object>> answersOnRedis(
            RedisVersion version, JsonNode recording, Map<String, String> environment) {
        try (var redis = RedisServer.start(version)) {
            environment.putAll(WeirProcess.on(redis));
            return answers(recording, environment);
        }
    }

    private static List<Map<String, Object>> answers(JsonNode recording, Map<String, String> environment) {
        try (var weir = WeirProcess.start(Parity.rules(recording), environment)) {
            ManagedChannel channel = NettyChannelBuilder.forTarget("127.0.0.1:" + weir.grpcPort())
                    .usePlaintext()
                    .build();
            try {
                var stub = RateLimitServiceGrpc.newBlockingStub(channel);
                return recording
                        .get("steps")
                        .valueStream()
                        .map(asked -> comparable(stub.shouldRateLimit(Parity.request(asked.get("ask")))))
                        .toList();
            } finally {
                channel.shutdownNow();
            }
        }
    }

    /** The recorded form without what the recording leaves open. */
    private static Map<String, Object> comparable(JsonNode answer) {
        var plain = new LinkedHashMap<String, Object>();
        plain.put("code", answer.get("code").asInt());
        plain.put(
                "statuses",
                answer.get("statuses").valueStream().map(ParityIT::status).toList());
        plain.put(
                "headers",
                Objects.requireNonNullElseGet(answer.get("headers"), JSON::createArrayNode)
                        .valueStream()
                        .map(h -> h.get(0).asText() + ": " + h.get(1).asText())
                        .toList());
        plain.put("metadata", withoutMerged(answer.has("metadata") ? answer.get("metadata") : JSON.createObjectNode()));
        return plain;
    }

    private static List<Object> status(JsonNode status) {
        JsonNode limit = status.get("limit");
        return List.of(
                status.get("code").asInt(),
                status.get("remaining").asLong(),
                limit == null
                        ? "no limit"
                        : limit.get(0).asLong() + " per unit " + limit.get(1).asInt() + " "
                                + limit.get(2).asText(),
                status.has("reset"));
    }

    private static Map<String, Object> comparable(RateLimitResponse response) {
        var plain = new LinkedHashMap<String, Object>();
        plain.put("code", response.getOverallCodeValue());
        plain.put(
                "statuses",
                response.getStatusesList().stream().map(ParityIT::status).toList());
        plain.put(
                "headers",
                response.getResponseHeadersToAddList().stream()
                        .map(h -> h.getKey() + ": " + (h.getKey().endsWith("Reset") ? "?" : h.getValue()))
                        .toList());
        try {
            plain.put(
                    "metadata",
                    withoutMerged(JSON.readTree(JsonFormat.printer().print(response.getDynamicMetadata()))));
        } catch (InvalidProtocolBufferException | JsonProcessingException e) {
            throw new AssertionError(e);
        }
        return plain;
    }

    private static List<Object> status(RateLimitResponse.DescriptorStatus status) {
        var limit = status.getCurrentLimit();
        assertThat(status.hasDurationUntilReset()).isEqualTo(status.hasCurrentLimit());
        return List.of(
                status.getCodeValue(),
                Integer.toUnsignedLong(status.getLimitRemaining()),
                status.hasCurrentLimit()
                        ? Integer.toUnsignedLong(limit.getRequestsPerUnit()) + " per unit " + limit.getUnitValue() + " "
                                + limit.getName()
                        : "no limit",
                status.hasDurationUntilReset());
    }

    /** The Go service merges into its own rules, so that what stands below "n" there depends on earlier requests. */
    private static JsonNode withoutMerged(JsonNode metadata) {
        JsonNode attached = metadata.at("/metadata/n");
        if (attached instanceof ObjectNode merged) {
            merged.remove(List.of("a", "b", "c"));
        }
        return metadata;
    }
}
