package dev.weir.busiest;

import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lets somebody see which counters are hit most, from {@link #begin} to {@link #end}. At all other times it costs a look at a field, and
 * remembers nothing.
 */
public final class WatchedStore implements Store {
    private final Store next;
    private volatile @Nullable Watch watch;

    /** Wraps a store. */
    public WatchedStore(Store next) {
        this.next = next;
    }

    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        CompletionStage<List<Reading>> answer = next.decide(plan);
        Watch watching = watch;
        if (watching != null) {
            var _ = answer.handle((readings, failure) -> { // whenComplete would wrap each failure, with a stack trace
                if (failure == null) {
                    watching.add(plan, readings);
                }
                return plan;
            });
        }
        return answer;
    }

    /** Begins to watch; who did so before sees no more. */
    public void begin() {
        watch = new Watch();
    }

    /** Ends it, and returns what was seen since it began: nothing, if it did not. */
    public Seen end() {
        Watch ended = watch;
        watch = null;
        return ended == null ? new Seen() : ended.seen();
    }

    @Override
    public int parts() {
        return next.parts();
    }

    @Override
    public int partOf(Check check) {
        return next.partOf(check);
    }

    @Override
    public boolean hasAnsweredSince(int part, long nanos) {
        return next.hasAnsweredSince(part, nanos);
    }

    @Override
    public CompletionStage<Void> firstReached() {
        return next.firstReached();
    }

    @Override
    public boolean isReachable() {
        return next.isReachable();
    }

    @Override
    public void close() {
        next.close();
    }

    /** Each event loop has a place of its own, so that none waits for another. */
    private static final class Watch {
        private static final int PLACES = 16;

        private final Seen[] places = Stream.generate(Seen::new).limit(PLACES).toArray(Seen[]::new);

        void add(Plan plan, List<Reading> readings) {
            Seen place = places[(int) (Thread.currentThread().threadId() % PLACES)];
            synchronized (place) {
                place.add(plan, readings);
            }
        }

        Seen seen() {
            var all = new Seen();
            for (Seen place : places) {
                synchronized (place) {
                    all.addAll(place);
                }
            }
            return all;
        }
    }
}
