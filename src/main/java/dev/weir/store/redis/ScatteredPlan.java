package dev.weir.store.redis;

import dev.weir.store.Beyond;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Queued;
import dev.weir.store.Reading;
import dev.weir.store.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A plan whose counters live in several places, so that no one call can decide it.
 *
 * <p>If none of its checks waits for another, and no two are of one counter, each goes by itself, which is cheap. Else what is
 * charged in any case goes out to all places at once. Then what is charged only on admission goes to one place after the
 * other, with what comes after it for the same counter, each a plan of its own that charges nothing on admission if it refuses. Once something has refused, the remaining places, all
 * at once, only show what they have, and what earlier ones charged is given back: named by its instant, so that it returns no more than still
 * weighs. A place that fails keeps nobody from the others: what it would have said is taken to pass, and is missing in what the plan fails with. Whatever
 * becomes of the request then, what was charged stays charged unless something has refused: too strict for a while, never too lax.
 *
 * <p>Between the calls others may see hits that are given back later. A domain that cannot have that keeps all its counters in
 * one place ({@code atomic: domain}).
 */
final class ScatteredPlan {
    private final PendingPlan whole;
    private final List<Check> checks;
    private final ToIntFunction<Check> place;
    private final Consumer<? super PendingPlan> send;
    private final Runnable chargeKept;
    private final AtomicBoolean isChargeTold = new AtomicBoolean();
    // Written by the answers of different calls, each at its own places, and read after all of them.
    private final boolean[] refused;
    private final Reading[] readings;
    private final long[] chargedAt;
    private @Nullable Throwable failure;

    private ScatteredPlan(
            PendingPlan whole, ToIntFunction<Check> place, Consumer<? super PendingPlan> send, Runnable chargeKept) {
        this.whole = whole;
        this.checks = whole.plan().checks();
        this.place = place;
        this.send = send;
        this.chargeKept = chargeKept;
        this.refused = new boolean[checks.size()];
        this.readings = whole.readingsInSteps();
        this.chargedAt = new long[checks.size()];
        Arrays.fill(chargedAt, Check.NO_INSTANT);
    }

    /**
     * Decides, and completes the whole plan.
     *
     * @param place the number of the place of a check's counter
     * @param send sends what is together in one place
     * @param chargeKept is told, once, if something could not be given back
     */
    static void decide(PendingPlan whole, ToIntFunction<Check> place, Consumer<Queued> send, Runnable chargeKept) {
        if (whole.plan().isIndependent() && !whole.plan().repeats()) {
            whole.sendEach(send);
        } else {
            new ScatteredPlan(whole, place, send, chargeKept).decide();
        }
    }

    private void decide() {
        boolean[] waits = waits();
        CompletableFuture<Void> asked =
                CompletableFuture.allOf(places(i -> !waits[i]).map(this::ask).toArray(CompletableFuture<?>[]::new));
        var charged = chargeAfter(asked, places(i -> waits[i]).toList());
        var _ = charged.whenComplete((_, defect) -> {
            failure = defect == null ? failure : defect;
            if (whole.isOver()) {
                tellOfCharges();
            } else if (whole.plan().isRefused(refused)) {
                giveBack();
            } else if (!end()) {
                tellOfCharges();
            }
        });
    }

    /** Returns whether all of it is decided, and somebody waited for that. */
    private boolean end() {
        if (failure == null) {
            return whole.complete(readings);
        }
        whole.fail(failure);
        return false;
    }

    /** Returns which checks are charged only on admission, or see what one of these has taken before them. */
    private boolean[] waits() {
        var waits = new boolean[checks.size()];
        Set<CounterKey> taken = new HashSet<>();
        for (int i = 0; i < waits.length; i++) {
            if (checks.get(i).isTentative()) {
                taken.add(checks.get(i).key());
            }
            waits[i] = taken.contains(checks.get(i).key());
        }
        return waits;
    }

    /** Returns the positions of some checks, those of one place together, in the order in which the places are first met. */
    private Stream<int[]> places(IntPredicate isMeant) {
        Map<Integer, List<Integer>> byPlace = new LinkedHashMap<>();
        for (int i = 0; i < checks.size(); i++) {
            if (isMeant.test(i)) {
                byPlace.computeIfAbsent(place.applyAsInt(checks.get(i)), _ -> new ArrayList<>())
                        .add(i);
            }
        }
        return byPlace.values().stream()
                .map(positions -> positions.stream().mapToInt(i -> i).toArray());
    }

    private CompletableFuture<Void> ask(int[] positions) {
        return send(Plan.of(some(positions)), _ -> {}).answer().handle((answers, failed) -> {
            hear(positions, answers, failed);
            return null;
        });
    }

    /** Those that can lock come last: what the last one charges is never given back, and so locks nobody. */
    private CompletableFuture<Void> chargeAfter(CompletableFuture<Void> before, List<int[]> places) {
        List<int[]> inOrder =
                places.stream().sorted(Comparator.comparing(this::canLock)).toList();
        return before.thenCompose(_ -> chargeFrom(0, inOrder));
    }

    /** One place after the other; once something has refused, all that are left together, for none of them charges. */
    private CompletableFuture<Void> chargeFrom(int first, List<int[]> places) {
        if (first == places.size() || whole.isOver()) {
            return CompletableFuture.completedFuture(null);
        }
        if (isRefused()) {
            return CompletableFuture.allOf(
                    places.stream().skip(first).map(this::charge).toArray(CompletableFuture<?>[]::new));
        }
        return charge(places.get(first)).thenCompose(_ -> chargeFrom(first + 1, places));
    }

