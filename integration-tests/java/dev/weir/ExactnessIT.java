package dev.weir;

import static dev.weir.testing.Caller.descriptor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Caller;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Not one hit too many and not one too few: 64 callers at once ask 200 users of ten hits a year each 30 times or more. Of
 * every user exactly ten are admitted, and each of them is told another number of hits left.
 */
final class ExactnessIT {
    private static final Map<String, String> RULES = Map.of("edge.yaml", """
        domain: edge
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 10 } }
        """);
    private static final int CALLERS = 64;
    private static final int USERS = 200;
    private static final int LIMIT = 10;
    private static final int TIMES = 32;
    private static final long SEED = 20_260_101;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    @AfterEach
    void end() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    @Test
    void two_replicas_on_one_redis_admit_together_what_the_limit_says() throws Exception {
        var redis = redis();
        assertExact(ask(1, callerOf(redis), callerOf(redis)));
    }

    @Test
    void one_replica_in_memory_admits_what_the_limit_says() throws Exception {
        assertExact(ask(1, callerOf(Map.of())));
    }

    @Test
    void requests_that_name_users_twice_are_counted_as_often_as_they_name_them() throws Exception {
        var redis = redis();
        assertExact(ask(4, callerOf(redis), callerOf(redis)));
    }

    private Map<String, String> redis() {
        var redis = RedisServer.start();
        opened.push(redis);
        var environment = new HashMap<>(WeirProcess.on(redis));
        environment.put("STORE_TIMEOUT", "30s"); // an error would spoil the sum, and speed is not asked here
        return environment;
    }

    private Caller callerOf(Map<String, String> environment) {
        var weir = WeirProcess.start(RULES, environment);
        opened.push(weir);
        var caller = Caller.of(weir);
        opened.push(caller);
        return caller;
    }

    /** Asks all, and returns for each user what was left after each admitted hit. */
    private static Map<String, List<Integer>> ask(int descriptorsOfARequest, Caller... replicas) throws Exception {
        var questions = questions(descriptorsOfARequest);
        var admitted = new HashMap<String, List<Integer>>();
        var answers = new ArrayList<Future<Map<String, List<Integer>>>>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CALLERS; i++) {
                var replica = replicas[i % replicas.length];
                answers.add(callers.submit(() -> askInTurn(replica, questions)));
            }
        }
        for (var answer : answers) {
            answer.get()
                    .forEach((user, left) -> admitted.computeIfAbsent(user, _ -> new ArrayList<>())
                            .addAll(left));
        }
        return admitted;
    }

    /** Shuffled, so that a user is asked by several callers at once; some requests name a user twice. */
    private static ConcurrentLinkedQueue<List<String>> questions(int descriptorsOfARequest) {
        var users = new ArrayList<String>();
        for (int i = 0; i < TIMES; i++) {
            IntStream.range(0, USERS).forEach(user -> users.add("user" + user));
        }
        Collections.shuffle(users, new Random(SEED));
        var questions = new ConcurrentLinkedQueue<List<String>>();
        for (int i = 0; i < users.size(); i += descriptorsOfARequest) {
            var names = new ArrayList<>(users.subList(i, i + descriptorsOfARequest));
            if (descriptorsOfARequest > 1) {
                names.add(names.getFirst());
            }
            questions.add(names);
        }
        return questions;
    }

    private static Map<String, List<Integer>> askInTurn(Caller replica, ConcurrentLinkedQueue<List<String>> questions) {
        var admitted = new HashMap<String, List<Integer>>();
        for (var users = questions.poll(); users != null; users = questions.poll()) {
            var descriptors =
                    users.stream().map(user -> descriptor("user", user)).toArray(RateLimitDescriptor[]::new);
            var response = replica.ask("edge", descriptors);
            boolean isOver = false;
            for (int i = 0; i < users.size(); i++) {
                var status = response.getStatuses(i);
                isOver |= status.getCode() == Code.OVER_LIMIT;
                if (status.getCode() == Code.OK) {
                    admitted.computeIfAbsent(users.get(i), _ -> new ArrayList<>())
                            .add(status.getLimitRemaining());
                }
            }
            assertThat(response.getOverallCode()).isEqualTo(isOver ? Code.OVER_LIMIT : Code.OK);
        }
        return admitted;
    }

    private static void assertExact(Map<String, List<Integer>> admitted) {
        assertThat(admitted.values().stream().mapToInt(List::size).sum()).isEqualTo(USERS * LIMIT);
        var each = IntStream.range(0, LIMIT).boxed().toList();
        assertThat(admitted)
                .hasSize(USERS)
                .allSatisfy((user, left) ->
                        assertThat(left).as("%s, seed %d", user, SEED).containsExactlyInAnyOrderElementsOf(each));
    }
}
