package dev.weir.busiest;

import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lets somebody see which counters are hit most, from {@link #begin} to {@link #end}; plans that only look are not seen. At all other times it costs a look at a field, and
 * remembers nothing.
 */
public final class WatchedStore extends Store.Layer {
    private final int places;
    private final IntSupplier place;
    private volatile @Nullable Watch watch;

    /**
     * Wraps a store.
     *
     * @param places in how many places is written down what is seen
     * @param place the place of the calling thread, from 0: those that answer most have one of their own, to wait for nobody
     */
    public WatchedStore(Store next, int places, IntSupplier place) {
        super(next);
        this.places = places;
        this.place = place;
    }

    /** Returns the same store for questions of our own, which nobody watches. Only one of the two is to be closed. */
    public WatchedStore unwatched() {
        return new WatchedStore(next, places, place);
    }

    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        CompletionStage<List<Reading>> answer = next.decide(plan);
        Watch watching = watch;
        if (watching != null && !onlyLooks(plan)) {
            var _ = answer.handle((readings, failure) -> { // whenComplete would wrap each failure, with a stack trace
                watching.placeOf(place.getAsInt()).add(plan, failure == null ? readings : null);
                return plan;
            });
        }
        return answer;
    }

    private static boolean onlyLooks(Plan plan) {
        return plan.checks().stream().allMatch(check -> check.hits() == 0);
    }

    /** Begins to watch; who did so before sees no more. */
    public void begin() {
        watch = new Watch(places);
    }

    /** Ends it, and returns what was seen since it began: nothing, if it did not. */
    public Seen end() {
        Watch ended = watch;
        watch = null;
        return ended == null ? new Seen() : ended.seen();
    }

    /** What is seen from the beginning to the end, in places. */
    private static final class Watch {
        private final List<Place> places;

        Watch(int places) {
            this.places = Stream.generate(Place::new).limit(places).toList();
        }

        Place placeOf(int number) {
            return places.get(number);
        }

        Seen seen() {
            var all = new Seen();
            places.forEach(place -> all.addAll(place.take()));
            return all;
        }
    }

    private static final class Place {
        private Seen seen = new Seen();

        synchronized void add(Plan plan, @Nullable List<Reading> readings) {
            if (readings == null) {
                seen.addFailure();
            } else {
                seen.add(plan, readings);
            }
        }

        /** What comes later is not looked at. */
        synchronized Seen take() {
            Seen taken = seen;
            seen = new Seen();
            return taken;
        }
    }
}
