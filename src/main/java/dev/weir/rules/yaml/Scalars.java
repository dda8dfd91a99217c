package dev.weir.rules.yaml;

import dev.weir.rules.yaml.Node.Kind;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an unquoted word is: nothing, a truth value, a number or text, by the rules of YAML 1.1 as the Go service's parser
 * reads them. There {@code y} is true, a number may have {@code _} in it, and 1:30 and dates are text. So is a
 * number that no double can hold: {@code 123e4567} is the beginning of a UUID.
 */
final class Scalars {
    private static final Set<String> NOTHING = Set.of("", "~", "null", "Null", "NULL");
    private static final Set<String> TRUE =
            Set.of("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE");
    private static final Set<String> FALSE =
            Set.of("n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE");
    private static final Pattern FLOAT = Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
    private static final Pattern NO_NUMBER = Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");
    private static final Pattern INTEGER =
            Pattern.compile("[-+]?(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)");

    private Scalars() {}

    /**
     * Returns what a scalar is; a tag that its word does not live up to makes it text.
     *
     * @param tag as it is written, or null
     * @param isPlain whether the word stands without quotes
     */
    static Kind kind(@Nullable String tag, boolean isPlain, String word) {
        if (tag == null || tag.equals("!")) {
            return isPlain ? kindOf(word) : Kind.TEXT;
        }
        Kind found = kindOf(word);
        return switch (tag) {
            case "tag:yaml.org,2002:float" -> found == Kind.INTEGER ? Kind.FRACTION : only(Kind.FRACTION, found);
            case "tag:yaml.org,2002:int" -> only(Kind.INTEGER, found);
            case "tag:yaml.org,2002:bool" -> only(Kind.TRUTH, found);
            case "tag:yaml.org,2002:null" -> only(Kind.NOTHING, found);
            case "tag:yaml.org,2002:merge" -> only(Kind.MERGE, found);
            default -> Kind.TEXT;
        };
    }

    private static Kind only(Kind wanted, Kind found) {
        return wanted == found ? found : Kind.TEXT;
    }

    private static Kind kindOf(String word) {
        if (NOTHING.contains(word)) {
            return Kind.NOTHING;
        }
        if (TRUE.contains(word) || FALSE.contains(word)) {
            return Kind.TRUTH;
        }
        if (word.equals("<<")) {
            return Kind.MERGE;
        }
        if ("+-.0123456789".indexOf(word.charAt(0)) < 0) {
            return Kind.TEXT;
        }
        if (integer(word) != null) {
            return Kind.INTEGER;
        }
        String digits = plain(word);
        boolean isFloat = FLOAT.matcher(digits).matches() && !Double.isInfinite(Double.parseDouble(digits));
        return isFloat || NO_NUMBER.matcher(word).matches() ? Kind.FRACTION : Kind.TEXT;
    }

    /** Returns whether a word of {@link Kind#TRUTH} is true. */
    static boolean isTrue(String word) {
        return TRUE.contains(word);
    }

    /** Returns the whole number that is written here, or null if none is, or one beyond 64 bits. */
    static @Nullable Long integer(String word) {
        String digits = plain(word);
        if (!INTEGER.matcher(digits).matches()) {
            return null;
        }
        boolean isNegative = digits.charAt(0) == '-';
        int start = isNegative || digits.charAt(0) == '+' ? 1 : 0;
        int radix = radix(digits, start);
        if (radix != 10) {
            start += Character.isLetter(digits.charAt(start + 1)) ? 2 : 1;
        }
        try {
            return Long.valueOf((isNegative ? "-" : "") + digits.substring(start), radix);
        } catch (NumberFormatException e) {
            return null; // the pattern fits, so it is too large; a million digits are not worked out to learn that
        }
    }

    /** Returns whether a word is written as a whole number, and is one beyond 64 bits: up to what a double holds that is read as one with a fraction, else as text. */
    static boolean isTooLarge(String word) {
        return INTEGER.matcher(plain(word)).matches() && integer(word) == null;
    }

    /** What begins with a zero is octal, unless a letter says otherwise. */
    private static int radix(String digits, int start) {
        if (digits.charAt(start) != '0' || start + 1 == digits.length()) {
            return 10;
        }
        return switch (digits.charAt(start + 1)) {
            case 'x', 'X' -> 16;
            case 'b', 'B' -> 2;
            default -> 8;
        };
    }

    /** Returns the number of a word of {@link Kind#INTEGER} or {@link Kind#FRACTION}, as near as a double can be. */
    static double number(String word) {
        Long whole = integer(word);
        if (whole != null) {
            return whole;
        }
        return switch (plain(word).toLowerCase(Locale.ROOT)) {
            case ".inf", "+.inf" -> Double.POSITIVE_INFINITY;
            case "-.inf" -> Double.NEGATIVE_INFINITY;
            case ".nan" -> Double.NaN;
            default -> Double.parseDouble(plain(word));
        };
    }

    private static String plain(String word) {
        return word.replace("_", "");
    }
}
