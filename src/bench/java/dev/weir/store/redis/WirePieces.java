package dev.weir.store.redis;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Batch;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Merged;
import dev.weir.store.Reading;
import dev.weir.store.StoreException;
import dev.weir.store.redis.plain.ShortWay;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A batch to the bytes that go to the script, and its reply from the bytes that come back; for each check of 64. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(WirePieces.CHECKS)
public class WirePieces {
    static final int CHECKS = 64;

    /** Microseconds since the Unix epoch. */
    private static final long NOW = 1_800_000_000_000_000L;

    private static final Limit LIMIT = Limit.fixedWindow(Quota.per(Unit.HOUR, 4_000_000_000L));

    private final Batch batch = batch();
    private final List<Merged> checks = batch.checks();
    private final byte[] reply = reply();
    private final ShortWay shortWay = new ShortWay();

    private static Batch batch() {
        var batch = new Batch();
        IntStream.range(0, CHECKS).forEach(i -> batch.add(Check.of(key(i), LIMIT, 1), new Nobody(), 0));
        return batch;
    }

    private static CounterKey key(int number) {
        return new CounterKey(ByteBuffer.allocate(35).putInt(number).array(), 35);
    }

    /** An instant, and what each counter held: a thousand hits in the window of that instant. */
    private static byte[] reply() {
        var reply = ByteBuffer.allocate((1 + CHECKS) * Long.BYTES);
        reply.putLong(NOW);
        long window = 500_000 % 1_023 + 1;
        for (int i = 0; i < CHECKS; i++) {
            reply.putLong(window << 43 | 1_000);
        }
        return reply.array();
    }

    /** Packs what the script must know of each check. */
    @Benchmark
    public byte[] pack() {
        return Wire.pack(checks);
    }

    /** Hands each check its part of the reply. */
    @Benchmark
    public List<Merged> unpack() {
        Wire.unpack(reply, checks, shortWay, 0);
        return checks;
    }

    /** Lets Redis's clock and all checks be known, so that none of them needs the script. */
    @Setup
    public void begin() {
        shortWay.open(true, 0);
        shortWay.told(NOW, 0, 0);
        Wire.unpack(reply, checks, shortWay, 0);
        if (shortWay.take(batch, 0) != batch) {
            throw new IllegalStateException("some checks need the script");
        }
    }

    /** Asks whether the checks need the script. */
    @Benchmark
    public @Nullable Batch take() {
        return shortWay.take(batch, 0);
    }

    /** Waits for no answer. */
    private record Nobody() implements Batch.Receiver {
        @Override
        public boolean isOver() {
            return false;
        }

        @Override
        public void answered(int position, Reading reading, long at) {}

        @Override
        public void failed(int position, StoreException failure) {}

        @Override
        public void scattered() {}
    }
}
