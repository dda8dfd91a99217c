package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import dev.weir.testing.Caller;
import dev.weir.testing.Counts;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** More requests than can be answered, because Redis does not: some are turned away, and none of those is counted. */
final class OverloadIT {
    /** Half of what a connection may have open; two connections are too many for a thread, and one of them gets two. */
    private static final int CALLS = 2_000;

    private static final int CALLERS = Runtime.getRuntime().availableProcessors() + 1;
    /** A Redis that is silent for a second is given up, and calls are lost; callers need some rounds to be fast enough. */
    private static final String PAUSE_MILLIS = "700";

    private static final int MOST_ROUNDS = 50;
    private static final String SHED = "weir.requests{outcome=shed}";
    private static final String ALLOWED = "weir.descriptors.without.store{policy=allow}";
    private static final String RULES = """
            domain: edge
            descriptors:
              - { key: user, rate_limit: { unit: year, requests_per_unit: 1000000000 } }
            """;

    private final RedisServer redis = RedisServer.start();
    private final List<Caller> callers = new ArrayList<>();

    private WeirProcess start(String onStoreFailure) {
        var environment = new HashMap<>(WeirProcess.on(redis));
        environment.put("STORE_TIMEOUT", "1m"); // nobody is late here
        environment.put("ON_STORE_FAILURE", onStoreFailure);
        var weir = WeirProcess.start(Map.of("edge.yaml", RULES), environment);
        for (int i = 0; i < CALLERS; i++) {
            callers.add(Caller.of(weir));
        }
        return weir;
    }

    @AfterEach
    void end() {
        callers.forEach(Caller::close);
        redis.close();
    }

    @Test
    void who_is_turned_away_is_not_counted_and_everybody_else_is() throws InterruptedException {
        try (var weir = start("error")) {
            var answers = floodUntilSomeAre(weir, SHED);
            long verdicts = 0;
            long refusals = 0;
            for (var answer : answers) {
                if (isVerdict(answer)) {
                    verdicts++;
                } else {
                    refusals++;
                }
            }
            assertThat(verdicts + refusals).isEqualTo(answers.size());
            assertThat(refusals).isEqualTo(Counts.statistic(weir, SHED));
            assertThat(Counts.counted(redis, "ann")).isEqualTo(verdicts).isPositive();
            assertThat(weir.output().lines().count())
                    .as("no line for a request")
                    .isLessThan(30);
            assertThat(callers.getFirst().hit("edge", "user", "bob").getLimitRemaining())
                    .as("the next one is answered")
                    .isEqualTo(999_999_999);
        }
    }

    @Test
    void where_the_settings_allow_it_who_is_turned_away_passes_and_is_not_counted_either() throws Exception {
        try (var weir = start("allow")) {
            var answers = floodUntilSomeAre(weir, ALLOWED);
            long counted = 0;
            for (var answer : answers) {
                assertThat(answer.get().getOverallCode()).isEqualTo(RateLimitResponse.Code.OK);
                counted += answer.get().getStatuses(0).hasCurrentLimit() ? 1 : 0;
            }
            assertThat(Counts.statistic(weir, ALLOWED)).isEqualTo(answers.size() - counted);
            assertThat(Counts.statistic(weir, SHED)).isZero();
            assertThat(Counts.counted(redis, "ann")).isEqualTo(counted).isPositive();
        }
    }

    private List<ListenableFuture<RateLimitResponse>> floodUntilSomeAre(WeirProcess weir, String statistic)
            throws InterruptedException {
        var answers = new ArrayList<ListenableFuture<RateLimitResponse>>();
        for (int round = 0; Counts.statistic(weir, statistic) == 0; round++) {
            assertThat(round).as("rounds in which nobody was turned away").isLessThan(MOST_ROUNDS);
            assertThat(redis.command("CLIENT", "PAUSE", PAUSE_MILLIS, "WRITE")).isEqualTo("OK");
            var asked = flood();
            await(asked);
            answers.addAll(asked);
        }
        return answers;
    }

    private List<ListenableFuture<RateLimitResponse>> flood() {
        var request = Caller.request("edge", Caller.descriptor("user", "ann"));
        var answers = new ArrayList<ListenableFuture<RateLimitResponse>>();
        for (Caller caller : callers) {
            var stub = RateLimitServiceGrpc.newFutureStub(caller.channel())
                    .withDeadlineAfter(Caller.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            for (int i = 0; i < CALLS; i++) {
                answers.add(stub.shouldRateLimit(request));
            }
        }
        return answers;
    }

    private static void await(List<ListenableFuture<RateLimitResponse>> answers) throws InterruptedException {
        for (var answer : answers) {
            var _ = isVerdict(answer);
        }
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
