package dev.weir.limit;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The units in which a quota's window is written, with their lengths and their numbers on the wire.
 *
 * <p>A week is seven days, a month thirty, a year 365: windows are stretches of time since the Unix epoch, not calendar
 * leaves, as in envoyproxy/ratelimit. Numbers are those of {@code RateLimitResponse.RateLimit.Unit}.
 */
public enum Unit {
    SECOND(1, 1),
    MINUTE(2, 60),
    HOUR(3, 3_600),
    DAY(4, 86_400),
    MONTH(5, 30 * 86_400),
    YEAR(6, 365 * 86_400),
    WEEK(7, 7 * 86_400);

    /** The number of "no unit of that length" on the wire. */
    public static final int UNKNOWN_NUMBER = 0;

    private static final Unit[] VALUES = values();

    private final int number;
    private final long seconds;

    Unit(int number, long seconds) {
        this.number = number;
        this.seconds = seconds;
    }

    /** Returns the unit's number on the wire. */
    public int number() {
        return number;
    }

    /** Returns the unit's length in seconds. */
    public long seconds() {
        return seconds;
    }

    /** Returns the unit with this number on the wire, or null if there is none. */
    public static @Nullable Unit ofNumber(int number) {
        return number >= 1 && number <= VALUES.length ? VALUES[number - 1] : null;
    }

    /** Returns the unit with this name in any case, or null if there is none. */
    public static @Nullable Unit ofName(String name) {
        for (Unit unit : VALUES) {
            if (unit.name().equals(name.toUpperCase(Locale.ROOT))) {
                return unit;
            }
        }
        return null;
    }

    /** Returns the unit of exactly this length in seconds, or null if there is none. */
    public static @Nullable Unit ofSeconds(long seconds) {
        for (Unit unit : VALUES) {
            if (unit.seconds == seconds) {
                return unit;
            }
        }
        return null;
    }
}
