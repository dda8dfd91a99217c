package dev.weir.store.redis;

import dev.weir.store.Beyond;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * A plan whose checks depend on each other and live in several places, so that no one call can decide it.
 *
 * <p>What is charged in any case goes out to all places at once. Then what is charged only on admission goes to one place
 * after the other, each a plan of its own that counts nothing if it refuses. Once something has refused, the remaining places
 * only show what they have, and what earlier ones charged is given back: named by its instant, so that it returns no more than
 * still weighs. If a call fails in between, what was charged stays charged: too strict for a while, never too lax.
 *
 * <p>Between the calls others may see hits that are given back later. A domain that cannot have that keeps all its counters in
 * one place ({@code atomic: domain}).
 */
final class ScatteredPlan {
    private final PendingPlan whole;
    private final List<Check> checks;
    private final Consumer<PendingPlan> send;
    private final Runnable chargeKept;
    private final boolean[] refused;
    private final Reading[] readings;
    private final long[] chargedAt;
    private final List<int[]> places;

    /**
     * Prepares the decision.
     *
     * @param place says where a counter lives
     * @param send sends what can go together
     * @param chargeKept is told if something could not be given back
     */
    ScatteredPlan(PendingPlan whole, ToIntFunction<Check> place, Consumer<PendingPlan> send, Runnable chargeKept) {
        this.whole = whole;
        this.checks = whole.plan().checks();
        this.send = send;
        this.chargeKept = chargeKept;
        this.refused = new boolean[checks.size()];
        this.readings = new Reading[checks.size()];
        this.chargedAt = new long[checks.size()];
        Arrays.fill(chargedAt, Check.NO_INSTANT);
        this.places = tentativeByPlace(place);
    }

    private List<int[]> tentativeByPlace(ToIntFunction<Check> place) {
        List<int[]> found = new ArrayList<>();
        int[] tentative = positions(true);
        int[] numbers = Arrays.stream(tentative)
                .map(i -> place.applyAsInt(checks.get(i)))
                .distinct()
                .toArray();
        for (int number : numbers) {
            found.add(Arrays.stream(tentative)
                    .filter(i -> place.applyAsInt(checks.get(i)) == number)
                    .toArray());
        }
        return found;
    }

    private int[] positions(boolean isTentative) {
        int[] all = new int[checks.size()];
        int count = 0;
        for (int i = 0; i < all.length; i++) {
            if (checks.get(i).isTentative() == isTentative) {
                all[count++] = i;
            }
        }
        return Arrays.copyOf(all, count);
    }

    /** Decides, and completes the whole plan. */
    void decide() {
        int[] kept = positions(false);
        CompletableFuture<List<Reading>> asked = kept.length == 0 ? nothing() : ask(kept, false);
        for (int[] place : places) {
            asked = asked.thenCompose(_ -> whole.isOver() ? nothing() : ask(place, true));
        }
        var _ = asked.whenComplete((_, failure) -> {
            if (failure != null) {
                tellOfCharges();
                whole.answer().completeExceptionally(failure);
            } else if (whole.isOver()) {
                tellOfCharges();
            } else if (whole.plan().isRefused(refused)) {
                giveBack();
            } else {
                whole.answer().complete(Arrays.asList(readings));
            }
        });
    }

    private static CompletableFuture<List<Reading>> nothing() {
        return CompletableFuture.completedFuture(List.of());
    }

    /** Asks some of the checks. What is still to come is taken to pass: only an enforcing refusal is final before the end. */
    private CompletableFuture<List<Reading>> ask(int[] positions, boolean isTentative) {
        boolean isRefused = isTentative && new Plan(checks, Beyond.SOME_QUOTA_PASSES).isRefused(refused);
        var part = new Plan(
                Arrays.stream(positions).mapToObj(checks::get).toList(),
                isRefused ? Beyond.REFUSED : Beyond.SOME_QUOTA_PASSES);
        var pending = PendingPlan.withInstants(part);
        send.accept(pending);
        return pending.answer().thenApply(answers -> {
            for (int i = 0; i < positions.length; i++) {
                readings[positions[i]] = answers.get(i);
                refused[positions[i]] = !answers.get(i).isAdmitted();
            }
            if (isTentative && !part.isRefused(refusedOf(positions))) {
                for (int i = 0; i < positions.length; i++) {
                    chargedAt[positions[i]] = refused[positions[i]] ? Check.NO_INSTANT : pending.instant(i);
                }
            }
            return answers;
        });
    }

    private boolean[] refusedOf(int[] positions) {
        boolean[] some = new boolean[positions.length];
        for (int i = 0; i < some.length; i++) {
            some[i] = refused[positions[i]];
        }
        return some;
    }

    /** What comes back is also what is left then. */
    private void giveBack() {
        int[] charged = charged();
        if (charged.length == 0) {
            whole.answer().complete(Arrays.asList(readings));
            return;
        }
        var pending = PendingPlan.withInstants(Plan.of(Arrays.stream(charged)
                .mapToObj(i -> checks.get(i).givenBack(chargedAt[i]))
                .toList()));
        send.accept(pending);
        var _ = pending.answer().whenComplete((answers, failure) -> {
            if (failure != null) {
                chargeKept.run();
            } else {
                for (int i = 0; i < charged.length; i++) {
                    readings[charged[i]] = answers.get(i);
                }
            }
            whole.answer().complete(Arrays.asList(readings));
        });
    }

    private int[] charged() {
        int[] all = positions(true);
        return Arrays.stream(all).filter(i -> chargedAt[i] != Check.NO_INSTANT).toArray();
    }

    private void tellOfCharges() {
        if (charged().length > 0) {
            chargeKept.run();
        }
    }
}
