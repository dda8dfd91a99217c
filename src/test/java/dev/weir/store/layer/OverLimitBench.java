package dev.weir.store.layer;

import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** The over-limit memory around a store in this process, at a time that the test sets; and what reached that store. */
final class OverLimitBench implements AutoCloseable {
    private static final long ROOM = 1 << 20;

    final ManualTicker ticker = new ManualTicker();
    final MemoryStore behind = new MemoryStore(ticker, 1_000_000, Long.MAX_VALUE);
    final List<Plan> sent = Collections.synchronizedList(new ArrayList<>());
    final OverLimitStore store;
    final AtomicLong remembered = new AtomicLong();
    private volatile long nanos;

    OverLimitBench() {
        store = OverLimitStore.around(new WatchedStore(), ROOM, remembered::addAndGet, () -> nanos);
    }

    /** Sets both clocks. */
    void at(long micros) {
        ticker.set(micros);
        nanos = micros * Remembered.NANOS_PER_MICRO;
    }

    Reading ask(Check check) {
        return ask(Plan.of(List.of(check))).getFirst();
    }

    List<Reading> ask(Check... checks) {
        return ask(Plan.of(Arrays.asList(checks)));
    }

    List<Reading> ask(Plan plan) {
        return answer(store, plan);
    }

    /** Asks as another replica would, past the memory. */
    Reading elsewhere(Check check) {
        return answer(behind, Plan.of(List.of(check))).getFirst();
    }

    static List<Reading> answer(Store store, Plan plan) {
        return store.decide(plan).toCompletableFuture().join();
    }

    @Override
    public void close() {
        store.close();
    }

    /** Notes what is asked. */
    private final class WatchedStore extends Store.Layer {
        WatchedStore() {
            super(behind);
        }

        @Override
        public CompletionStage<List<Reading>> decide(Plan plan) {
            sent.add(plan);
            return next.decide(plan);
        }
    }
}
