package dev.weir.metrics;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a server of statsd or DogStatsD what has been counted since it was last told, under the names of the Go service.
 *
 * <p>Counts that could not be told are told the next time. Of response times at most {@link Samples#MOST} are told at a time,
 * with the share that they are, so that a busy service does not send a line for each request.
 */
public final class Statsd implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("weir");
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Options options;
    private final GoCounters counters;
    private final StatsdNames names;
    private final StatsdLine line;
    private final Map<Rpc, Samples> samples;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("weir-statsd").daemon().factory());

    // Of the one thread that tells.
    private final Map<String, Long> told = new HashMap<>();
    private boolean isLost;

    private Statsd(Options options, Statistics statistics, boolean hasLocalCache) {
        this.options = options;
        this.counters = new GoCounters(statistics, hasLocalCache);
        this.names = new StatsdNames(options.isDog(), options.tags(), options.mogrifiers());
        this.line = new StatsdLine(options.host(), options.port(), options.isUdp());
        this.samples = statistics.keepSamples();
    }

    /**
     * Whom to tell, and how.
     *
     * @param host of the server
     * @param port of the server
     * @param isUdp whether it is told by UDP, not by TCP
     * @param isDog whether it knows DogStatsD's tags
     * @param tags of every name
     * @param mogrifiers change names for DogStatsD; the first that fits is taken
     * @param flush how often it is told
     */
    public record Options(
            String host,
            int port,
            boolean isUdp,
            boolean isDog,
            Map<String, String> tags,
            List<Mogrifier> mogrifiers,
            Duration flush) {}

    /**
     * Changes names and adds tags; {@code $1} in them is what the first group found.
     *
     * @param pattern which names, by a part of them
     * @param name what they become
     * @param tags what is added
     */
    public record Mogrifier(Pattern pattern, String name, Map<String, String> tags) {}

    /**
     * Begins to tell, on a thread of its own.
     *
     * @param hasLocalCache whether hits that were refused from memory are told apart
     */
    public static Statsd start(Options options, Statistics statistics, boolean hasLocalCache) {
        var statsd = new Statsd(options, statistics, hasLocalCache);
        long nanos = options.flush().toNanos();
        var _ = statsd.clock.scheduleWithFixedDelay(statsd::flush, nanos, nanos, TimeUnit.NANOSECONDS);
        return statsd;
    }

    private void flush() {
        try {
            tell();
            isLost = false;
        } catch (IOException e) {
            if (!isLost) {
                LOG.warn(
                        "statsd on {}:{} cannot be told: {}; trying again every {} ms (USE_STATSD=false ends this)",
                        options.host(),
                        options.port(),
                        e.getMessage(),
                        options.flush().toMillis());
            }
            isLost = true;
        } catch (RuntimeException defect) { // thrown on, it would end all further telling without a word
            LOG.error("statsd could not be told", defect);
        }
    }

    private void tell() throws IOException {
        List<String> lines = new ArrayList<>();
        Map<String, Long> fresh = new HashMap<>();
        counters.forEach((name, count) -> {
            long before = told.getOrDefault(name, 0L);
            if (count > before) {
                lines.add(names.line(name, count - before + "|c"));
                fresh.put(name, count);
            }
        });
        samples.forEach((rpc, kept) -> addTimes(rpc, kept, fresh, lines));
        if (!lines.isEmpty()) {
            line.send(lines);
            told.putAll(fresh);
        }
    }

    private void addTimes(Rpc rpc, Samples kept, Map<String, Long> fresh, List<String> lines) {
        List<Long> times = new ArrayList<>();
        kept.drain(times::add);
        String calls = GoCounters.calls(rpc);
        long count = fresh.getOrDefault(calls, 0L) - told.getOrDefault(calls, 0L);
        String rate = count > times.size() ? "|@" + (float) times.size() / count : "";
        String name = "ratelimit_server." + rpc.word() + ".response_time";
        for (long nanos : times) {
            lines.add(names.line(name, nanos / NANOS_PER_MILLI + "|ms" + rate));
        }
    }

    /** Tells what has not been told yet, and ends. Blocks for a moment. */
    @Override
    public void close() {
        clock.execute(this::flush);
        clock.shutdown();
        try {
            if (!clock.awaitTermination(2, TimeUnit.SECONDS)) {
                clock.shutdownNow();
            }
        } catch (InterruptedException _) {
            clock.shutdownNow();
            Thread.currentThread().interrupt();
        }
        line.close();
    }
}
