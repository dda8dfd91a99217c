package dev.weir.bench;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What was counted in one stretch of time. Written by one thread, and then handed on. */
public final class Totals {
    /** Whoever waited longer is counted as this. */
    private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);

    private static final int DIGITS = 3;

    private final Histogram latencies = new Histogram(LONGEST_NANOS, DIGITS);
    private final TreeMap<String, Long> errors = new TreeMap<>();
    private long within;
    private long over;
    private long connectionsLost;
    private long reconnectsFailed;
    private @Nullable String firstError;

    /** Creates an empty totals. */
    public Totals() {}

    /** Counts a verdict that came in time, and how long it took. */
    void answered(long nanos, boolean isOver) {
        waited(nanos);
        if (isOver) {
            over++;
        } else {
            within++;
        }
    }

    /** Counts an answer that was given up, or of no use any more, when it was so old. */
    void late(long nanos) {
        waited(nanos);
        failed(Failure.LATE);
    }

    /** Counts a request that got no verdict. It has no latency: a quick failure is no quick answer. */
    void failed(Failure failure) {
        errors.merge(failure.kind(), 1L, Long::sum);
        tell(failure);
    }

    private void tell(Failure failure) {
        if (firstError == null) {
            firstError = failure.sentence();
        }
    }

    /** Counts a connection that was lost; what was under way on it is counted besides. */
    void lostConnection() {
        connectionsLost++;
    }

    /** Counts a connection that the service has ended with an error, which may be all that it ever says. */
    void dismissed(Failure error) {
        lostConnection();
        tell(error);
    }

    /** Counts a connection that could not be made in the place of another. */
    void failedReconnect() {
        reconnectsFailed++;
    }

    private void waited(long nanos) {
        latencies.recordValue(Math.clamp(nanos, 0, LONGEST_NANOS));
    }

    /** Returns what both have counted; the first error is this one's, if it has one. */
    public Totals plus(Totals other) {
        var sum = new Totals();
        sum.add(this);
        sum.add(other);
        return sum;
    }

    private void add(Totals other) {
        latencies.add(other.latencies);
        other.errors.forEach((kind, count) -> errors.merge(kind, count, Long::sum));
        within += other.within;
        over += other.over;
        connectionsLost += other.connectionsLost;
        reconnectsFailed += other.reconnectsFailed;
        if (firstError == null) {
            firstError = other.firstError;
        }
    }

    /** Returns how many requests have ended, in whatever way. */
    public long requests() {
        return verdicts() + errorCount();
    }

    /** Returns how many verdicts came in time. */
    public long verdicts() {
        return within + over;
    }

    /** Returns how many of them let the request pass. */
    public long within() {
        return within;
    }

    /** Returns how many of them refused. */
    public long over() {
        return over;
    }

    /** Returns how many requests got no verdict, or got it too late to be of use. */
    public long errorCount() {
        return errors.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Returns these by kind: the name of a gRPC status that the service answered, or {@code late} (not answered within the
     * deadline), {@code reset} (the stream), {@code broken} (the connection, or an answer without sense), {@code unsent} (the
     * service took requests too slowly) or {@code unanswered} (until the end).
     */
    public SortedMap<String, Long> errors() {
        return Collections.unmodifiableSortedMap(errors);
    }

    /** Returns what happened to the first of them, or why the service ended a connection before; null if neither was. */
    public @Nullable String firstError() {
        return firstError;
    }

    /** Returns how many connections were lost, those left aside that the service asked us to leave for no error. */
    public long connectionsLost() {
        return connectionsLost;
    }

    /** Returns how often no connection could be made in the place of another. */
    public long reconnectsFailed() {
        return reconnectsFailed;
    }

    /**
     * Returns a time in nanoseconds within which so many percent of all verdicts came, to three digits. Late answers are
     * among them with the age at which they were given up; 0 if there are neither.
     *
     * @param percent above 0, up to 100
     */
    public long latencyNanos(double percent) {
        return latencies.getValueAtPercentile(percent);
    }

    /** Returns the mean time in nanoseconds; 0 if there are neither verdicts nor late answers. */
    public double meanNanos() {
        return latencies.getTotalCount() == 0 ? 0 : latencies.getMean();
    }
}
