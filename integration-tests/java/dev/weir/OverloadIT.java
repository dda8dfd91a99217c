package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import dev.weir.testing.Caller;
import dev.weir.testing.Counts;
import dev.weir.testing.Eventually;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** More requests than can be answered, because Redis does not: some are turned away, and none of those is counted. */
final class OverloadIT {
    /** As many as a connection may have open; twice as many connections as Weir has threads are enough for every gate. */
    private static final int CALLS = 2_000;

    private static final int CALLERS = 2 * Runtime.getRuntime().availableProcessors() + 2;
    private static final String SHED = "weir.requests{outcome=shed}";
    private static final String RULES = """
            domain: edge
            descriptors:
              - { key: user, rate_limit: { unit: year, requests_per_unit: 1000000000 } }
            """;

    private static final List<Caller> callers = new ArrayList<>();
    private static RedisServer redis;
    private static WeirProcess weir;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        var environment = new HashMap<>(WeirProcess.on(redis));
        environment.put("STORE_TIMEOUT", "1m"); // nobody is late here
        weir = WeirProcess.start(Map.of("edge.yaml", RULES), environment);
        for (int i = 0; i < CALLERS; i++) {
            callers.add(Caller.of(weir));
        }
    }

    @AfterAll
    static void end() {
        callers.forEach(Caller::close);
        weir.close();
        redis.close();
    }

    @Test
    void who_is_turned_away_is_not_counted_and_everybody_else_is() throws InterruptedException {
        // Reads are answered, so that nobody takes the connections for dead however long this lasts.
        assertThat(redis.command("CLIENT", "PAUSE", "60000", "WRITE")).isEqualTo("OK");
        var answers = new ArrayList<ListenableFuture<RateLimitResponse>>();
        for (Caller caller : callers) {
            var stub = RateLimitServiceGrpc.newFutureStub(caller.channel())
                    .withDeadlineAfter(Caller.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            var request = Caller.request("edge", Caller.descriptor("user", "ann"));
            for (int i = 0; i < CALLS; i++) {
                answers.add(stub.shouldRateLimit(request));
            }
        }
        Eventually.await("some are turned away while the others wait", () -> Counts.statistic(weir, SHED) > 0);
        assertThat(redis.command("CLIENT", "UNPAUSE")).isEqualTo("OK");
        long verdicts = 0;
        long refusals = 0;
        for (var answer : answers) {
            if (isVerdict(answer)) {
                verdicts++;
            } else {
                refusals++;
            }
        }
        assertThat(verdicts + refusals).isEqualTo((long) CALLERS * CALLS);
        assertThat(refusals).isEqualTo(Counts.statistic(weir, SHED));
        assertThat(Counts.counted(redis, "ann")).isEqualTo(verdicts).isPositive();
        assertThat(weir.output().lines().count()).as("no line for a request").isLessThan(30);
        assertThat(callers.getFirst().hit("edge", "user", "bob").getLimitRemaining())
                .as("the next one is answered")
                .isEqualTo(999_999_999);
    }

    private static boolean isVerdict(ListenableFuture<RateLimitResponse> answer) throws InterruptedException {
        try {
            return answer.get().getStatusesCount() == 1;
        } catch (ExecutionException e) {
            assertThat(Status.fromThrowable(e).getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            return false;
        }
    }
}
