package dev.weir.store.redis;

import dev.weir.store.CounterKey;
import dev.weir.store.Reading;
import dev.weir.store.StoreException;
import dev.weir.store.redis.failure.FailureWords;
import dev.weir.store.redis.plain.Probe;
import dev.weir.upkeep.Upkeep;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps in touch with Redis: connects, again and again until Redis is there, and from then on counts a hit of its own
 * once a second. That shows that Redis is there, lets us in and can be written to, both ways in which hits are, and keeps the
 * script loaded. Plans do not wait for it.
 *
 * <p>It asks over the line of every thread. In a cluster there is one such counter in each of up to {@value #MOST_COUNTERS}
 * hash tags, spread evenly over the slots, so that every node is asked, and the lines take turns. Redis counts as reachable
 * while one of them answers: a node that is lost is told, but the counters of the others are as good as before.
 */
final class Pulse implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Pulse.class);

    private static final Duration BEAT = Duration.ofSeconds(1);
    private static final int BEATS_PER_LOOK = 10;
    private static final int BEATS_UNTIL_ANEW = 5;
    private static final int BEATS_OF_SOME_LINES = 5;
    private static final String ALL_ANSWERS = "";
    private static final int WARM_UP_CALLS = 200;
    private static final int MOST_COUNTERS = 64;

    // No counter of a request begins like this: their first byte is the kind of a text, 0 to 2.
    private static final String KEY = "\u0003pulse";

    private final List<Line> lines;
    private final boolean isWhole;
    private final String name;
    private final RedisListener listener;
    private final List<Beat> beats;
    private final NodeMemory memory;
    private final Probe probe;
    private final CompletableFuture<Void> firstReached = new CompletableFuture<>();
    private volatile boolean isReachable;
    final Upkeep upkeep = new Upkeep(this::beatAndLook, this::tellOfDefect);
    private int untilLook; // in beats
    private int beatsOfSilence; // in a row, from everything
    private int beatsOfSomeLines; // in a row, in which some threads had answers of the one Redis and others had none
    private @Nullable String told;
    private boolean wasTried;

    /**
     * Creates the pulse.
     *
     * @param lines one for each thread; the first is shared by all whose own is not connected
     * @param keys of its counters, one at least
     * @param name which of two Redis it is, for what is told; empty for an only one
     * @param memory is asked with the first answer, and then, while there are any, once in {@value #BEATS_PER_LOOK} beats
     * @param probe of the short way, sent with each beat
     */
    Pulse(
            List<Line> lines,
            RedisListener listener,
            List<CounterKey> keys,
            String name,
            NodeMemory memory,
            Probe probe) {
        this.memory = memory;
        this.probe = probe;
        this.lines = lines;
        this.name = name;
        this.listener = listener;
        this.isWhole = keys.size() == 1;
        this.beats = IntStream.range(0, isWhole ? lines.size() : keys.size())
                .mapToObj(i -> new Beat(keys.get(i % keys.size()), lines.get(i % lines.size())))
                .toList();
    }

    /** Returns the key of the counter of a pulse that has only one. */
    static CounterKey key() {
        return key(KEY);
    }

    /** Returns keys of counters that lie in different tags, evenly spread over them. */
    static List<CounterKey> keysOver(HashTags tags) {
        int count = Math.min(tags.count(), MOST_COUNTERS);
        int step = tags.count() / count;
        var keys = new ArrayList<CounterKey>(count);
        for (int i = 0; i < count; i++) {
            keys.add(tags.firstIn(i * step, n -> n == 0 ? key() : key(KEY + n)));
        }
        return keys;
    }

    private static CounterKey key(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return new CounterKey(bytes, bytes.length);
    }

    /** Returns a stage that completes with the first answer. */
    CompletableFuture<Void> firstReached() {
        return firstReached;
    }

    /** Returns whether some of Redis answered of late. */
    boolean isReachable() {
        return isReachable;
    }

    /** Ends the pulse with its next step. */
    void close() {
        upkeep.end();
    }

    @Override
    public void run() {
        upkeep.stepAtOnceUntilEnd(BEAT);
    }

    private void beatAndLook() {
        try {
            beat();
            if (untilLook > 0) {
                untilLook--;
            } else if (lines.getFirst().link().isConnected() && isHeard()) {
                lines.getFirst().link().askMemory(memory);
                untilLook = BEATS_PER_LOOK - 1;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // ends the pause behind it
        }
    }

    /** One that refuses each hit is heard, too: when it is full somebody wants to know how full. */
    private boolean isHeard() {
        return beats.stream().anyMatch(beat -> !beat.misses().areSilent());
    }

    private void tellOfDefect(Throwable defect) {
        if (!upkeep.isEnded()) {
            LOG.error("a defect in the pulse of Redis", defect);
        }
    }

    /** Only the first line is waited for: whose own is not there yet shares it. */
    private void beat() throws InterruptedException {
        RedisLink first = lines.getFirst().link();
        try {
            if (!first.isConnected()) {
                first.connect();
            }
        } catch (StoreException e) {
            // A process that has just begun may be the slow one itself.
            if (wasTried || firstReached.isDone() || !FailureWords.isSlow(e)) {
                beats.forEach(beat -> beat.miss(e, firstReached.isDone()));
                tell();
            }
            wasTried = true;
            return;
        }
        if (upkeep.isEnded()) {
            return;
        }
        lines.forEach(line -> line.link().connectAside());
        lines.forEach(Line::lookAtNodes);
        // For all: they go to the same Redis as the same user.
        probe.ask(lines.getFirst().firstOnNode(), lines.getFirst()::plainCall);
        askAll(beats);
        probe.hear(beats.stream().allMatch(beat -> beat.misses().areNone()));
        beginAnewIfAllIsSilent();
        leaveReplicas();
        if (!firstReached.isDone()) {
            warmUp();
        }
        tell();
        lines.getFirst().settle();
    }

    private void beginAnewIfAllIsSilent() {
        beatsOfSilence = beats.stream().allMatch(beat -> beat.misses().areSilent()) ? beatsOfSilence + 1 : 0;
        if (beatsOfSilence == BEATS_UNTIL_ANEW) {
            beatsOfSilence = 0;
            lines.forEach(line -> line.link().leaveSilenceAside());
        }
    }

    /** A connection outlives that its master steps down, and where the address stays the same nobody names another. */
    private void leaveReplicas() {
        for (Beat beat : beats) {
            if (beat.misses().areOfAReplica(BEATS_UNTIL_ANEW)) {
                beat.line().link().leaveReplicaAside();
            }
        }
    }

    /** The first calls of a process are slow by themselves; requests shall not be the ones to make them. A silent Redis is told first. */
    private void warmUp() throws InterruptedException {
        List<Beat> there = beats.stream().filter(beat -> !beat.isLost()).toList();
        int calls = there.isEmpty() ? WARM_UP_CALLS : 0;
        while (calls < WARM_UP_CALLS && there.stream().noneMatch(Beat::isLost)) {
            askAll(there);
            calls += there.size();
        }
    }

    private void askAll(List<Beat> asked) throws InterruptedException {
        long end = System.nanoTime() + BEAT.toNanos();
        var answers = asked.stream()
                .map(beat -> lineOf(beat).decideUrgently(beat.plan()))
                .toList();
        for (int i = 0; i < asked.size(); i++) {
            await(asked.get(i), answers.get(i), end - System.nanoTime());
        }
    }

    private Line lineOf(Beat beat) {
        return beat.line().link().isConnected() ? beat.line() : lines.getFirst();
    }

    private void await(Beat beat, CompletableFuture<List<Reading>> answer, long nanos) throws InterruptedException {
        try {
            var _ = answer.get(nanos, TimeUnit.NANOSECONDS);
            beat.misses().end();
        } catch (ExecutionException e) {
            beat.miss(lines.getFirst().link().told(e), firstReached.isDone());
        } catch (TimeoutException _) {
            answer.cancel(false);
            beat.miss(
                    new StoreException("Redis did not answer within " + BEAT.toMillis() + " ms"),
                    firstReached.isDone());
        }
    }

    /**
     * Tells only what has changed: all is there, all is lost, another part of a cluster or other threads than before, or why.
     * Threads lose the one Redis and find it again nearly together, so that of some of them it is told when it stays so.
     */
    private void tell() {
        if (upkeep.isEnded()) {
            return; // what was lost then, the closing has broken off
        }
        var losses = beats.stream().filter(Beat::isLost).toList();
        isReachable = losses.size() < beats.size();
        beatsOfSomeLines = isWhole && isReachable && !losses.isEmpty() ? beatsOfSomeLines + 1 : 0;
        boolean isTooSoon = beatsOfSomeLines > 0 && beatsOfSomeLines < BEATS_OF_SOME_LINES;
        String words = losses.isEmpty() ? ALL_ANSWERS : words(losses);
        if (!words.equals(told) && !isTooSoon) {
            told = words;
            if (losses.isEmpty()) {
                listener.reached(name.isEmpty() ? "Redis" : name);
            } else {
                listener.lost(name.isEmpty() ? words : name + ": " + words);
            }
        }
        if (isReachable) {
            firstReached.complete(null);
        }
    }

    /** Of a cluster that is down most nodes say so, and only the one that is dead says nothing. */
    private static String reason(List<Beat> losses) {
        return losses.stream()
                .collect(Collectors.groupingBy(loss -> loss.misses().reason(), TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }

    private String words(List<Beat> losses) {
        String reason = reason(losses);
        String place = lines.getFirst().link().place();
        String placed = reason.contains(place) ? reason : reason + " (" + place + ")";
        if (losses.size() == beats.size()) {
            return placed;
        }
        String part = losses.size() + " of " + beats.size();
        return isWhole
                ? "Redis does not answer " + part + " threads, and the requests that these read fail: " + placed
                : "a part of Redis is lost (" + part + " hash tags): " + placed;
    }
}
