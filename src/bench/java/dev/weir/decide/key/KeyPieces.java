package dev.weir.decide.key;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.store.CounterKey;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The key of a counter: a descriptor of two entries. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeyPieces {
    private final Descriptor descriptor = Descriptor.of(new Entry("path", "/api"), new Entry("user", "u12345"));
    private final Limit limit = Limit.fixedWindow(Quota.per(Unit.HOUR, 4_000_000_000L));

    /** Writes the key. */
    @Benchmark
    public CounterKey writeKey() {
        return KeyWriter.write("bench", descriptor, null, limit, false);
    }
}
