package dev.weir.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToIntFunction;

/**
 * Checks that go to the store together, equal ones merged into one.
 *
 * <p>A hot counter then costs the store one step for a whole batch: {@code times} equal checks are answered with how many
 * of them were admitted, and {@link #answer} hands the admissions out in order of arrival. Checks are equal only if no
 * other check of the same counter came in between, for that one must see what the earlier ones counted and the later ones
 * what it counted.
 */
public final class Batch {
    /** The largest number of different checks in one call: what the store does at one go, while others wait. */
    public static final int MAX_CHECKS = 256;

    /** The largest number of equal checks merged into one: keeps {@code hits * times} far below 2^43. */
    static final int MAX_TIMES = 4_096;

    private static final int FIRST_SIZE = 64;

    private final List<Merged> merged = new ArrayList<>(FIRST_SIZE);
    private final Map<CounterKey, Merged> latest = HashMap.newHashMap(FIRST_SIZE);
    private Merged[] entries = new Merged[FIRST_SIZE];
    private Receiver[] receivers = new Receiver[FIRST_SIZE];
    private int[] positions = new int[FIRST_SIZE];
    private int size;

    /** Where the answers go: one for each check, on the thread on which the store answered. */
    public interface Receiver {
        /** Returns whether nobody waits for the answer any more. */
        boolean isOver();

        /** Takes the answer to the check at {@code position} of the receiver's plan. */
        void answered(int position, Reading reading);

        /** Takes the failure of the check at {@code position} of the receiver's plan. */
        void failed(int position, StoreException failure);
    }

    /** Returns how many checks were added, merged or not. */
    public int size() {
        return size;
    }

    /** Adds one check. */
    public void add(Check check, Receiver receiver, int position) {
        Merged entry = latest.get(check.key());
        if (entry == null || entry.times == MAX_TIMES || !entry.check.isSameAs(check)) {
            entry = new Merged(check);
            merged.add(entry);
            latest.put(check.key(), entry);
        }
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
     * Returns the checks that are still waited for in batches of their own, in the same order, for a store that cannot take
     * them together.
     *
     * @param part says for each counter which batch its checks go to, 0 to {@code parts} - 1
     */
    public List<Batch> splitBy(ToIntFunction<CounterKey> part, int parts) {
        var batches = new Batch[parts];
        for (int i = 0; i < size; i++) {
            if (receivers[i].isOver()) {
                continue;
            }
            int number = part.applyAsInt(entries[i].check.key());
            if (batches[number] == null) {
                batches[number] = new Batch();
            }
            batches[number].add(entries[i].check, receivers[i], positions[i]);
        }
        return Arrays.stream(batches).filter(Objects::nonNull).toList();
    }

    /** Hands every check its answer, in order of arrival. Each of {@link #checks} was answered or failed before. */
    public void answer() {
        for (int i = 0; i < size; i++) {
            Merged entry = entries[i];
            if (entry.failure != null) {
                receivers[i].failed(positions[i], entry.failure);
            } else if (entry.evaluation != null) {
                receivers[i].answered(positions[i], Reading.of(entry.check, entry.evaluation, entry.handedOut++));
            } else {
                receivers[i].failed(positions[i], new StoreException("the store left a check unanswered"));
            }
        }
    }

    /** Fails every check that has no answer of its own yet, and hands all of them out. */
    public void fail(StoreException failure) {
        for (Merged entry : merged) {
            if (entry.evaluation == null && entry.failure == null) {
                entry.failure = failure;
            }
        }
        answer();
    }
}
