package dev.weir.store.redis;

import dev.weir.store.Reading;
import java.util.Comparator;
import java.util.List;

/**
 * A check of one hit that was asked and answered. Redis counted it at an instant that nobody here knows, but for sure not
 * before it was sent and not after its answer was there.
 *
 * @param sent before it was handed to the store, in microseconds since the Unix epoch
 * @param received after the store had answered, by the same clock
 * @param reading the answer
 */
record Asked(long sent, long received, Reading reading) {
    private static final long MICROS_PER_SECOND = 1_000_000;

    boolean isAdmitted() {
        return reading.isAdmitted();
    }

    /** Returns whether it was for sure counted in the second of the clock with this number. */
    boolean isSurelyIn(long second) {
        return sent / MICROS_PER_SECOND == second && received / MICROS_PER_SECOND == second;
    }

    /** Returns whether it may have been counted in the second of the clock with this number. */
    boolean mayBeIn(long second) {
        return sent / MICROS_PER_SECOND <= second && received / MICROS_PER_SECOND >= second;
    }

    static List<Asked> admitted(List<Asked> all) {
        return all.stream().filter(Asked::isAdmitted).toList();
    }

    static List<Asked> bySent(List<Asked> all) {
        return all.stream().sorted(Comparator.comparingLong(Asked::sent)).toList();
    }

    static List<Asked> byReceived(List<Asked> all) {
        return all.stream().sorted(Comparator.comparingLong(Asked::received)).toList();
    }
}
