package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Header;
import dev.weir.request.Status;
import dev.weir.request.Verdict;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Verdicts are the bytes that the generated classes would make of them. */
final class VerdictWriterTest {
    private static final long[] NUMBERS = {0, 1, 5, 127, 128, 1L << 31, Quota.MAX_HITS};
    private static final String[] TEXTS = {"", "name", "ünï", "x".repeat(300)};

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void any_verdict_is_written_as_by_the_generated_classes(long seed) {
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 5_000; i++) {
            Verdict verdict = verdict(random);
            assertThat(VerdictWriter.write(verdict))
                    .as("seed %d, verdict %d: %s", seed, i, verdict)
                    .isEqualTo(generated(verdict).toByteArray());
        }
    }

    private static Verdict verdict(SplittableRandom random) {
        List<Status> statuses = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            statuses.add(status(random));
        }
        List<Header> headers = random.nextBoolean()
                ? List.of()
                : List.of(new Header(text(random), text(random)), new Header("RateLimit-Reset", "17"));
        return new Verdict(random.nextBoolean(), statuses, 0, headers, metadata(random));
    }

    private static Status status(SplittableRandom random) {
        return switch (random.nextInt(5)) {
            case 0 -> Status.NO_RULE;
            case 1 -> Status.UNLIMITED;
            default -> new Status(random.nextBoolean(), quota(random), text(random), number(random), micros(random));
        };
    }

    /** Of a limit, up to a day. */
    private static long micros(SplittableRandom random) {
        return 1 + random.nextLong(86_400_000_000L);
    }

    private static Quota quota(SplittableRandom random) {
        Unit unit = Objects.requireNonNull(Unit.ofNumber(1 + random.nextInt(7)));
        return random.nextInt(3) > 0 ? Quota.per(unit, number(random)) : new Quota(number(random), 7);
    }

    /** One field at most: protobuf writes maps in no certain order. */
    private static Map<String, Object> metadata(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> Map.of("rule", Map.of("names", List.of("a", 1.5, true)));
            case 1 -> Map.of("nothing", Arrays.asList(null, "x"));
            default -> Map.of();
        };
    }

    private static RateLimitResponse generated(Verdict verdict) {
        var response = RateLimitResponse.newBuilder().setOverallCode(code(verdict.isOver()));
        for (Status status : verdict.statuses()) {
            var message = DescriptorStatus.newBuilder()
                    .setCode(code(status.isOver()))
                    .setLimitRemaining((int) status.remaining());
            Quota quota = status.quota();
            if (quota != null) {
                Unit unit = quota.unit();
                message.setCurrentLimit(RateLimit.newBuilder()
                        .setName(status.name())
                        .setRequestsPerUnit((int) quota.hits())
                        .setUnitValue(unit == null ? Unit.UNKNOWN_NUMBER : unit.number()));
                message.setDurationUntilReset(Duration.newBuilder().setSeconds(status.resetSeconds()));
            }
            response.addStatuses(message);
        }
        for (Header header : verdict.headers()) {
            response.addResponseHeadersToAdd(
                    HeaderValue.newBuilder().setKey(header.name()).setValue(header.value()));
        }
        if (!verdict.metadata().isEmpty()) {
            response.setDynamicMetadata(MetadataMessage.of(verdict.metadata()));
        }
        return response.build();
    }

    private static Code code(boolean isOver) {
        return isOver ? Code.OVER_LIMIT : Code.OK;
    }

    private static String text(SplittableRandom random) {
        return TEXTS[random.nextInt(TEXTS.length)];
    }

    private static long number(SplittableRandom random) {
        return NUMBERS[random.nextInt(NUMBERS.length)];
    }
}
