package dev.weir.settings.table;

import dev.weir.words.GoDuration;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Durations, switches and whole numbers as the Go service writes them, so that its environments can be taken over. */
public final class GoSyntax {
    private static final BigDecimal LONGEST_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);

    private GoSyntax() {}

    /**
     * Returns the length written as {@link GoDuration} reads it, with or without a sign, or as {@code 0}; null if it is not
     * one, or longer than the 292 years that a Go duration holds.
     */
    public static @Nullable Duration duration(String text) {
        String length = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
        BigDecimal nanos = length.equals("0") ? BigDecimal.ZERO : GoDuration.nanos(length);
        if (nanos == null || nanos.compareTo(LONGEST_NANOS) > 0) {
            return null;
        }
        return Duration.ofNanos(text.startsWith("-") ? -nanos.longValue() : nanos.longValue());
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
}
