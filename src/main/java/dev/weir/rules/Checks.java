package dev.weir.rules;

import dev.weir.limit.Unit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What must hold for a rule, whatever it is written in, in sentences for who wrote it. */
public final class Checks {
    /** The units as they are written, the shortest first. */
    public static final List<String> UNITS = Arrays.stream(Unit.values())
            .sorted((one, other) -> Long.compare(one.seconds(), other.seconds()))
            .map(unit -> unit.name().toLowerCase(Locale.ROOT))
            .toList();

    /** A limit has no unit. */
    public static final String NO_UNIT = "`unit` is missing; write " + String.join(", ", UNITS);

    /** A node has no key. */
    public static final String NO_KEY = "an entry of `descriptors` needs a `key`; write `key: <name>`";

    /** There is no limit in what should be one. */
    public static final String NO_LIMIT =
            "a `rate_limit` says either `unit` and `requests_per_unit`, or `unlimited: true`; write one of them";

    /** A rule has a unit and no limit. */
    public static final String UNIT_OF_NO_LIMIT = "an unlimited rule has no window; remove `unit`, or `unlimited`";

    /**
     * Maps and lists of metadata inside of each other, its own map the first: each takes three messages inside of each other in an
     * answer, which lies four deep in them, and callers read a hundred.
     */
    public static final int MOST_METADATA_LEVELS = 30;

    /** Nobody writes these into a text that is to be compared as it is, or with stars. */
    private static final Pattern REGULAR = Pattern.compile("^\\^|/\\.\\*|\\.\\+|\\\\[dws]|\\[[^\\]]+\\][+*]");

    private Checks() {}

    /** Returns what is to be remarked on a value, which is right in any case, or null. */
    public static @Nullable String hardlyMeant(String value) {
        return REGULAR.matcher(value).find()
                ? "the value `%s` looks like a regular expression, and none is read as one: only `*` means more than itself, any characters or none"
                        .formatted(Mistake.quoted(value))
                : null;
    }

    /** Returns what is wrong with the key of a node that people write, or null. */
    public static @Nullable String key(String key) {
        if (key.isEmpty()) {
            return NO_KEY;
        }
        return key.indexOf('*') < 0
                ? null
                : "a `*` in a `key` is no pattern, only values have patterns; write `key: <name>` and the pattern as"
                        + " `value`";
    }

    /**
     * Returns what is wrong with a name in {@code replaces}, or null.
     *
     * @param own the name of the limit that replaces; null if that is wrong itself
     */
    public static @Nullable String replaced(String name, @Nullable String own) {
        if (name.isEmpty()) {
            return "an entry of `replaces` needs the `name` of a rule; write `- name: <name>`";
        }
        return name.equals(own)
                ? "the rule `%s` replaces itself; remove this entry".formatted(Mistake.quoted(name))
                : null;
    }

    /**
     * Returns what is wrong with a number in metadata, or null.
     *
     * @param text how it is written
     */
    public static @Nullable String metadataNumber(double number, String text) {
        return Double.isFinite(number)
                ? null
                : "the number %s of `metadata` is not finite, so that no answer could hold it; put it in quotes, or write another"
                        .formatted(text);
    }
}
