package dev.weir.decide;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.limit.Charge;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import dev.weir.rules.Rule;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import dev.weir.rules.yaml.YamlRules;
import dev.weir.store.memory.MemoryStore;
import dev.weir.store.memory.Ticker;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What lies between a request and its verdict, on one thread: one descriptor of two entries, each request another user. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DecisionPieces {
    private static final String DOMAIN = "bench";
    private static final int REQUESTS = 1 << 12;

    /** How many rules there are; the requests meet up to 4,096 of them. */
    @Param({"10", "10000"})
    public int rules;

    private final Descriptor[] descriptors = new Descriptor[REQUESTS];
    private final Request[] requests = new Request[REQUESTS];
    private final Request[] pairs = new Request[REQUESTS];
    private RuleSet inForce = RuleSet.of(List.of());
    private Decider decider = decider();
    private int next;

    /** Creates the benchmark; JMH sets the number of rules afterwards. */
    public DecisionPieces() {}

    /** Reads the rules and makes the requests. */
    @Setup
    public void prepare() throws RulesException {
        String text = IntStream.range(0, rules)
                .mapToObj(path -> """
                          - key: path
                            value: /p%d
                            descriptors: [{key: user, rate_limit: {unit: hour, requests_per_unit: 4000000000}}]
                        """.formatted(path))
                .collect(Collectors.joining("", "domain: " + DOMAIN + "\ndescriptors:\n", ""));
        inForce = YamlRules.read(
                List.of(SourceFile.of("bench.yaml", text.getBytes(UTF_8))),
                new YamlRules.Options(false, Charge.ALWAYS));
        for (int i = 0; i < REQUESTS; i++) {
            // Large steps, so that neighbours in time are none in memory.
            int number = (int) (i * 2_654_435_761L % rules);
            descriptors[i] = Descriptor.of(new Entry("path", "/p" + number), new Entry("user", "u" + i));
            requests[i] = new Request(DOMAIN, List.of(descriptors[i]), 0);
        }
        for (int i = 0; i < REQUESTS; i++) {
            pairs[i] = new Request(DOMAIN, List.of(descriptors[i], descriptors[(i + 1) % REQUESTS]), 0);
        }
        decider = decider();
    }

    private Decider decider() {
        return new Decider(
                () -> inForce,
                new MemoryStore(Ticker.system(), 1_000_000, Long.MAX_VALUE),
                null,
                new Bounds(100, 100, 1_000),
                Answering.PLAIN,
                new DeafListener());
    }

    private int next() {
        next = (next + 1) % REQUESTS;
        return next;
    }

    /** Finds the rule of a descriptor. */
    @Benchmark
    public @Nullable Rule match() {
        return Objects.requireNonNull(inForce.domain(DOMAIN)).match(descriptors[next()]);
    }

    /** Decides a request on counters in memory. */
    @Benchmark
    public Verdict decideInMemory() {
        return decider.decide(requests[next()]).verdict().toCompletableFuture().join();
    }

    /** Decides a request with two descriptors on counters in memory. */
    @Benchmark
    public Verdict decideTwoInMemory() {
        return decider.decide(pairs[next()]).verdict().toCompletableFuture().join();
    }
}
