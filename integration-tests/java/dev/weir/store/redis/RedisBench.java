package dev.weir.store.redis;

import dev.weir.loop.EventLoops;
import dev.weir.store.redis.plain.ServerClock;
import dev.weir.testing.Eventually;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

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

    private static final long LONG_LIFE_MILLIS = 3_600_000;

    /** Long, and for a millisecond or so Redis does nothing else than to begin that counter. */
    private static final String SLOW_LIFE = """
            local function lifetime()
              local sum = 0
              for i = 1, 200000 do
                sum = sum + i
              end
              return string.format('%.0f', 3600000 + sum % 2)
            end
            """;

    /** The production clock's way with lifetimes. */
    private static final String OWN_LIFE =
            Script.part("clock.lua").substring(Script.part("clock.lua").indexOf("local function lifetime"));

    /** The same for a cluster, where a script reads keys of its own slot only: the clock stands in every hash tag. */
    private static final String TEST_CLOCK_IN_A_TAG = """
            local function clock()
              return tonumber(redis.call('GET', string.match(KEYS[1], '^{%w+}') .. 'test-clock'))
            end
            """;

    static final int TAGS = 16;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    final List<String> heard = new CopyOnWriteArrayList<>();
    final AtomicInteger batches = new AtomicInteger();
    final AtomicInteger merged = new AtomicInteger();
    final AtomicInteger answered = new AtomicInteger();
    final AtomicInteger unanswered = new AtomicInteger();
    final AtomicInteger overruns = new AtomicInteger();
    final AtomicInteger chargesKept = new AtomicInteger();
    final EventLoops loops = new EventLoops();
    final RedisStore store;
    private int awaited; // lines of what was heard, up to the last that was waited for

    private RedisBench(RedisOptions options, Script script) {
        store = RedisStore.start(options, loops, new Listener(), script);
    }

    /** A store by Redis's own clock, two batches under way at most. */
    static RedisBench on(int port) {
        return on(port, PATIENCE);
    }

    static RedisBench on(int port, Duration timeout) {
        return new RedisBench(options(single(port), 2, timeout), Script.production());
    }

    /** A store on a cluster by Redis's own clock, two batches under way at most to each hash tag. */
    static RedisBench on(RedisCluster cluster, Duration timeout) {
        return new RedisBench(options(topology(cluster), 2, timeout), Script.production());
    }

    /** A store on something that is said to be a node of a cluster. */
    static RedisBench onClusterAt(int port) {
        var topology = new RedisOptions.Topology.Cluster(List.of("redis://127.0.0.1:" + port));
        return new RedisBench(options(topology, 2, PATIENCE), Script.production());
    }

    static RedisBench on(RedisCluster cluster) {
        return on(cluster, PATIENCE);
    }

    /** A store by Redis's own clock, one batch under way at most: what is asked first is counted first. */
    static RedisBench inOrder(int port) {
        return new RedisBench(options(single(port), 1, PATIENCE), Script.production());
    }

    /** A store that counts with a script of the test. */
    static RedisBench withScript(int port, Script script) {
        return new RedisBench(options(single(port), 2, PATIENCE), script);
    }

    static RedisBench withScript(RedisCluster cluster, Script script) {
        return new RedisBench(options(topology(cluster), 2, PATIENCE), script);
    }

    /** A store by Redis's own clock for which each counter that the script begins is a lot of work. */
    static RedisBench slow(int port) {
        return withScript(port, slowScript());
    }

    static RedisBench slow(RedisCluster cluster) {
        return withScript(cluster, slowScript());
    }

    private static Script slowScript() {
        return Script.of(Script.part("clock.lua").replace(OWN_LIFE, SLOW_LIFE), ServerClock.production());
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
        setClock(redis, 0);
        return new RedisBench(
                options(single(redis.port()), 1, PATIENCE),
                Script.of(TEST_CLOCK + lifetime, serverClock(_ -> "test-clock", lifetime.equals(LONG_LIFE))));
    }

    /** A store on a cluster by the clock of the test, one batch under way at most to each hash tag. */
    static RedisBench withTestClock(RedisCluster cluster) {
        setClock(cluster, 0);
        return new RedisBench(
                options(topology(cluster), 1, PATIENCE),
                Script.of(TEST_CLOCK_IN_A_TAG + LONG_LIFE, serverClock(tag -> tag + "test-clock", true)));
    }

    private static ServerClock serverClock(UnaryOperator<String> key, boolean isLongLived) {
        return new ServerClock(
                slotKey -> {
                    String name = key.apply(slotKey);
                    return "*2\r\n$3\r\nGET\r\n$%d\r\n%s\r\n"
                            .formatted(name.length(), name)
                            .getBytes(StandardCharsets.US_ASCII);
                },
                isLongLived ? _ -> LONG_LIFE_MILLIS : ServerClock.production().lifetime());
    }

    static void setClock(RedisServer redis, long micros) {
        redis.command("SET", "test-clock", Long.toString(micros));
    }

    static void setClock(RedisCluster cluster, long micros) {
        var tags = new HashTags("", TAGS);
        for (int i = 0; i < TAGS; i++) {
            String key = tags.tag(i) + "test-clock";
            cluster.commandTo(key, "SET", key, Long.toString(micros));
        }
    }

    /** A store on Redis however it is laid out. */
    static RedisBench on(RedisOptions.Topology topology, RedisOptions.@Nullable Tls tls) {
        return new RedisBench(options(topology, tls, 2, PATIENCE), Script.production());
    }

    static RedisBench on(RedisOptions.Topology topology, Duration timeout) {
        return on(topology, null, timeout);
    }

    static RedisBench on(RedisOptions.Topology topology, @Nullable String password, Duration timeout) {
        var options = new RedisOptions(
                topology, new RedisOptions.Login(null, password), null, 0, null, PATIENCE, timeout, "", TAGS, 2);
        return new RedisBench(options, Script.production());
    }

    /** Of a single Redis, two batches under way at most. */
    static RedisOptions options(int port) {
        return options(single(port), 2, PATIENCE);
    }

    static RedisOptions options(RedisOptions.Topology topology, int inFlight, Duration timeout) {
        return options(topology, null, inFlight, timeout);
    }

    private static RedisOptions options(
            RedisOptions.Topology topology, RedisOptions.@Nullable Tls tls, int inFlight, Duration timeout) {
        return new RedisOptions(topology, RedisOptions.Login.NONE, null, 0, tls, PATIENCE, timeout, "", TAGS, inFlight);
    }

    static RedisOptions.Topology topology(RedisCluster cluster) {
        return new RedisOptions.Topology.Cluster(
                cluster.addresses().map(address -> "redis://" + address).toList());
    }

    private static RedisOptions.Topology single(int port) {
        return new RedisOptions.Topology.Single("redis://127.0.0.1:" + port);
    }

    /** Waits until Redis is reached. Before that a single call that had no answer is told as a loss, which is then behind us. */
    RedisBench awaitReached() {
        var _ = awaitHeard("reached");
        return this;
    }

    /** Waits until it is told, behind what was waited for before, and returns the whole line. */
    String awaitHeard(String beginning) {
        return awaitHeard(beginning, Eventually.DEADLINE);
    }

    String awaitHeard(String beginning, Duration within) {
        Eventually.await("it is told: " + beginning, within, () -> hasNews(beginning));
        var news = news();
        String line = news.stream()
                .filter(told -> told.startsWith(beginning))
                .findFirst()
                .orElseThrow();
        awaited += news.indexOf(line) + 1;
        return line;
    }

    boolean hasNews(String beginning) {
        return news().stream().anyMatch(line -> line.startsWith(beginning));
    }

    /** Returns what was told behind what was waited for. */
    List<String> news() {
        return heard.stream().skip(awaited).toList();
    }

    @Override
    public void close() {
        store.close();
        loops.close();
    }

    private final class Listener implements RedisListener {
        @Override
        public void sent(int checks, int mergedChecks) {
            batches.incrementAndGet();
            merged.addAndGet(mergedChecks);
        }

        @Override
        public void answered(long nanos, long tripNanos) {
            answered.incrementAndGet();
        }

        @Override
        public void unanswered() {
            unanswered.incrementAndGet();
        }

        @Override
        public void overrun() {
            overruns.incrementAndGet();
        }

        @Override
        public void chargeKept() {
            chargesKept.incrementAndGet();
        }

        @Override
        public void reached(String redis) {
            heard.add("reached");
        }

        @Override
        public void lost(String reason) {
            heard.add("lost: " + reason);
        }

        @Override
        public void shortWayClosed(String reason) {
            heard.add("short way closed: " + reason);
        }

        @Override
        public void groupingByTag() {
            heard.add("grouping by tag");
        }
    }
}
