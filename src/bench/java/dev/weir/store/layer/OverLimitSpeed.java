package dev.weir.store.layer;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntUnaryOperator;

/**
 * The program behind {@code make bench-over-limit}: what the over-limit memory adds to a decision, and how much heap a
 * remembered counter takes. Each key is made anew, as requests make theirs; what that costs is a line of its own. The store
 * behind answers at once.
 */
final class OverLimitSpeed {
    private static final int COUNTERS = 20_000;
    private static final int WARM_UP = 40;
    private static final int ROUNDS = 41;
    private static final int KEY_BYTES = 35;
    private static final long ROOM = 64L << 20;
    private static final Limit LIMIT = Limit.fixedWindow(Quota.per(Unit.HOUR, 1));
    private static final List<Reading> ADMITTED = List.of(new Reading(true, 0, 1, 3_600_000_000L, 0, 0));
    private static final List<Reading> REFUSED = List.of(new Reading(false, 0, 0, 3_600_000_000L, 3_600_000_000L, 0));
    private static final PrintStream OUT = System.out;

    private OverLimitSpeed() {}

    /** Measures. */
    public static void main(String[] arguments) {
        OUT.printf(Locale.ROOT, "Java %s%n%n", Runtime.version());
        ask(layer(REFUSED), 0); // what is loaded once does not belong to a counter
        long before = heapAfterCollection();
        var full = layer(REFUSED);
        for (int i = 0; i < COUNTERS; i++) {
            ask(full, i);
        }
        long bytes = (heapAfterCollection() - before) / COUNTERS;
        var admitting = new ReadyStore(ADMITTED);
        var layered = layer(ADMITTED);
        OUT.println("| decision | ns |");
        OUT.println("| --- | ---: |");
        row("its key and plan alone", i -> plan(i).checks().size());
        row("admitted by a store", i -> ask(admitting, i));
        row("admitted by a store with the memory in front", i -> ask(layered, i));
        row("refused from memory, always the same counter", _ -> ask(full, 7));
        row("refused from memory, one of " + COUNTERS, i -> ask(full, i));
        var next = new int[] {COUNTERS};
        row("refused by the store, and remembered", _ -> ask(full, next[0]++));
        OUT.printf(Locale.ROOT, "%n%d bytes of heap for each counter, with a key of %d bytes%n", bytes, KEY_BYTES);
    }

    /** By a clock that stands: what is remembered stays. */
    private static Store layer(List<Reading> answer) {
        return OverLimitStore.around(new ReadyStore(answer), ROOM, _ -> {}, () -> 0);
    }

    private static void row(String name, IntUnaryOperator work) {
        long sum = 0;
        double[] nanos = new double[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < COUNTERS; i++) {
                sum += work.applyAsInt(i);
            }
            if (round >= 0) {
                nanos[round] = (System.nanoTime() - start) / (double) COUNTERS;
            }
        }
        if (sum == 0) {
            throw new IllegalStateException("nothing was decided");
        }
        Arrays.sort(nanos);
        OUT.printf(Locale.ROOT, "| %s | %.0f |%n", name, nanos[ROUNDS / 2]);
    }

    private static int ask(Store store, int counter) {
        return store.decide(plan(counter)).toCompletableFuture().join().size();
    }

    private static Plan plan(int counter) {
        byte[] bytes = ByteBuffer.allocate(KEY_BYTES)
                .putInt(KEY_BYTES - Integer.BYTES, counter)
                .array();
        return Plan.of(List.of(Check.of(new CounterKey(bytes, KEY_BYTES), LIMIT, 1)));
    }

    private static long heapAfterCollection() {
        long used = Long.MAX_VALUE;
        while (true) { // until one collection finds nothing more
            System.gc();
            long now = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
            if (now >= used) {
                return now;
            }
            used = now;
        }
    }

    /** A store that has one answer for everybody. */
    private record ReadyStore(List<Reading> answer) implements Store {
        @Override
        public CompletionStage<List<Reading>> decide(Plan plan) {
            return CompletableFuture.completedFuture(answer);
        }

        @Override
        public CompletionStage<Boolean> forget(Check check) {
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public CompletionStage<Void> firstReached() {
            return new CompletableFuture<>();
        }

        @Override
        public boolean isReachable() {
            return true;
        }

        @Override
        public void close() {}
    }
}
