package dev.weir.settings.table;

import dev.weir.words.GoDuration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the text of a variable may be.
 *
 * @param allowed what is allowed, in words that fit after "give"
 * @param parser makes the value of the text
 */
public record Kind<T>(String allowed, Parser<T> parser) {
    private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern BEARER_TOKEN =
            Pattern.compile("(?=.{16,200}\\z)[-._~+/0-9A-Za-z]+=*"); // RFC 6750, section 2.1
    private static final Pattern HOST_NAME = Pattern.compile("[^\\s/]*");

    public static final Kind<String> TEXT = of("any text", text -> text);
    public static final Kind<Path> PATH = of("a path", text -> text.indexOf('\0') < 0 ? Path.of(text) : null);
    public static final Kind<Boolean> SWITCH = of("`true` or `false`", GoSyntax::bool);
    public static final Kind<String> HOST = of(
            "an address or a name; empty is every address",
            text -> HOST_NAME.matcher(text).matches() ? text : null);
    public static final Kind<Integer> PORT = new Kind<>("a port from 0 (any free one) to 65535", Kind::port);
    public static final Kind<String> HEADER = of("the name of a header", text -> isHeader(text) ? text : null);
    public static final Kind<Optional<String>> HEADER_OR_NONE = of(
            "the name of a header, or nothing",
            text -> text.isEmpty() ? Optional.empty() : isHeader(text) ? Optional.of(text) : null);
    public static final Kind<String> KEY_PREFIX = of(
            "a text without `{` and `}`, which would move the counters of a Redis Cluster",
            text -> text.indexOf('{') < 0 && text.indexOf('}') < 0 ? text : null);
    public static final Kind<String> TOKEN = of(
            "nothing, or 16 to 200 of the letters, digits and signs that a bearer token may have: `-._~+/`, and `=` at its end",
            text -> text.isEmpty() || BEARER_TOKEN.matcher(text).matches() ? text : null);
    public static final Kind<Integer> POWER_OF_TWO_TO_4096 = of("a power of two from 1 to 4096", text -> {
        Integer number = within(GoSyntax.integer(text), 1, 4096);
        return number != null && Integer.bitCount(number) == 1 ? number : null;
    });
    public static final Kind<OptionalLong> BYTES = of("a whole number of bytes, or nothing", text -> {
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        Long number = GoSyntax.integer(text);
        return number == null ? null : OptionalLong.of(Math.max(0, number));
    });

    /** Makes a value of a text, or says what is wrong with it. */
    @FunctionalInterface
    public interface Parser<T> {
        T parse(String text) throws WrongValueException;
    }

    /** Makes a value of a text, or null of a wrong one. */
    @FunctionalInterface
    public interface Reader<T> {
        @Nullable
        T read(String text);
    }

    public static <T> Kind<T> of(String allowed, Reader<T> reader) {
        return new Kind<>(allowed, text -> {
            T value = reader.read(text);
            if (value == null) {
                throw new WrongValueException("give " + allowed);
            }
            return value;
        });
    }

    /** A number with or without a fraction, from 0 up. */
    public static final Kind<Double> FACTOR = of("a number from 0 to 1000", text -> {
        try {
            double number = Double.parseDouble(text);
            return number >= 0 && number <= 1000 ? number : null;
        } catch (NumberFormatException _) {
            return null; // as anything else that is not allowed
        }
    });

    public static Kind<Integer> number(int min, int max) {
        return of("a whole number from " + min + " to " + max, text -> within(GoSyntax.integer(text), min, max));
    }

    public static Kind<Duration> duration(Duration min, Duration max) {
        return duration(
                "a duration from " + GoDuration.text(min) + " to " + GoDuration.text(max),
                length -> length.compareTo(min) < 0 || length.compareTo(max) > 0 ? null : length);
    }

    /** As {@link #duration}, but what is longer than the longest is taken as that: who writes {@code 999999h} means never. */
    public static Kind<Duration> capped(Duration min, Duration longest) {
        return duration(
                "a duration from " + GoDuration.text(min) + "; longer than " + GoDuration.text(longest) + " is that",
                length -> capped(length, min, longest));
    }

    /** As {@link #capped}, where no time means no bound: it is the longest, too. */
    public static Kind<Duration> cappedOrZero(Duration min, Duration longest) {
        return duration(
                capped(min, longest).allowed() + ", and so is `0`",
                length -> length.isZero() ? longest : capped(length, min, longest));
    }

    /** Most who get one wrong have left out the unit. */
    private static Kind<Duration> duration(String allowed, Function<Duration, @Nullable Duration> bounds) {
        return new Kind<>(allowed, text -> {
            Duration length = GoSyntax.duration(text);
            if (length == null) {
                throw new WrongValueException("give " + allowed + ", as in `15ms` or `1m30s`");
            }
            Duration bounded = bounds.apply(length);
            if (bounded == null) {
                throw new WrongValueException("give " + allowed);
            }
            return bounded;
        });
    }

    private static @Nullable Duration capped(Duration length, Duration min, Duration longest) {
        if (length.compareTo(min) < 0) {
            return null;
        }
        return length.compareTo(longest) > 0 ? longest : length;
    }

    /**
     * One of some words in any case.
     *
     * @param meaning the words, in lower case, with what they stand for; null where a word stands for nothing
     * @param refused words that only the Go service knows, in lower case
     */
    public static <T> Kind<T> word(List<String> words, List<String> refused, Function<String, T> meaning) {
        String allowed = words.stream()
                .map(word -> word.isEmpty() ? "nothing" : "`" + word + "`")
                .collect(Collectors.joining(" or "));
        return new Kind<>(allowed, text -> {
            String word = text.toLowerCase(Locale.ROOT);
            if (refused.contains(word)) {
                throw new WrongValueException("only the Go service knows this; give " + allowed);
            }
            if (!words.contains(word)) {
                throw new WrongValueException("give " + allowed);
            }
            return meaning.apply(word);
        });
    }

    public static Kind<String> word(String... words) {
        return word(Arrays.asList(words), List.of(), word -> word);
    }

    /**
     * Returns a kind that takes an empty text too, as the Go service does where a variable is passed on without a value.
     *
     * @param preset the text that an empty one stands for
     */
    public Kind<T> orNothing(String preset) {
        String addition = ", or nothing for `" + preset + "`";
        return new Kind<>(allowed + addition, text -> {
            try {
                return parse(text.isEmpty() ? preset : text);
            } catch (WrongValueException wrong) {
                throw new WrongValueException(wrong.advice() + addition);
            }
        });
    }

    public T parse(String text) throws WrongValueException {
        return parser.parse(text);
    }

    private static boolean isHeader(String text) {
        return HEADER_NAME.matcher(text).matches();
    }

    private static Integer port(String text) throws WrongValueException {
        Integer port = within(GoSyntax.integer(text), 0, 65_535);
        if (port != null) {
            return port;
        }
        String injected = text.startsWith("tcp://") || text.startsWith("udp://")
                ? ". Kubernetes sets such values for a service of that name: `enableServiceLinks: false` stops it"
                : "";
        throw new WrongValueException("give a port from 0 (any free one) to 65535" + injected);
    }

    private static @Nullable Integer within(@Nullable Long number, int min, int max) {
        return number == null || number < min || number > max ? null : Integer.valueOf(number.intValue());
    }
}
