package dev.weir;

import static dev.weir.testing.Caller.descriptor;
import static dev.weir.testing.Caller.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.Eventually;
import dev.weir.testing.Http;
import dev.weir.testing.RedisServer;
import dev.weir.testing.TcpProxy;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What callers see of trouble between Weir and Redis. One Weir is impatient with its store and one patient, so that it is
 * clear whose time has run out. Every user has ten hits a year.
 */
final class StoreTroubleIT {
    private static final Map<String, String> RULES = Map.of("edge.yaml", """
        domain: edge
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 10 } }
        """);

    /** Far above any of the waits below, and far below {@link Caller#PATIENCE}. */
    private static final Duration SOON = Duration.ofSeconds(15);

    private static final Duration IMPATIENCE = Duration.ofSeconds(1);

    /** A ping that was not answered in this time ends its connection, and every call that was to go over it. */
    private static final String[] SILENCE = {"did not answer within 1000 ms", "the connection was closed"};

    private static RedisServer redis;
    private static TcpProxy proxy;
    private static WeirProcess impatient;
    private static WeirProcess patient;
    private static Caller hurried;
    private static Caller calm;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        proxy = TcpProxy.to(redis.port());
        impatient = WeirProcess.start(RULES, onProxy(IMPATIENCE.toMillis() + "ms"));
        patient = WeirProcess.start(RULES, onProxy("5s"));
        hurried = Caller.of(impatient);
        calm = Caller.of(patient);
        awaitAnswers();
    }

    @AfterAll
    static void end() {
        hurried.close();
        calm.close();
        impatient.close();
        patient.close();
        proxy.close();
        redis.close();
    }

    @Test
    void a_store_that_is_silent_is_not_waited_for_longer_than_the_store_timeout() {
        proxy.holdReplies();
        try {
            long asked = System.nanoTime();
            var failure = hurried.failureOf(asking("silent"));
            assertThat(failure.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(failure.getDescription()).containsAnyOf(SILENCE);
            assertThat(elapsedSince(asked)).isBetween(IMPATIENCE.minusMillis(50), SOON);

            asked = System.nanoTime();
            var page = Http.post(impatient.http("/json"), """
                {"domain": "edge", "descriptors": [{"entries": [{"key": "user", "value": "silent"}]}]}
                """);
            assertThat(page.statusCode()).isEqualTo(503);
            assertThat(page.body()).containsAnyOf(SILENCE);
            assertThat(elapsedSince(asked)).isLessThan(SOON);
        } finally {
            proxy.resume();
        }
        awaitAnswers();
    }

    @Test
    void a_store_that_stays_silent_is_not_waited_for_at_all_but_now_and_then() {
        var both = request("edge", descriptor("user", "one"), descriptor("user", "other"));
        proxy.holdReplies();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ConcurrentLinkedQueue<String>();
            Eventually.await("some are refused at once", () -> {
                var _ = callers.submit(
                        () -> answers.add(String.valueOf(hurried.failureOf(both).getDescription())));
                return answers.stream().anyMatch(why -> why.contains("is only asked now and then"));
            });
        } finally {
            proxy.resume();
        }
        Eventually.await("who asks for two counters is tried, too", () -> hurried.isAnswered(both));
        awaitAnswers();
    }

    @Test
    void a_caller_in_more_of_a_hurry_than_the_store_timeout_is_answered_in_its_own_time() {
        proxy.holdReplies();
        try {
            long asked = System.nanoTime();
            var failure = calm.failureOf(asking("hurried"), Duration.ofMillis(300));
            assertThat(failure.getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
            assertThat(elapsedSince(asked)).isLessThan(SOON);
        } finally {
            proxy.resume();
        }
        awaitAnswers();
    }

    @Test
    void a_lost_reply_costs_one_error_and_one_hit() {
        var sent = proxy.watch("unlucky");
        proxy.swallowReplyTo("unlucky");
        try {
            assertThat(hurried.failureOf(asking("unlucky")).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(sent.count())
                    .as("in its SET and its INCRBY, which go together")
                    .isEqualTo(2);
        } finally {
            proxy.resume();
        }
        awaitAnswers();
        assertThat(calm.left("edge", "user", "unlucky"))
                .as("a call that was sent again would have left 8")
                .isEqualTo(9);
    }

    @Test
    void a_redis_that_comes_back_is_used_again_without_anybodys_help() {
        redis.stop();
        try {
            var failure = hurried.failureOf(asking("returning"));
            assertThat(failure.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(failure.getDescription()).isNotBlank().doesNotContain("channel", "EVALSHA", "returning");
        } finally {
            redis.restart();
        }
        awaitAnswers();
        assertThat(calm.hit("edge", "user", "returning").getLimitRemaining()).isEqualTo(9);
        assertThat(impatient.isAlive()).isTrue();
        assertThat(impatient.output()).doesNotContain("\tat ");
        assertThat(patient.output()).doesNotContain("\tat ");
    }

    @Test
    void a_counter_that_became_something_else_fails_its_own_requests_and_no_others() throws Exception {
        calm.hit("edge", "user", "poisoned");
        if (!(redis.command("KEYS", "*poisoned*") instanceof List<?> keys)) {
            throw new AssertionError("Redis lists no keys");
        }
        assertThat(keys).hasSize(1);
        String key = String.valueOf(keys.getFirst());
        redis.command("DEL", key);
        redis.command("RPUSH", key, "a list");
        var failures = new ArrayList<Future<Status>>();
        var lefts = new ArrayList<Future<Integer>>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                String sound = "sound" + i % 10;
                Callable<Status> failing = () -> calm.failureOf(asking("poisoned"));
                Callable<Integer> counting =
                        () -> calm.hit("edge", "user", sound).getLimitRemaining();
                failures.add(callers.submit(failing));
                lefts.add(callers.submit(counting));
            }
        }
        for (var failure : failures) {
            assertThat(failure.get().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(failure.get().getDescription()).contains("WRONGTYPE").doesNotContain("poisoned");
        }
        for (int left = 9; left >= 5; left--) {
            int wanted = left;
            assertThat(lefts).filteredOn(seen -> seen.resultNow() == wanted).hasSize(10);
        }
        for (int i = 0; i < 10; i++) {
            assertThat(calm.failureOf(poisonedAnd("spent")).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        }
        assertThat(calm.ask(poisonedAnd("spent")).getOverallCode())
                .as("beside one that can be asked and refuses")
                .isEqualTo(RateLimitResponse.Code.OVER_LIMIT);
    }

    private static RateLimitRequest poisonedAnd(String user) {
        return request("edge", descriptor("user", "poisoned"), descriptor("user", user));
    }

    private static RateLimitRequest asking(String user) {
        return request("edge", descriptor("user", user));
    }

    /** Waits until both have got over what happened before. */
    private static void awaitAnswers() {
        var look = request("edge", Caller.withHits(descriptor("user", "nobody"), 0));
        Eventually.await("the impatient one answers", () -> hurried.isAnswered(look));
        Eventually.await("the patient one answers", () -> calm.isAnswered(look));
    }

    private static Duration elapsedSince(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private static Map<String, String> onProxy(String storeTimeout) {
        var environment = new HashMap<>(WeirProcess.on(proxy));
        environment.put("STORE_TIMEOUT", storeTimeout);
        return environment;
    }
}
