package dev.weir.socket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.socket.Places.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PlacesTest {
    private final AtomicInteger told = new AtomicInteger();
    private final List<String> sentAway = new ArrayList<>();
    private long millis;

    /** Whose patience is half a second. */
    private Places places(int most) {
        return new Places(
                most, Duration.ofMillis(500), told::incrementAndGet, () -> TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private Place comes(Places places, String name) {
        return Objects.requireNonNull(places.take(() -> sentAway.add(name)));
    }

    private Place greets(Places places, String name) {
        var place = comes(places, name);
        place.greeted();
        return place;
    }

    private void assertRefused(Places places) {
        assertThat(places.take(() -> {})).isNull();
    }

    @Test
    void who_finds_no_place_is_counted_and_whoever_leaves_makes_room_for_one() {
        var places = new Places(2, Duration.ZERO, told::incrementAndGet);
        var ann = greets(places, "ann");
        greets(places, "bob");
        assertRefused(places);
        assertRefused(places);
        assertThat(places.taken()).isEqualTo(2);
        assertThat(places.refused()).isEqualTo(2);
        assertThat(told).hasValue(2);
        ann.leave();
        assertThat(places.taken()).isEqualTo(1);
        greets(places, "cid");
        assertRefused(places);
        assertThat(sentAway).isEmpty();
        assertThat(places.sentAway()).isZero();
    }

    @Test
    void whoever_has_not_greeted_for_the_longest_goes_for_who_comes_and_who_has_greeted_stays() {
        var places = new Places(3, Duration.ZERO, told::incrementAndGet);
        greets(places, "ann");
        var silent = comes(places, "silent");
        comes(places, "younger");
        comes(places, "bob").greeted();
        assertThat(sentAway).containsExactly("silent");
        silent.leave();
        comes(places, "cid").greeted();
        assertThat(sentAway).containsExactly("silent", "younger");
        assertRefused(places);
        assertThat(places.taken()).isEqualTo(3);
        assertThat(places.sentAway()).isEqualTo(2);
        assertThat(told).hasValue(1);
    }

    @Test
    void who_has_just_come_stays_too_and_is_sent_away_half_a_second_later() {
        var places = places(2);
        comes(places, "silent");
        millis = 400;
        comes(places, "younger");
        millis = 499;
        assertRefused(places);
        millis = 500;
        comes(places, "next");
        assertThat(sentAway).containsExactly("silent");
        assertRefused(places);
        assertThat(places.refused()).isEqualTo(2);
    }

    /** A fleet that has outgrown a replica: five callers for each place, far away, and none of them gives up. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void all_places_find_callers_where_more_come_than_there_are_places(long seed) {
        var random = new SplittableRandom(seed);
        var places = places(64);
        var steps = new PriorityQueue<Step>(Comparator.comparingInt(Step::millis));
        for (int i = 0; i < 300; i++) {
            steps.add(new Step(random.nextInt(200), null));
        }
        var greeted = new HashSet<Place>();
        for (Step step = steps.remove(); step.millis() < 3_000; step = steps.remove()) {
            millis = step.millis();
            Place greets = step.greets();
            if (greets != null) {
                greeted.add(greets);
                greets.greeted();
                continue;
            }
            int again = step.millis() + 25 + random.nextInt(225);
            var coming = new CompletableFuture<Place>();
            var place = places.take(() -> {
                Place gone = coming.join();
                steps.removeIf(planned -> planned.greets() == gone);
                gone.leave();
                steps.add(new Step(again, null));
            });
            if (place == null) {
                steps.add(new Step(again, null));
            } else {
                coming.complete(place);
                steps.add(new Step(step.millis() + 100, place));
            }
        }
        assertThat(greeted).as("of 64 places").hasSize(64);
    }

    /** What happens at a moment: somebody comes, or greets. */
    private record Step(int millis, @Nullable Place greets) {}

    @Test
    void who_waits_for_us_stays_and_is_then_awaited_anew() {
        var places = new Places(2, Duration.ZERO, told::incrementAndGet);
        var served = comes(places, "served");
        served.serves();
        served.serves();
        var silent = comes(places, "silent");
        comes(places, "next");
        assertThat(sentAway).containsExactly("silent");
        silent.leave();
        served.awaits();
        comes(places, "last").serves();
        assertThat(sentAway)
                .as("something else is to be done for who is served")
                .containsExactly("silent", "next");
        assertRefused(places);
        served.awaits();
        assertThat(sentAway).hasSize(2);
    }

    @Test
    void only_some_are_on_their_way_out_at_a_time() {
        var places = new Places(16, Duration.ZERO, told::incrementAndGet);
        var first = comes(places, "0");
        var second = comes(places, "1");
        for (int i = 2; i < 18; i++) {
            comes(places, String.valueOf(i));
        }
        assertThat(sentAway).containsExactly("0", "1");
        assertRefused(places);
        first.leave();
        comes(places, "18");
        assertRefused(places);
        second.leave();
        comes(places, "19");
        assertThat(sentAway).containsExactly("0", "1", "2", "3");
        assertThat(places.taken()).isEqualTo(16);
    }

    @Test
    void who_is_sent_away_gives_its_place_back_once_whatever_it_does_meanwhile() {
        var places = new Places(1, Duration.ZERO, told::incrementAndGet);
        var silent = comes(places, "silent");
        var next = comes(places, "next");
        silent.greeted();
        silent.serves();
        silent.awaits();
        silent.leave();
        assertThat(places.taken()).isEqualTo(1);
        next.leave();
        assertThat(places.taken()).isZero();
        comes(places, "last");
        assertThat(sentAway).containsExactly("silent");
    }

    @Test
    void threads_that_race_never_take_more_than_there_are_and_some_on_their_way_out() throws Exception {
        var places = new Places(16, Duration.ZERO, () -> {});
        var crowd = new Crowd(places);
        var ends = new ArrayList<Future<?>>();
        try (var threads = Executors.newFixedThreadPool(8)) {
            for (int thread = 0; thread < 8; thread++) {
                ends.add(threads.submit(crowd));
            }
        }
        for (Future<?> end : ends) {
            end.get(); // throws what went wrong there
        }
        assertThat(crowd.most).hasValueBetween(16, 18);
        assertThat(places.sentAway()).isPositive();
        crowd.letLeave();
        assertThat(crowd.inside).hasPositiveValue();
        assertThat(places.taken()).isEqualTo(crowd.inside.get());
        crowd.letAllLeave();
        assertThat(places.taken()).isZero();
    }

    /** Half of its callers greet and go, and the others say nothing until they must go. */
    private static final class Crowd implements Runnable {
        private final Places places;
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private final Queue<Caller> came = new ConcurrentLinkedQueue<>();
        private final Queue<Caller> leaving = new ConcurrentLinkedQueue<>();

        Crowd(Places places) {
            this.places = places;
        }

        @Override
        public void run() {
            for (int i = 0; i < 20_000; i++) {
                var caller = new Caller(new CompletableFuture<>(), new AtomicBoolean());
                var place = places.take(() -> leaving.add(caller));
                if (place != null) {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    caller.place().complete(place);
                    came.add(caller);
                    if (i % 2 == 0) {
                        place.greeted();
                        caller.leave(inside);
                    }
                }
                letLeave();
            }
        }

        /** Lets those go who were sent away. */
        void letLeave() {
            for (Caller next = leaving.poll(); next != null; next = leaving.poll()) {
                next.leave(inside);
            }
        }

        void letAllLeave() {
            came.forEach(caller -> caller.leave(inside));
        }
    }

    private record Caller(CompletableFuture<Place> place, AtomicBoolean isGone) {
        void leave(AtomicInteger inside) {
            if (isGone.compareAndSet(false, true)) {
                inside.decrementAndGet();
                place.join().leave();
            }
        }
    }
}
