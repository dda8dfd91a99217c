package dev.weir.metrics;

import dev.weir.metrics.statsd.StatsdLine;
import dev.weir.metrics.statsd.StatsdNames;
import dev.weir.metrics.statsd.StatsdOptions;
import dev.weir.upkeep.Upkeep;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a server of statsd or DogStatsD what has been counted since it was last told, under the names of the Go service.
 *
 * <p>Counts that could not be told are told the next time, and none is told twice. They are told in pieces, for callers may make tens of thousands. Of
 * response times at most {@link Samples#MOST} are told at a time, with the share that they are, so that a busy service does not
 * send a line for each request.
 */
public final class Statsd implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("weir");
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int LINES_OF_A_PIECE = 500;

    private final StatsdOptions options;
    private final Statistics statistics;
    private final GoCounters counters;
    private final StatsdNames names;
    private final StatsdLine line;
    private final Map<Rpc, Samples> samples;
    private final Upkeep upkeep = new Upkeep(this::flush, defect -> LOG.error("statsd could not be told", defect));
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("weir-statsd").daemon().factory());

    // Of the one thread that tells.
    private final Map<Object, Told> told = new HashMap<>();
    private final List<String> lines = new ArrayList<>();
    private final List<Mark> marks = new ArrayList<>();
    private boolean isLost;

    private Statsd(StatsdOptions options, Statistics statistics, boolean hasLocalCache) {
        this.options = options;
        this.statistics = statistics;
        this.counters = new GoCounters(statistics, hasLocalCache);
        this.names = new StatsdNames(options.isDog(), options.datadogTags(), options.tags(), options.mogrifiers());
        this.line = new StatsdLine(options.host(), options.port(), options.isUdp());
        this.samples = statistics.keepSamples();
    }

    /**
     * Begins to tell, on a thread of its own.
     *
     * @param hasLocalCache whether hits that were refused from memory are told apart
     */
    public static Statsd start(StatsdOptions options, Statistics statistics, boolean hasLocalCache) {
        var statsd = new Statsd(options, statistics, hasLocalCache);
        long nanos = options.flush().toNanos();
        var _ = statsd.clock.scheduleWithFixedDelay(statsd.upkeep::step, nanos, nanos, TimeUnit.NANOSECONDS);
        return statsd;
    }

    /** What was told of the counts under one name. */
    private static final class Told {
        private final long[] counts;

        Told(int counts) {
            this.counts = new long[counts];
        }
    }

    /** What is told once the line of the same place has gone. */
    private record Mark(Told told, int place, long count) {}

    private void flush() {
        lines.clear(); // those that could not be sent: what they said is counted afresh
        marks.clear();
        try {
            tell();
            isLost = false;
        } catch (IOException e) {
            if (!isLost) {
                LOG.warn(
                        "statsd on {}:{} cannot be told: {}; trying again every {} ms ({}=false ends this)",
                        options.host(),
                        options.port(),
                        e.getMessage(),
                        options.flush().toMillis(),
                        options.isDog() ? "USE_DOG_STATSD" : "USE_STATSD");
            }
            isLost = true;
        }
    }

    private void tell() throws IOException {
        Map<Rpc, Long> calls = new EnumMap<>(Rpc.class);
        for (Rpc rpc : Rpc.values()) {
            calls.put(rpc, statistics.calls(rpc) - told(GoCounters.calls(rpc), 1).counts[0]);
        }
        counters.forService((name, count) -> {
            Told before = told(name, 1);
            if (count > before.counts[0]) {
                add(name, before, 0, count);
            }
        });
        for (Series series : counters.series()) {
            Told before = told(series, Stat.values().length);
            counters.forStats(series, (stat, count) -> {
                if (count > before.counts[stat.place()]) {
                    add(GoCounters.name(series, stat), before, stat.place(), count);
                }
            });
            if (lines.size() >= LINES_OF_A_PIECE) {
                sendPiece();
            }
        }
        sendPiece();
        samples.forEach((rpc, kept) -> addTimes(rpc, kept, calls.getOrDefault(rpc, 0L)));
        sendPiece();
    }

    private Told told(Object counter, int counts) {
        return told.computeIfAbsent(counter, _ -> new Told(counts));
    }

    private void add(String name, Told before, int place, long count) {
        lines.add(names.line(name, count - before.counts[place] + "|c"));
        marks.add(new Mark(before, place, count));
    }

    private void sendPiece() throws IOException {
        if (!lines.isEmpty()) {
            line.send(lines, this::mark);
            lines.clear();
            marks.clear();
        }
    }

    /** The first of the lines are not told again, whatever becomes of the others. Those of times have no marks. */
    private void mark(int gone) {
        for (int i = 0; i < Math.min(gone, marks.size()); i++) {
            Mark mark = marks.get(i);
            mark.told().counts[mark.place()] = mark.count();
        }
    }

    private void addTimes(Rpc rpc, Samples kept, long calls) {
        List<Long> times = new ArrayList<>();
        kept.drain(times::add);
        // In digits alone: not every server reads 5.0E-4.
        String share = calls > times.size() ? "|@" + plain((float) times.size() / calls) : "";
        String name = "ratelimit_server." + rpc.word() + ".response_time";
        for (long nanos : times) {
            lines.add(names.line(name, nanos / NANOS_PER_MILLI + "|ms" + share));
        }
    }

    private static String plain(float number) {
        return new BigDecimal(Float.toString(number)).toPlainString();
    }

    /** Tells what has not been told yet, and ends. Blocks for a moment. */
    @Override
    public void close() {
        clock.execute(upkeep::step);
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
