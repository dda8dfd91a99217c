package dev.weir.store.redis.plain;

import dev.weir.store.StoreException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;

/**
 * Tries the short way once a second, to each node, with a call that counts nothing. Some proxies before Redis do not know its
 * clock, answer nothing at all, or end the connection: what a hit would meet is found out without one. That TIME goes by another clock
 * than the script the first hits find out ({@link ShortWay#toldByTime}): only with a counter is it the node's that keeps it.
 *
 * <p>Belongs to the thread that asks.
 */
public final class Probe {
    private static final long PATIENCE_MILLIS = 1_000;
    private static final int MOST_UNANSWERED = 3;
    private static final int PAUSE = 60; // for who ends connections should rarely get a reason to

    private final ShortWay[] shortWays;
    private final ObjIntConsumer<String> closed;
    private final Map<Integer, CompletableFuture<PlainCall>> asked = new TreeMap<>();
    private final int[] unanswered;
    private final boolean[] isTold;
    private int[] places = {};
    private long askedNanos;
    private int turn;

    /**
     * Creates a probe.
     *
     * @param shortWays learn whether they can be gone
     * @param closed is told why one of them cannot, and its number, once until it can again
     */
    public Probe(ShortWay[] shortWays, ObjIntConsumer<String> closed) {
        this.shortWays = shortWays.clone();
        this.closed = closed;
        this.unanswered = new int[shortWays.length];
        this.isTold = new boolean[shortWays.length];
    }

    /**
     * Asks, and tidies up what is known of counters meanwhile.
     *
     * @param firstOnNode for each short way the number of the first one to the same node: that one is tried for all of them
     * @param send sends a call without counters the short way of that number
     */
    public void ask(int[] firstOnNode, IntFunction<CompletableFuture<PlainCall>> send) {
        turn++;
        askedNanos = System.nanoTime();
        asked.clear();
        places = IntStream.range(0, firstOnNode.length)
                .filter(i -> firstOnNode[i] == i)
                .toArray();
        for (int place : places) {
            if (unanswered[place] < MOST_UNANSWERED || turn % PAUSE == 0) {
                asked.put(place, send.apply(place));
            }
        }
        shortWays[0].sweep(askedNanos);
    }

    /**
     * Waits for the answers, until a second after they were asked for: a node that is silent holds up nobody for longer.
     *
     * @param isRedisThere whether Redis has answered something else meanwhile: only then does silence mean anything
     */
    public void hear(boolean isRedisThere) throws InterruptedException {
        long end = askedNanos + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        for (var call : asked.entrySet()) {
            hear(call.getKey(), call.getValue(), end - System.nanoTime(), isRedisThere);
        }
        for (int place : places) {
            isTold[place] &= !shortWays[place].isOpen();
        }
    }

    private void hear(int place, CompletableFuture<PlainCall> call, long nanos, boolean isRedisThere)
            throws InterruptedException {
        try {
            hear(place, call.get(nanos, TimeUnit.NANOSECONDS));
            unanswered[place] = 0;
        } catch (ExecutionException | TimeoutException _) {
            if (isRedisThere && ++unanswered[place] == MOST_UNANSWERED) {
                shortWays[place].open(false, System.nanoTime());
                tell(place, "Redis answers the script, and does not answer TIME");
            }
        }
    }

    private void hear(int place, PlainCall answered) {
        try {
            answered.answer(shortWays[place]);
            if (!shortWays[place].isOpen()) {
                tell(
                        place,
                        "TIME is not answered by the clock that the script goes by; a proxy's?"
                                + " Tried again in ten seconds, then ever more rarely");
            }
        } catch (StoreException e) {
            if (!answered.isBusy()) {
                tell(place, String.valueOf(e.getMessage()));
            }
        }
    }

    private void tell(int place, String reason) {
        if (!isTold[place]) {
            isTold[place] = true;
            closed.accept(reason, place);
        }
    }
}
