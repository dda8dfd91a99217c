package dev.weir.rules.explain;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Algorithm.FixedWindow;
import dev.weir.limit.Algorithm.Gcra;
import dev.weir.limit.Algorithm.LeakyBucket;
import dev.weir.limit.Algorithm.SlidingLog;
import dev.weir.limit.Algorithm.SlidingWindow;
import dev.weir.limit.Algorithm.TokenBucket;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import java.util.List;
import java.util.Locale;

/** A limit in words, as in "20 a second, sliding log, locked 30 min after a refusal; counts only what is admitted". */
final class LimitWords {
    private static final List<Length> LENGTHS = List.of(
            new Length(86_400_000_000L, "d"),
            new Length(3_600_000_000L, "h"),
            new Length(60_000_000, "min"),
            new Length(1_000_000, "s"),
            new Length(1_000, "ms"),
            new Length(1, "µs"));

    // A month and a year are not among them: several of them are told in days, which are the same everywhere.
    private static final List<Unit> COUNTED = List.of(Unit.WEEK, Unit.DAY, Unit.HOUR, Unit.MINUTE, Unit.SECOND);

    private LimitWords() {}

    /** Returns all that the limit says. */
    static String of(Limit limit) {
        return quota(limit.quota())
                + ", " + algorithm(limit)
                + (limit.blockSeconds() == 0 ? "" : ", locked " + length(limit.blockMicros()) + " after a refusal")
                + "; " + charge(limit.charge());
    }

    /** Returns the hits and their window, as in "5 a minute" or "1,000 in 5 minutes". */
    static String quota(Quota quota) {
        var unit = quota.unit();
        return number(quota.hits())
                + (unit == null ? " in " + window(quota.windowSeconds()) : " " + one(unit))
                + (quota.hits() == 0 ? " (nothing passes)" : "");
    }

    /** Returns how the limit counts, as in "token bucket, burst 40". */
    static String algorithm(Limit limit) {
        Algorithm algorithm = limit.algorithm();
        return switch (algorithm) {
            case FixedWindow _ -> "fixed window";
            case SlidingWindow(int parts) -> "sliding window" + parts(parts, limit.quota());
            case SlidingLog _ -> "sliding log";
            case TokenBucket(long burst) -> "token bucket, burst " + number(burst);
            case LeakyBucket(long burst) -> "leaky bucket, burst " + number(burst);
            case Gcra(long burst) -> "GCRA, burst " + number(burst);
        };
    }

    private static String parts(int parts, Quota quota) {
        return parts == 1 ? "" : " in " + parts + " parts of " + length(quota.windowMicros() / parts);
    }

    private static String charge(Charge charge) {
        return switch (charge) {
            case ALWAYS -> "refused hits count too";
            case ON_ADMIT -> "counts only what is admitted";
            case DRAIN -> "takes what is left";
        };
    }

    private static String one(Unit unit) {
        return (unit == Unit.HOUR ? "an " : "a ") + unit.name().toLowerCase(Locale.ROOT);
    }

    /** The longest unit that measures the window without a rest. */
    private static String window(long seconds) {
        for (Unit unit : COUNTED) {
            if (seconds % unit.seconds() == 0) {
                return number(seconds / unit.seconds()) + " " + unit.name().toLowerCase(Locale.ROOT) + "s";
            }
        }
        throw new IllegalArgumentException("every whole number is one of seconds");
    }

    private static String length(long micros) {
        for (Length length : LENGTHS) {
            if (micros % length.micros == 0) {
                return number(micros / length.micros) + " " + length.sign;
            }
        }
        throw new IllegalArgumentException("every whole number is one of microseconds");
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private record Length(long micros, String sign) {}
}