    private boolean canLock(int[] positions) {
        return Arrays.stream(positions).anyMatch(i -> checks.get(i).locks());
    }

    /** What is still to come is taken to pass: before the end only an enforcing refusal is final. */
    private boolean isRefused() {
        return whole.plan().beyond() == Beyond.REFUSED || new Plan(checks, Beyond.SOME_QUOTA_PASSES).isRefused(refused);
    }

    private CompletableFuture<Void> charge(int[] positions) {
        var part = new Plan(some(positions), isRefused() ? Beyond.REFUSED : Beyond.SOME_QUOTA_PASSES);
        PendingPlan sent = send(part, answers -> {
            if (charges(part, answers)) { // the plan has failed meanwhile, and does not hear of it
                tellOfCharge();
            }
        });
        CompletableFuture<Boolean> torn = sent.answer().handle((answers, failed) -> {
            if (sent.isTorn()) {
                return true;
            }
            hear(positions, answers, failed);
            if (answers != null && charges(part, answers)) {
                for (int i = 0; i < positions.length; i++) {
                    boolean isCharged = checks.get(positions[i]).isTentative() && !refused[positions[i]];
                    chargedAt[positions[i]] = isCharged ? sent.instant(i) : Check.NO_INSTANT;
                }
            }
            return false;
        });
        return torn.thenCompose(isTorn -> isTorn ? chargeApart(positions) : CompletableFuture.completedFuture(null));
    }

    /** Returns whether a place has charged something on admission: it does not refuse, and some of these checks are admitted. */
    private static boolean charges(Plan part, List<Reading> answers) {
        boolean isAnyCharged = false;
        boolean[] refusedHere = new boolean[answers.size()];
        for (int i = 0; i < refusedHere.length; i++) {
            refusedHere[i] = !answers.get(i).isAdmitted();
            isAnyCharged |= !refusedHere[i] && part.checks().get(i).isTentative();
        }
        return isAnyCharged && !part.isRefused(refusedHere);
    }

    /** Nothing of it was charged: only when it was sent Redis said that this is more than one place. */
    private CompletableFuture<Void> chargeApart(int[] positions) {
        List<int[]> apart = places(i -> Arrays.binarySearch(positions, i) >= 0).toList();
        return apart.size() == 1
                ? CompletableFuture.failedFuture(new StoreException("the checks of one place do not go together"))
                : chargeAfter(CompletableFuture.completedFuture(null), apart);
    }

    private PendingPlan send(Plan part, Consumer<List<Reading>> late) {
        var pending = PendingPlan.withInstants(part);
        pending.partOf(whole, late);
        send.accept(pending);
        return pending;
    }

    private List<Check> some(int[] positions) {
        return Arrays.stream(positions).mapToObj(checks::get).toList();
    }

    /** Of a place that has failed, some may have been answered all the same. */
    private void hear(int[] positions, @Nullable List<Reading> answers, @Nullable Throwable failed) {
        if (answers != null) {
            note(positions, answers);
        } else {
            failure = failed;
            note(positions, failed instanceof StoreException told ? told.readings() : List.of());
        }
    }

    private void note(int[] positions, List<? extends @Nullable Reading> answers) {
        for (int i = 0; i < answers.size(); i++) {
            Reading reading = answers.get(i);
            if (reading != null) {
                readings[positions[i]] = reading;
                refused[positions[i]] = !reading.isAdmitted();
            }
        }
    }

    /**
     * What comes back is also what is left then. It is waited for, so that the caller's next request finds it done, but no longer than
     * the caller waits: that it is refused is known.
     */
    private void giveBack() {
        if (failure == null) {
            whole.decided(readings);
        }
        var given = places(i -> chargedAt[i] != Check.NO_INSTANT)
                .map(this::giveBack)
                .toArray(CompletableFuture<?>[]::new);
        var _ = CompletableFuture.allOf(given).whenComplete((_, notGiven) -> {
            if (notGiven != null) {
                tellOfCharge();
            }
            var _ = end();
        });
    }

    private CompletableFuture<List<Reading>> giveBack(int[] positions) {
        var back = Plan.of(Arrays.stream(positions)
                .mapToObj(i -> checks.get(i).givenBack(chargedAt[i]))
                .toList());
        // Not tied to the whole plan: what was charged is given back even if nobody waits any more.
        var pending = PendingPlan.givingBack(back);
        send.accept(pending);
        return pending.answer().thenApply(answers -> {
            for (int i = 0; i < positions.length; i++) {
                readings[positions[i]] = answers.get(lastOfSame(positions, i));
            }
            return answers;
        });
    }

    /** What was asked twice is given back twice, and what is left is told by the last. */
    private int lastOfSame(int[] positions, int index) {
        Check check = checks.get(positions[index]);
        int last = index;
        for (int i = index + 1; i < positions.length; i++) {
            Check other = checks.get(positions[i]);
            if (other.key().equals(check.key()) && other.limit().equals(check.limit())) {
                last = i;
            }
        }
        return last;
    }

    private void tellOfCharges() {
        if (Arrays.stream(chargedAt).anyMatch(at -> at != Check.NO_INSTANT)) {
            tellOfCharge();
        }
    }

    private void tellOfCharge() {
        if (isChargeTold.compareAndSet(false, true)) {
            chargeKept.run();
        }
    }
}
