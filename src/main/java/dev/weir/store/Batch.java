package dev.weir.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Checks that go to the store together, equal ones merged into one.
 *
 * <p>A hot counter then costs the store one step for a whole batch: {@code times} equal checks are answered with how many
 * of them were admitted, and {@link #answer} hands the admissions out in order of arrival. Checks are equal only if no
 * other check of the same counter came in between, for that one must see what the earlier ones counted and the later ones
 * what it counted. Checks of a plan in which some wait for the others are never merged: they go side by side.
 */
public final class Batch {
    /** The largest number of different checks in one call: what the store does at one go, while others wait. */
    public static final int MAX_CHECKS = 256;

    /** The largest number of equal checks merged into one: with a request's 10^9 hits below 2^42, which fits above every count. */
    static final int MAX_TIMES = 4_096;

    private static final int FIRST_SIZE = 64;

    private final List<Merged> merged = new ArrayList<>(FIRST_SIZE);
    private final Map<CounterKey, Merged> latest = HashMap.newHashMap(FIRST_SIZE);
    private Merged[] entries = new Merged[FIRST_SIZE];
    private Receiver[] receivers = new Receiver[FIRST_SIZE];
    private int[] positions = new int[FIRST_SIZE];
    private int size;

    /**
     * Of a batch that left while the newest left first: how many different checks left together with it. They had hardly waited, so
     * if they are late there were too many of them. 0 for any other batch.
     */
    int newest;

    /** Creates an empty batch. */
    public Batch() {}

    /** Where the answers go: one for each check, on the thread on which the store answered. */
    public interface Receiver {
        /** Returns whether nobody waits for the answer any more. */
        boolean isOver();

        /**
         * Takes the answer to the check at {@code position} of the receiver's plan.
         *
         * @param at the instant at which its hits were counted, where the store says so
         */
        void answered(int position, Reading reading, long at);

        /** Takes the failure of the check at {@code position} of the receiver's plan. */
        void failed(int position, StoreException failure);

        /** Learns that the store cannot take the plan's checks together. Nothing was counted; no answer comes. */
        void scattered();
    }

    /** Returns how many checks were added, merged or not. */
    public int size() {
        return size;
    }

    /** Adds all checks of a plan. */
    public void add(Plan plan, Receiver receiver) {
        boolean isIndependent = plan.isIndependent();
        for (int i = 0; i < plan.checks().size(); i++) { // indexed: an iterator for each request would be garbage
            Check check = plan.checks().get(i);
            put(isIndependent ? entryFor(check) : open(new Merged(check, plan, i == 0)), receiver, i);
        }
    }

    /** Adds one check that is decided by itself. */
    public void add(Check check, Receiver receiver, int position) {
        put(entryFor(check), receiver, position);
    }

    private Merged entryFor(Check check) {
        Merged entry = latest.get(check.key());
        return entry == null || !entry.isIndependent() || entry.times == MAX_TIMES || !entry.check.isSameAs(check)
                ? open(new Merged(check))
                : entry;
    }

    /** Adds a check of another batch that is decided by itself. */
    private void addFrom(Batch other, int i) {
        Merged entry = entryFor(other.entries[i].check);
        entry.isOwed |= other.entries[i].isOwed;
        put(entry, other.receivers[i], other.positions[i]);
    }

    private Merged open(Merged entry) {
        merged.add(entry);
        latest.put(entry.check.key(), entry);
        return entry;
    }

    private void put(Merged entry, Receiver receiver, int position) {
        entry.times++;
        if (size == entries.length) {
            entries = Arrays.copyOf(entries, size * 2);
            receivers = Arrays.copyOf(receivers, size * 2);
            positions = Arrays.copyOf(positions, size * 2);
        }
        entries[size] = entry;
        receivers[size] = receiver;
        positions[size] = position;
        size++;
    }

    /** Returns the different checks, in the order in which the store must take them. */
    public List<Merged> checks() {
        return merged;
    }

    /**
     * Returns the checks that are still waited for, or must be sent, in batches of their own, in the same order, for a store
     * that cannot take them together. A plan whose checks depend on each other and go to different batches is handed back as
     * scattered.
     *
     * @param part says for each counter which batch its checks go to, 0 to {@code parts} - 1
     */
    public List<Batch> splitBy(ToIntFunction<CounterKey> part, int parts) {
        var batches = new Batch[parts];
        for (int i = 0; i < size; i++) {
            Merged entry = entries[i];
            if (isDropped(i) || (!entry.isIndependent() && !entry.isFirst)) {
                continue;
            }
            int number = part.applyAsInt(entry.check.key());
            if (batches[number] == null) {
                batches[number] = new Batch();
            }
            if (entry.plan == null) {
                batches[number].addFrom(this, i);
            } else if (entry.plan.isTogether(part)) {
                batches[number].add(entry.plan, receivers[i]);
            } else {
                receivers[i].scattered();
            }
        }
        return Arrays.stream(batches)
                .filter(batch -> batch != null && batch.size > 0)
                .toList();
    }

    /**
     * Returns the checks that are still waited for, or must be sent, in a batch for each counter, and one for each plan whose
     * checks depend on each other: the smallest parts that can go alone.
     */
    public List<Batch> splitByCounter() {
        Map<CounterKey, Batch> byCounter = new LinkedHashMap<>();
        List<Batch> batches = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Merged entry = entries[i];
            if (isDropped(i)) {
                continue;
            }
            if (entry.plan == null) {
                byCounter.computeIfAbsent(entry.check.key(), _ -> new Batch()).addFrom(this, i);
            } else if (entry.isFirst) {
                var alone = new Batch();
                alone.add(entry.plan, receivers[i]);
                batches.add(alone);
            }
        }
        batches.addAll(byCounter.values());
        return batches;
    }

    /** Hands on the checks that are still waited for, or must be sent, one by one, in order of arrival. This batch is over then. */
    public void handOn(Consumer<Queued> successor) {
        for (int i = 0; i < size; i++) {
            if (!isDropped(i)) {
                successor.accept(Queued.Part.of(entries[i].check, receivers[i], positions[i], entries[i].isOwed));
            }
        }
    }

    private boolean isDropped(int i) {
        return !entries[i].isOwed && receivers[i].isOver();
    }

    /** Returns for how many checks nobody waits any more. */
    int countOver() {
        int over = 0;
        for (int i = 0; i < size; i++) {
            over += receivers[i].isOver() ? 1 : 0;
        }
        return over;
    }

    /** Returns whether {@link #splitByCounter} can make smaller batches of this one. */
    public boolean isSplittable() {
        Merged first = merged.getFirst();
        if (first.plan != null) {
            return merged.size() > first.plan.checks().size();
        }
        for (int i = 1; i < merged.size(); i++) { // indexed: each call of the script asks
            if (!merged.get(i).check.key().equals(first.check.key())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes out the checks that have no answer yet, so that another call may answer them. Each is decided by itself. They
     * are taken whether anybody waits or not: some may be {@link Merged#oweExpiry owed}.
     *
     * @return a batch of them; null if there are none
     */
    public @Nullable Batch takeUnanswered() {
        return mark(entry -> !entry.isAnswered()) == 0 ? null : takeMarked();
    }

    /**
     * Takes out checks, each of which is decided by itself, into a batch of their own; all or none if there are several of one
     * counter, whose order matters.
     *
     * @param least so many are worth a batch
     * @return null if there are fewer, but for this batch itself if they are all
     */
    public @Nullable Batch take(Predicate<Merged> which, int least) {
        int marked = mark(which);
        if (marked == merged.size()) {
            return this;
        }
        return marked < least || latest.size() < merged.size() ? null : takeMarked();
    }

    /** Asks once for each: what is known of counters may change meanwhile. */
    private int mark(Predicate<Merged> which) {
        int marked = 0;
        for (int i = 0; i < merged.size(); i++) { // indexed: an iterator for each batch would be garbage
            Merged entry = merged.get(i);
            entry.isTaken = which.test(entry);
            marked += entry.isTaken ? 1 : 0;
        }
        return marked;
    }

    private Batch takeMarked() {
        var taken = new Batch();
        taken.newest = newest;
        for (int i = 0; i < size; i++) { // before anything changes here: there may be no memory for it
            if (entries[i].isTaken) {
                taken.addFrom(this, i);
            }
        }
        merged.removeIf(entry -> entry.isTaken);
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (!entries[i].isTaken) {
                entries[kept] = entries[i];
                receivers[kept] = receivers[i];
                positions[kept] = positions[i];
                kept++;
            }
        }
        size = kept;
        return taken;
    }

    /** Hands every check its answer, in order of arrival. Each of {@link #checks} was answered or failed before. */
    public void answer() {
        for (int i = 0; i < size; i++) {
            Merged entry = entries[i];
            if (entry.failure != null) {
                receivers[i].failed(positions[i], entry.failure);
            } else if (entry.evaluation != null) {
                receivers[i].answered(
                        positions[i],
                        Reading.of(entry.check, entry.evaluation, entry.handedOut++),
                        entry.evaluation.at());
            } else {
                receivers[i].failed(positions[i], new StoreException("the store left a check unanswered"));
            }
        }
    }

    /** Fails every check that has no answer of its own yet, and hands all of them out. */
    public void fail(StoreException failure) {
        for (Merged entry : merged) {
            if (!entry.isAnswered()) {
                entry.failure = failure;
            }
        }
        answer();
    }
}
