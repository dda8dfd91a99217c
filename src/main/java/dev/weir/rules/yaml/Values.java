package dev.weir.rules.yaml;

import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Quota;
import dev.weir.rules.yaml.Node.Kind;
import dev.weir.rules.yaml.Node.Mapping;
import dev.weir.rules.yaml.Node.Scalar;
import dev.weir.rules.yaml.Node.Sequence;
import dev.weir.words.GoDuration;
import dev.weir.words.Nearest;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what words take, or reports that something else stands there. */
final class Values {
    private static final Pattern DAYS = Pattern.compile("([1-9][0-9]{0,3})d");
    private static final long HOURS_PER_DAY = 24;
    private static final BigDecimal MOST_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final List<String> POLICIES =
            Arrays.stream(FailurePolicy.values()).map(FailurePolicy::word).toList();

    private final Report report;

    Values(Report report) {
        this.report = report;
    }

    /** Returns the text as it is written, whatever YAML makes of it; empty for nothing; null if it is no text. */
    @Nullable
    String text(Word word, Node node) {
        if (!(node instanceof Scalar scalar)) {
            refuse(word, node, "text");
            return null;
        }
        Kind kind = scalar.kind();
        if (kind == Kind.FRACTION) {
            report.mistake(
                    node,
                    "`%1$s` must be text, but %2$s is %3$s; put it in quotes: '%2$s'"
                            .formatted(
                                    word.text(),
                                    shortened(scalar.text()),
                                    Scalars.isTooLarge(scalar.text())
                                            ? "too large for a whole number"
                                            : "a number with a fraction or an exponent"));
            return null;
        }
        return kind == Kind.NOTHING ? "" : scalar.text();
    }

    /** Returns the word if it is one of {@code choices}, else null. */
    @Nullable
    String choice(Word word, Node node, List<String> choices) {
        String text = text(word, node);
        if (text == null || choices.contains(text)) {
            return text;
        }
        String near = Nearest.to(text, choices);
        report.mistake(
                node,
                "`%s` cannot be `%s`; %s"
                        .formatted(
                                word.text(),
                                shortened(text),
                                near == null ? "write " + String.join(", ", choices) : "did you mean `" + near + "`?"));
        return null;
    }

    /** Returns the policy that the word gives, or null if it is not there or gives none. */
    @Nullable
    FailurePolicy failurePolicy(Word word, Fields fields) {
        Node node = fields.given(word);
        String text = node == null ? null : choice(word, node, POLICIES);
        return text == null ? null : FailurePolicy.valueOf(text.toUpperCase(Locale.ROOT));
    }

    /**
     * Returns the duration in nanoseconds, at most {@link Long#MAX_VALUE}, or null if it is none.
     *
     * @param examples of what the word takes, which is not any duration
     */
    @Nullable
    Long duration(Word word, Node node, String examples) {
        BigDecimal nanos = node instanceof Scalar scalar ? GoDuration.nanos(scalar.text()) : null;
        if (nanos == null) {
            report.mistake(node, refusal(word, node, "a duration such as " + examples) + inHours(node));
            return null;
        }
        return nanos.min(MOST_NANOS).longValue();
    }

    /** Go knows no days. */
    private static String inHours(Node node) {
        var days = DAYS.matcher(node instanceof Scalar scalar ? scalar.text() : "");
        return days.matches() ? "; write `" + Long.parseLong(days.group(1)) * HOURS_PER_DAY + "h`" : "";
    }

    /** Returns the number, or null if it is none from {@code least} to 4294967295. */
    @Nullable
    Long number(Word word, Node node, long least) {
        if (node instanceof Scalar scalar && scalar.kind() == Kind.INTEGER) {
            Long number = Scalars.integer(scalar.text());
            if (number != null && number >= least && number <= Quota.MAX_HITS) {
                return number;
            }
        }
        refuse(word, node, "a whole number from " + least + " to " + Quota.MAX_HITS + ", without quotes");
        return null;
    }

    /** Returns whether the switch is on; nothing is off. */
    boolean isOn(Word word, Node node) {
        if (node instanceof Scalar scalar) {
            Kind kind = scalar.kind();
            if (kind == Kind.TRUTH) {
                return Scalars.isTrue(scalar.text());
            }
            if (kind == Kind.NOTHING) {
                return false;
            }
        }
        refuse(word, node, "true or false, without quotes");
        return false;
    }

    /** Returns the map, or null if there is nothing or something else. */
    @Nullable
    Mapping map(Word word, Node node) {
        if (node instanceof Mapping map) {
            return map;
        }
        if (!isNothing(node)) {
            refuse(word, node, "a map: indented lines of `word: value`");
        }
        return null;
    }

    /** Returns the list's maps; what is no map among them is reported and left out. */
    List<Mapping> maps(Word word, Sequence list) {
        List<Mapping> maps = new ArrayList<>(list.elements().size());
        for (Node element : list.elements()) {
            var map = element(word, element);
            if (map != null) {
                maps.add(map);
            }
        }
        return maps;
    }

    /** Returns the element of a list if it is a map, else null. */
    @Nullable
    Mapping element(Word word, Node element) {
        if (element instanceof Mapping map) {
            return map;
        }
        String first = switch (word) {
            case REPLACES -> "name";
            case RATE_LIMITS -> "unit";
            default -> "key";
        };
        report.mistake(
                element,
                "`%s` takes a list of maps, but this is %s; write `- %s: ...`"
                        .formatted(word.text(), describe(element), first));
        return null;
    }

    /** Returns the list, or null if there is nothing or something else. */
    @Nullable
    Sequence list(Word word, Node node) {
        if (node instanceof Sequence list) {
            return list;
        }
        if (!isNothing(node)) {
            refuse(word, node, "a list: write `- ` before each entry");
        }
        return null;
    }

    private void refuse(Word word, Node node, String wanted) {
        report.mistake(node, refusal(word, node, wanted));
    }

    private static String refusal(Word word, Node node, String wanted) {
        return "`%s` must be %s, but this is %s".formatted(word.text(), wanted, describe(node));
    }

    static boolean isNothing(Node node) {
        return node instanceof Scalar scalar && scalar.kind() == Kind.NOTHING;
    }

    /** Says what stands there, as in {@code the text '5'}. */
    static String describe(Node node) {
        return switch (node) {
            case Mapping _ -> "a map";
            case Sequence _ -> "a list";
            case Scalar scalar ->
                switch (scalar.kind()) {
                    case NOTHING -> "nothing";
                    case TRUTH -> "the truth value " + scalar.text();
                    case INTEGER, FRACTION -> "the number " + shortened(scalar.text());
                    case TEXT, MERGE -> "the text '" + shortened(scalar.text()) + "'";
                };
        };
    }

    static String shortened(String text) {
        return text.length() <= 60 ? text : text.substring(0, 60) + "...";
    }
}
