package dev.weir.store.redis;

import dev.weir.testing.Eventually;
import dev.weir.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A store on a Redis of the tests, and what its listener heard. */
final class RedisBench implements AutoCloseable {
    /** A clock that a test sets: the number under a key of its own. */
    private static final String TEST_CLOCK = """
            local function clock()
              return tonumber(redis.call('GET', 'test-clock'))
            end
            """;

    /** What is written outlives the test: Redis expires by its own time, which is not the test's. */
    private static final String LONG_LIFE = """
            local function lifetime()
              return '3600000'
            end
            """;

    /** The production clock's way with lifetimes. */
    private static final String OWN_LIFE =
            Script.part("clock.lua").substring(Script.part("clock.lua").indexOf("local function lifetime"));

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    final List<String> heard = new CopyOnWriteArrayList<>();
    final AtomicInteger batches = new AtomicInteger();
    final AtomicInteger merged = new AtomicInteger();
    final AtomicInteger unanswered = new AtomicInteger();
    final AtomicInteger chargesKept = new AtomicInteger();
    final RedisStore store;

    private RedisBench(int port, Script script, int inFlight, Duration timeout) {
        store = RedisStore.start(options(port, inFlight, timeout), new Listener(), script);
    }

    /** A store by Redis's own clock, two batches under way at most. */
    static RedisBench on(int port) {
        return on(port, PATIENCE);
    }

    static RedisBench on(int port, Duration timeout) {
        return new RedisBench(port, Script.production(), 2, timeout);
    }

    /** A store by Redis's own clock, one batch under way at most: what is asked first is counted first. */
    static RedisBench inOrder(int port) {
        return new RedisBench(port, Script.production(), 1, PATIENCE);
    }

    /** A store by the clock of the test, one batch under way at most: what is asked first is counted first. */
    static RedisBench withTestClock(RedisServer redis) {
        return withTestClock(redis, LONG_LIFE);
    }

    /** The same, but Redis expires what is written as in production. */
    static RedisBench withTestClockAndExpiry(RedisServer redis) {
        return withTestClock(redis, OWN_LIFE);
    }

    private static RedisBench withTestClock(RedisServer redis, String lifetime) {
        redis.command("SET", "test-clock", "0");
        return new RedisBench(redis.port(), Script.of(TEST_CLOCK + lifetime), 1, PATIENCE);
    }

    static void setClock(RedisServer redis, long micros) {
        redis.command("SET", "test-clock", Long.toString(micros));
    }

    static RedisOptions options(int port, int inFlight, Duration timeout) {
        return new RedisOptions("redis://127.0.0.1:" + port, null, null, 0, PATIENCE, timeout, "", 16, inFlight);
    }

    RedisBench awaitReached() {
        Eventually.await("Redis is reached", () -> heard.contains("reached"));
        return this;
    }

    @Override
    public void close() {
        store.close();
    }

    private final class Listener implements RedisListener {
        @Override
        public void sent(int checks, int mergedChecks) {
            batches.incrementAndGet();
            merged.addAndGet(mergedChecks);
        }

        @Override
        public void unanswered() {
            unanswered.incrementAndGet();
        }

        @Override
        public void chargeKept() {
            chargesKept.incrementAndGet();
        }

        @Override
        public void reached() {
            heard.add("reached");
        }

        @Override
        public void lost(String reason) {
            heard.add("lost: " + reason);
        }

        @Override
        public void groupingByTag() {
            heard.add("grouping by tag");
        }
    }
}
