package dev.weir.bench;

import org.jspecify.annotations.Nullable;

/** What was counted in one round. Written by the thread of the event loop; read by others when the run is over. */
final class Tally {
    private final Histogram latencies = new Histogram();
    private final long deadlineNanos;
    private long refused;
    private long failed;
    private long late;
    private @Nullable String firstFailure;

    /**
     * Creates an empty tally.
     *
     * @param deadlineNanos after which an answer is late; 0 is never
     */
    Tally(long deadlineNanos) {
        this.deadlineNanos = deadlineNanos;
    }

    /** Counts a verdict and how long it took. */
    void answered(long nanos, boolean isRefused) {
        latencies.record(nanos);
        refused += isRefused ? 1 : 0;
        late += deadlineNanos > 0 && nanos > deadlineNanos ? 1 : 0;
    }

    /** Counts a request that got no verdict. */
    void failed(String reason) {
        failed++;
        if (firstFailure == null) {
            firstFailure = reason;
        }
    }

    /** Returns how long verdicts took. */
    Histogram latencies() {
        return latencies;
    }

    /** Returns how many verdicts there were. */
    long verdicts() {
        return latencies.count();
    }

    /** Returns how many of them refused. */
    long refused() {
        return refused;
    }

    /** Returns how many requests got no verdict, or got it too late to be of use. */
    long errors() {
        return failed + late;
    }

    /** Returns why the first request without a verdict had none, or null if all had one. */
    @Nullable
    String firstFailure() {
        return firstFailure;
    }
}
