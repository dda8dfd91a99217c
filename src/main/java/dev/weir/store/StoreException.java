package dev.weir.store;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The store could not answer: gone, slow, or unable to count on the plan's counters. What it counted is mostly unknown; where it did
 * answer some of the plan's checks, that is so ({@link #readings}).
 */
public final class StoreException extends RuntimeException {
    private final Kind kind;
    private final transient List<@Nullable Reading> readings;

    private enum Kind {
        NO_ANSWER,
        ANSWER,
        SHUT_OUT,
        UNASKED
    }

    /** Creates the failure with a message for the operator. */
    public StoreException(String message) {
        this(message, Kind.NO_ANSWER, List.of());
    }

    private StoreException(String message, Kind kind, List<@Nullable Reading> readings) {
        // Under an outage there is one for each request, so there is no stack trace to fill in.
        super(message, null, false, false);
        this.kind = kind;
        this.readings = readings;
    }

    /** Creates a failure of which the store itself has told, with a message for the operator. */
    public static StoreException ofAnswer(String message) {
        return new StoreException(message, Kind.ANSWER, List.of());
    }

    /**
     * Creates a failure of which the store itself has told when a connection was made: it is there, and does not let us in. Each
     * plan would make a connection, to be told so again.
     */
    public static StoreException ofShutOut(String message) {
        return new StoreException(message, Kind.SHUT_OUT, List.of());
    }

    /** Creates the failure of a plan that came to no counter, so that nothing was counted, with a message for the operator. */
    public static StoreException ofUnasked(String message) {
        return new StoreException(message, Kind.UNASKED, List.of());
    }

    /**
     * Returns this failure, of a plan some of whose checks were answered.
     *
     * @param some one reading for each check, null where there is no answer
     */
    public StoreException withReadings(List<@Nullable Reading> some) {
        List<@Nullable Reading> kept = some.stream().allMatch(Objects::isNull) ? List.of() : some;
        return kept.isEmpty() && readings.isEmpty()
                ? this
                : new StoreException(String.valueOf(getMessage()), kind, kept);
    }

    /** Returns what was answered: one reading for each check of the plan, null where there is none; or nothing if that is so for all. */
    public List<@Nullable Reading> readings() {
        return readings;
    }

    /** Returns whether the store is there: it has answered, though not with what was asked for. */
    public boolean isAnswer() {
        return kind == Kind.ANSWER || kind == Kind.SHUT_OUT;
    }

    /** Returns whether the store has answered that it does not let us in. */
    public boolean isShutOut() {
        return kind == Kind.SHUT_OUT;
    }

    /** Returns whether no counter was asked, so that nothing was counted. */
    public boolean isUnasked() {
        return kind == Kind.UNASKED;
    }
}
