package dev.weir.settings.table;

import dev.weir.words.GoDuration;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Durations, switches and whole numbers as the Go service writes them, so that its environments can be taken over. */
public final class GoSyntax {
    private static final BigDecimal LONGEST_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);

    private static final int ASCII = 128;

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

    /**
     * Returns the whole number that Go's {@code strconv.ParseInt} reads in base 0: decimal, or after {@code 0x}, {@code 0b},
     * {@code 0o} or {@code 0} with the digits of that base, and with {@code _} between digits. Null if it is not one, or one
     * beyond 64 bits.
     */
    static @Nullable Long integer(String text) {
        String sign = text.startsWith("-") || text.startsWith("+") ? text.substring(0, 1) : "";
        String number = text.substring(sign.length());
        String prefix = prefix(number);
        String digits = number.substring(prefix.length());
        if ((prefix.isEmpty() && digits.startsWith("_")) || digits.endsWith("_") || digits.contains("__")) {
            return null;
        }
        String plain = digits.replace("_", "");
        int radix = radix(prefix);
        if (!plain.chars().allMatch(c -> c < ASCII && Character.digit(c, radix) >= 0)) {
            return null;
        }
        try {
            return Long.valueOf(sign + plain, radix);
        } catch (NumberFormatException _) {
            return null; // there is no digit, or it is too large; the caller says what is allowed
        }
    }

    private static String prefix(String number) {
        if (number.length() < 2 || number.charAt(0) != '0') {
            return "";
        }
        return number.substring(0, "xXbBoO".indexOf(number.charAt(1)) < 0 ? 1 : 2);
    }

    private static int radix(String prefix) {
        return switch (prefix) {
            case "" -> 10;
            case "0x", "0X" -> 16;
            case "0b", "0B" -> 2;
            default -> 8;
        };
    }
}
