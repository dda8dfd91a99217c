package dev.weir.rules.yaml;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Quota;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads {@code algorithm} and the words that only some algorithms have. */
final class AlgorithmReader {
    private static final List<String> NAMES =
            Arrays.stream(Name.values()).map(Name::text).toList();

    private static final long NANOS_PER_MICRO = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Report report;
    private final Values values;

    AlgorithmReader(Report report) {
        this.report = report;
        this.values = new Values(report);
    }

    /**
     * Returns the algorithm, or null if it is wrong; the mistakes are reported.
     *
     * @param quota null if it is wrong
     */
    @Nullable
    Algorithm read(Fields fields, @Nullable Quota quota) {
        Name name = name(fields);
        if (name == null) {
            return null;
        }
        refuseForeign(fields, name);
        return switch (name) {
            case FIXED_WINDOW -> new Algorithm.FixedWindow();
            case SLIDING_WINDOW -> slidingWindow(fields, quota);
            case SLIDING_LOG -> slidingLog(fields, quota);
            case TOKEN_BUCKET -> even(fields, quota, Algorithm.TokenBucket::new);
            case LEAKY_BUCKET -> even(fields, quota, Algorithm.LeakyBucket::new);
            case GCRA -> even(fields, quota, Algorithm.Gcra::new);
        };
    }

    private @Nullable Name name(Fields fields) {
        Node node = fields.given(Word.ALGORITHM);
        if (node == null) {
            return Name.FIXED_WINDOW;
        }
        String text = values.choice(Word.ALGORITHM, node, NAMES);
        return text == null ? null : Name.valueOf(text.toUpperCase(Locale.ROOT));
    }

    /** Reports the words that belong to other algorithms. */
    private void refuseForeign(Fields fields, Name name) {
        for (Word word : List.of(Word.BURST, Word.PRECISION, Word.FORCE)) {
            if (fields.given(word) != null && name.word != word) {
                String owners = Arrays.stream(Name.values())
                        .filter(other -> other.word == word)
                        .map(other -> "`" + other.text() + "`")
                        .collect(Collectors.joining(" or "));
                report.mistake(
                        fields.key(word),
                        "`%s` means nothing to `%s`; remove it, or count by %s"
                                .formatted(word.text(), name.text(), owners));
            }
        }
    }

    private @Nullable Algorithm slidingWindow(Fields fields, @Nullable Quota quota) {
        Node node = fields.given(Word.PRECISION);
        if (node == null) {
            return new Algorithm.SlidingWindow(1);
        }
        Long precision = values.duration(Word.PRECISION, node, "`500ms`, `10s` or `15m`");
        if (precision == null || quota == null) {
            return null;
        }
        long window = quota.windowMicros() * NANOS_PER_MICRO;
        long parts = precision == 0 ? Long.MAX_VALUE : window / precision;
        if (parts > 0 && parts <= Algorithm.SlidingWindow.MAX_PARTS && window % precision == 0) {
            return new Algorithm.SlidingWindow((int) parts);
        }
        report.mistake(
                node,
                "`precision` must cut the window of %s into equal parts, at most %d; write for example `%s`"
                        .formatted(
                                text(window),
                                Algorithm.SlidingWindow.MAX_PARTS,
                                text(window / nearest(parts, window))));
        return null;
    }

    /** The nearest smaller number of parts that the window can have, each of whole milliseconds. */
    private static long nearest(long parts, long window) {
        long nearest = Math.clamp(parts, 1, Algorithm.SlidingWindow.MAX_PARTS);
        while (window / NANOS_PER_MILLI % nearest != 0) {
            nearest--;
        }
        return nearest;
    }

    private @Nullable Algorithm slidingLog(Fields fields, @Nullable Quota quota) {
        Node force = fields.given(Word.FORCE);
        boolean isForced = force != null && values.isOn(Word.FORCE, force);
        if (quota != null && quota.hits() > Algorithm.SlidingLog.LARGEST_UNFORCED && !isForced) {
            report.mistake(
                    fields.key(Word.ALGORITHM),
                    "a `sliding_log` remembers each hit, and %d of them for every counter cost much memory; write"
                                    .formatted(quota.hits())
                            + " `sliding_window`, or `force: true` if that is meant");
            return null;
        }
        return new Algorithm.SlidingLog();
    }

    /** Reads an algorithm that has a burst. */
    private @Nullable Algorithm even(Fields fields, @Nullable Quota quota, LongFunction<Algorithm> algorithm) {
        Node node = fields.given(Word.BURST);
        Long stated = node == null ? null : values.number(Word.BURST, node, 1);
        if (quota == null || (node != null && stated == null)) {
            return null;
        }
        if (stated == null) {
            return algorithm.apply(Math.max(1, quota.hits()));
        }
        long largest = Algorithm.largestBurst(quota);
        if (stated > largest) {
            report.mistake(
                    fields.key(Word.BURST),
                    "a burst of %d takes too long to earn back to be counted exactly; write `burst: %d` at the most"
                            .formatted(stated, largest));
            return null;
        }
        return algorithm.apply(stated);
    }

    /** Writes a duration of whole milliseconds in the largest unit that makes it whole. */
    private static String text(long nanos) {
        long millis = nanos / NANOS_PER_MILLI;
        if (millis % 1_000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1_000;
        return seconds % 3_600 == 0 ? seconds / 3_600 + "h" : seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }

    /** The algorithms as they are written, each with the word that only such ones have. */
    private enum Name {
        FIXED_WINDOW(null),
        SLIDING_WINDOW(Word.PRECISION),
        SLIDING_LOG(Word.FORCE),
        TOKEN_BUCKET(Word.BURST),
        LEAKY_BUCKET(Word.BURST),
        GCRA(Word.BURST);

        private final @Nullable Word word;

        Name(@Nullable Word word) {
            this.word = word;
        }

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
