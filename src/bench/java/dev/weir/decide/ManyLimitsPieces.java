package dev.weir.decide;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.limit.Charge;
import dev.weir.metrics.Statistics;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import dev.weir.rules.yaml.YamlRules;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import dev.weir.store.memory.MemoryStore;
import dev.weir.store.memory.Ticker;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What lies between a request and its end, on one thread, where it has two descriptors of eight limits each, and is counted in the
 * metrics: decided, or given up, as thousands a second are when more come than the store can take.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ManyLimitsPieces {
    private static final String DOMAIN = "bench";
    private static final int REQUESTS = 1 << 12;

    private final Request[] requests = new Request[REQUESTS];
    private RuleSet inForce = RuleSet.of(List.of());
    private Decider decider = decider(new MemoryStore(Ticker.system(), 1_000_000, Long.MAX_VALUE));
    private Decider ofNoAnswer = decider;
    private CompletableFuture<List<Reading>> asked = new CompletableFuture<>();
    private int next;

    /** Creates the benchmark. */
    public ManyLimitsPieces() {}

    /** Reads the rules and makes the requests. */
    @Setup
    public void prepare() throws RulesException {
        String limits = Stream.of("second", "minute", "hour", "day", "week", "month", "year")
                .map("{unit: %s, requests_per_unit: 4000000000}, "::formatted)
                .collect(Collectors.joining("", "[", "{unit: hour, requests_per_unit: 1000000, algorithm: gcra}]"));
        String text = """
                domain: %s
                descriptors:
                  - key: user
                    rate_limits: %s
                    descriptors: [{key: path, rate_limits: %s}]
                """.formatted(DOMAIN, limits, limits);
        inForce = YamlRules.read(
                List.of(SourceFile.of("bench.yaml", text.getBytes(UTF_8))),
                new YamlRules.Options(false, Charge.ALWAYS));
        for (int i = 0; i < REQUESTS; i++) {
            var user = new Entry("user", "u" + i);
            requests[i] = new Request(
                    DOMAIN, List.of(Descriptor.of(user), Descriptor.of(user, new Entry("path", "/api"))), 0);
        }
        ofNoAnswer = decider(new OneAnswerStore(() -> asked));
    }

    private Decider decider(Store store) {
        var statistics = new Statistics(new Statistics.Options(0.8f, 100, false));
        return new Decider(
                () -> inForce,
                store,
                null,
                new Bounds(100, 100, 1_000),
                Answering.PLAIN,
                new DeafListener(statistics.hits()));
    }

    private Request next() {
        next = (next + 1) % REQUESTS;
        return requests[next];
    }

    /** Finds the limits of a request, and what is to be asked of the store. */
    @Benchmark
    public @Nullable Plan planOfSixteen() {
        return Matched.in(inForce, next(), Answering.PLAIN).plan();
    }

    /** Decides a request on counters in memory. */
    @Benchmark
    public Verdict decideSixteenInMemory() {
        return decider.decide(next()).verdict().toCompletableFuture().join();
    }

    /** Gives a request up whose answer did not come in time. */
    @Benchmark
    public @Nullable Throwable giveUpSixteen() {
        asked = new CompletableFuture<>();
        var failed = ofNoAnswer
                .decide(next())
                .verdict()
                .handle((_, failure) -> failure)
                .toCompletableFuture();
        asked.completeExceptionally(new StoreException("the store did not answer in time"));
        return failed.join();
    }
}
