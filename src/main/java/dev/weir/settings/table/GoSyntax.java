package dev.weir.settings.table;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations, switches and whole numbers as the Go service writes them, so that its environments can be taken over. */
public final class GoSyntax {
    private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)");
    private static final Pattern DURATION = Pattern.compile("[+-]?(?:0|(?:" + PART.pattern() + ")+)");

    /** Nobody writes a longer one; the pattern would fill the stack with its parts. */
    private static final int LONGEST_DURATION = 100;

    private static final Map<String, Long> NANOS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "µs", 1_000L,
            "μs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    private GoSyntax() {}

    /**
     * Returns the length written as {@code 10s}, {@code 150us}, {@code 1h30m}, {@code 1.5h} or {@code 0}; null if it is
     * not one, or longer than the 292 years that a Go duration holds.
     */
    public static @Nullable Duration duration(String text) {
        if (text.length() > LONGEST_DURATION || !DURATION.matcher(text).matches()) {
            return null;
        }
        var nanos = BigDecimal.ZERO;
        var parts = PART.matcher(text);
        while (parts.find()) {
            var unit = BigDecimal.valueOf(NANOS.getOrDefault(parts.group(2), 0L));
            nanos = nanos.add(new BigDecimal(parts.group(1)).multiply(unit));
        }
        if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            return null;
        }
        var length = Duration.ofNanos(nanos.longValue());
        return text.startsWith("-") ? length.negated() : length;
    }

    /** Returns what Go's {@code strconv.ParseBool} makes of the text; null if it is neither true nor false. */
    static @Nullable Boolean bool(String text) {
        return switch (text) {
            case "1", "t", "T", "TRUE", "true", "True" -> true;
            case "0", "f", "F", "FALSE", "false", "False" -> false;
            default -> null;
        };
    }

    /** Returns the whole number written in decimal, or as {@code 0x..} in hexadecimal; null if it is not one. */
    static @Nullable Long integer(String text) {
        try {
            return text.startsWith("0x") ? Long.valueOf(text.substring(2), 16) : Long.valueOf(text);
        } catch (NumberFormatException _) {
            return null; // the caller says what is allowed
        }
    }

    /** Writes a length as {@link #duration} reads it, in the largest unit that makes it whole. */
    static String text(Duration length) {
        long nanos = length.toNanos();
        for (String unit : new String[] {"h", "m", "s", "ms", "us"}) {
            long size = NANOS.getOrDefault(unit, 1L);
            if (nanos != 0 && nanos % size == 0) {
                return nanos / size + unit;
            }
        }
        return nanos == 0 ? "0" : nanos + "ns";
    }
}
