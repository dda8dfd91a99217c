package dev.weir.words;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Lengths of time as Go writes them, such as {@code 10s}, {@code 150us}, {@code 1h30m} or {@code 1.5h}. */
public final class GoDuration {
    private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)");
    private static final Pattern ALL = Pattern.compile("(?:" + PART.pattern() + ")+");

    /** Nobody writes a longer one; the pattern would fill the stack with its parts, and its digits be worked on for minutes. */
    private static final int LONGEST = 100;

    private static final Map<String, Long> NANOS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "µs", 1_000L,
            "μs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    private GoDuration() {}

    /** Returns the nanoseconds of a length without a sign, which may be more than a {@code long} holds; null if the text is none. */
    public static @Nullable BigDecimal nanos(String text) {
        if (text.length() > LONGEST || !ALL.matcher(text).matches()) {
            return null;
        }
        var nanos = BigDecimal.ZERO;
        var parts = PART.matcher(text);
        while (parts.find()) {
            var unit = BigDecimal.valueOf(NANOS.getOrDefault(parts.group(2), 0L));
            nanos = nanos.add(new BigDecimal(parts.group(1)).multiply(unit));
        }
        return nanos;
    }

    /** Writes a length in the largest unit that makes it whole. */
    public static String text(Duration length) {
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
