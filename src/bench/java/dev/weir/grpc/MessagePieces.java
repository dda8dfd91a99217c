package dev.weir.grpc;

import dev.weir.decide.Bounds;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Request;
import dev.weir.request.Status;
import dev.weir.request.Verdict;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A request from its bytes, and a verdict to its bytes: one descriptor of two entries. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MessagePieces {
    private static final Bounds BOUNDS = new Bounds(64, 32, 1_000_000_000);

    private final byte[] message = RateLimitRequest.newBuilder()
            .setDomain("bench")
            .addDescriptors(RateLimitDescriptor.newBuilder()
                    .addEntries(RateLimitDescriptor.Entry.newBuilder()
                            .setKey("path")
                            .setValue("/api"))
                    .addEntries(RateLimitDescriptor.Entry.newBuilder()
                            .setKey("user")
                            .setValue("u12345")))
            .build()
            .toByteArray();
    private final Verdict verdict = new Verdict(
            false,
            List.of(new Status(false, Quota.per(Unit.MINUTE, 100), "users", 42, 17_000_000)),
            0,
            List.of(),
            Map.of());

    /** Reads a request. */
    @Benchmark
    public Request readRequest() {
        return RequestReader.read(message, BOUNDS);
    }

    /** Writes a verdict. */
    @Benchmark
    public byte[] writeVerdict() {
        return VerdictWriter.write(verdict);
    }
}
