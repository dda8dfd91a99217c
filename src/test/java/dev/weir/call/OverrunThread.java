package dev.weir.call;

import dev.weir.store.RoundTrip;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * A model of a thread with a gate, in a time of its own: calls come evenly on several connections, wait in the sockets until
 * they are read, and are answered on the spot or by a store that takes all that waits as one batch.
 */
final class OverrunThread {
    static final long DEADLINE_NANOS = 20_000_000;
    private static final long READ_NANOS = 5_000;
    private static final long FLUSH_NANOS = 5_000;
    private static final long WAKING_NANOS = 20_000;
    private static final int READS_OF_A_ROUND = 16;

    /**
     * What things cost.
     *
     * @param answerNanos of the thread for a call that is let in
     * @param turnAwayNanos of the thread for one that is not
     * @param storeNanos of the store for a call; 0: there is none
     * @param batchNanos of the store for a batch, the way there and back with it
     */
    record Costs(long answerNanos, long turnAwayNanos, long storeNanos, long batchNanos) {}

    /**
     * Who calls.
     *
     * @param connections how many, which take turns
     * @param callsOfARead at most
     * @param tellDeadline whether they say how long they wait; then a call is not asked for once its caller is gone
     */
    record Callers(int connections, int callsOfARead, boolean tellDeadline) {}

    private final Costs costs;
    private final Callers callers;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final Gate gate;
    private final List<Queue<Long>> sockets = new ArrayList<>();
    private final List<Gate.Socket> accounts = new ArrayList<>();
    private final List<Long> written = new ArrayList<>();
    private final Queue<Long> storeQueue = new ArrayDeque<>();
    private final Queue<Long> storeCame = new ArrayDeque<>();
    private final List<long[]> batch = new ArrayList<>();
    private long batchSent;
    private long batchDone = Long.MAX_VALUE;
    private final RoundTrip trip = new RoundTrip(0);
    private long tripNanos;
    private long now;
    private long nextArrival;
    private int nextConnection;
    private long inTime;
    private long late;
    private long gone;
    private long turnedAway;
    private long mostQueued;

    OverrunThread(Costs costs, Callers callers, long patienceNanos) {
        this.costs = costs;
        this.callers = callers;
        gate = new Gate(tasks::add, () -> now, new Patience(patienceNanos, () -> tripNanos));
        for (int i = 0; i < callers.connections; i++) {
            sockets.add(new ArrayDeque<>());
            accounts.add(gate.socket());
        }
    }

    /**
     * What became of the calls of a stretch of time.
     *
     * @param inTime answered within the deadline
     * @param late answered after it
     * @param gone not asked, as their callers were gone
     * @param turnedAway by the gate
     * @param mostQueued calls that waited in the sockets or the store at one moment
     */
    record Account(long inTime, long late, long gone, long turnedAway, long mostQueued) {}

    /** Goes on for some time while calls come at a rate. */
    Account run(long callsPerSecond, long nanos) {
        inTime = 0;
        late = 0;
        gone = 0;
        turnedAway = 0;
        mostQueued = 0;
        long interval = 1_000_000_000 / callsPerSecond;
        long end = now + nanos;
        nextArrival = Math.max(nextArrival, now);
        while (now < end) {
            arrive(interval);
            if (sockets.stream().allMatch(Queue::isEmpty) && batchDone > now) {
                now = Math.min(nextArrival, batchDone) + WAKING_NANOS;
                arrive(interval);
            }
            for (int i = 0; i < callers.connections; i++) {
                readAll(i, interval);
            }
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
            answerBatch();
        }
        return new Account(inTime, late, gone, turnedAway, mostQueued);
    }

    /** Stands still, as a thread does that is not given a processor. */
    void stall(long callsPerSecond, long nanos) {
        now += nanos;
        arrive(1_000_000_000 / callsPerSecond);
    }

    private void arrive(long interval) {
        for (; nextArrival <= now; nextArrival += interval) {
            sockets.get(nextConnection++ % callers.connections).add(nextArrival);
        }
        mostQueued = Math.max(
                mostQueued,
                storeQueue.size() + sockets.stream().mapToInt(Queue::size).sum());
    }

    private void readAll(int connection, long interval) {
        Queue<Long> socket = sockets.get(connection);
        Gate.Socket account = accounts.get(connection);
        if (socket.isEmpty()) {
            return;
        }
        for (int reads = 0; reads < READS_OF_A_ROUND && !socket.isEmpty(); reads++) {
            account.read();
            now += READ_NANOS;
            int calls = Math.min(socket.size(), callers.callsOfARead);
            for (int i = 0; i < calls; i++) {
                ask(socket.remove(), account);
            }
            arrive(interval);
        }
        account.emptied();
        flush();
    }

    private void ask(long sent, Gate.Socket account) {
        long deadline = deadline(account.cameNanos());
        if (callers.tellDeadline && now >= deadline) {
            account.late();
            now += costs.turnAwayNanos;
            gone++;
            return;
        }
        if (!account.enter(deadline)) {
            now += costs.turnAwayNanos;
            turnedAway++;
            return;
        }
        now += costs.answerNanos;
        if (costs.storeNanos == 0) {
            written.add(sent);
            gate.leave(account.cameNanos(), deadline);
        } else {
            storeQueue.add(sent);
            storeCame.add(account.cameNanos());
            sendBatch(now);
        }
    }

    private long deadline(long cameNanos) {
        return callers.tellDeadline ? cameNanos + DEADLINE_NANOS : Head.NO_DEADLINE;
    }

    private void sendBatch(long from) {
        if (batchDone == Long.MAX_VALUE && !storeQueue.isEmpty()) {
            while (!storeQueue.isEmpty()) {
                batch.add(new long[] {storeQueue.remove(), storeCame.remove()});
            }
            batchSent = from;
            batchDone = from + costs.batchNanos + batch.size() * costs.storeNanos;
        }
    }

    private void answerBatch() {
        if (batchDone > now) {
            return;
        }
        for (long[] call : batch) {
            written.add(call[0]);
            gate.leave(call[1], deadline(call[1]));
        }
        batch.clear();
        tripNanos = trip.took(batchDone - batchSent, now);
        long done = batchDone;
        batchDone = Long.MAX_VALUE;
        sendBatch(Math.max(done, now));
        flush();
    }

    private void flush() {
        now += FLUSH_NANOS;
        for (long sent : written) {
            if (now - sent <= DEADLINE_NANOS) {
                inTime++;
            } else {
                late++;
            }
        }
        written.clear();
        gate.flushed();
    }
}
