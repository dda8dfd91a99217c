package dev.weir.rules.yaml;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.rules.Checks;
import dev.weir.rules.Mistake;
import dev.weir.rules.yaml.Word.Place;
import dev.weir.words.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the words of one limit: its quota, how and when hits are counted, and what a refusal leads to. */
final class LimitReader {
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private static final List<String> CHARGES = Arrays.stream(Charge.values())
            .map(charge -> charge.name().toLowerCase(Locale.ROOT))
            .toList();

    /** What says how a limit counts, beside its quota. */
    private static final List<Word> COUNTING = List.of(
            Word.UNIT_MULTIPLIER, Word.ALGORITHM, Word.BURST, Word.PRECISION, Word.FORCE, Word.CHARGE, Word.BLOCK_FOR);

    private final Charge fixedWindowCharge;
    private final Report report;
    private final Values values;
    private final AlgorithmReader algorithms;

    /**
     * Prepares the reading of one file's limits.
     *
     * @param fixedWindowCharge the charge of fixed windows that state none
     */
    LimitReader(Charge fixedWindowCharge, Report report) {
        this.fixedWindowCharge = fixedWindowCharge;
        this.report = report;
        this.values = new Values(report);
        this.algorithms = new AlgorithmReader(report);
    }

    /** Returns the limit, or null if it is wrong; the mistakes are reported. */
    @Nullable
    Limit read(Fields fields, Place place) {
        var quota = quota(fields, place);
        var algorithm = algorithms.read(fields, quota);
        var charge = charge(fields, algorithm);
        Long blockSeconds = blockSeconds(fields);
        return quota == null || algorithm == null || charge == null || blockSeconds == null
                ? null
                : new Limit(quota, algorithm, charge, blockSeconds);
    }

    /** Reports the words that an unlimited rule must not have, and remarks on the one that it may have, as in envoyproxy/ratelimit. */
    void refuseBesideUnlimited(Fields fields) {
        String unit = unitText(fields);
        if (unit == null || !unit.isEmpty()) {
            report.mistake(fields.key(Word.UNIT), Checks.UNIT_OF_NO_LIMIT);
        }
        if (requests(fields) != null) {
            report.remark(
                    fields.key(Word.REQUESTS_PER_UNIT),
                    "an unlimited rule lets everything pass, so that `requests_per_unit` is not used; remove it, or `unlimited`");
        }
        for (Word word : COUNTING) {
            if (fields.given(word) != null) {
                report.mistake(
                        fields.key(word),
                        "an unlimited rule counts nothing; remove `%s`, or `unlimited`".formatted(word.text()));
            }
        }
    }

    private @Nullable Quota quota(Fields fields, Place place) {
        String unitText = unitText(fields);
        Long requests = requests(fields);
        Long multiplier = multiplier(fields);
        boolean hasNoRequests = fields.given(Word.REQUESTS_PER_UNIT) == null;
        if ("".equals(unitText) && hasNoRequests) {
            fields.missing(
                    List.of(Word.UNIT, Word.REQUESTS_PER_UNIT, Word.UNLIMITED),
                    place == Place.RATE_LIMITS
                            ? "an entry of `rate_limits` says `unit` and `requests_per_unit`; write both"
                            : Checks.NO_LIMIT);
            return null;
        }
        if (hasNoRequests) {
            fields.missing(
                    Word.REQUESTS_PER_UNIT,
                    "`requests_per_unit` is missing; write the number of hits in one unit, 0 to refuse everything");
        }
        Unit unit = unitText == null ? null : unit(fields, unitText);
        if (unit == null || multiplier == null) {
            return null;
        }
        long most = Quota.MAX_WINDOW_SECONDS / unit.seconds();
        if (multiplier > most) {
            report.mistake(
                    fields.key(Word.UNIT_MULTIPLIER),
                    "a window must not be longer than ten years; with `unit: %s` write `unit_multiplier: %d` at the most"
                            .formatted(unit.name().toLowerCase(Locale.ROOT), most));
            return null;
        }
        return requests == null ? null : new Quota(requests, multiplier * unit.seconds());
    }

    /** The unit as written, empty if there is none, null if it is no text. */
    private @Nullable String unitText(Fields fields) {
        Node node = fields.value(Word.UNIT);
        return node == null ? "" : values.text(Word.UNIT, node);
    }

    private @Nullable Unit unit(Fields fields, String text) {
        if (text.isEmpty()) {
            fields.missing(Word.UNIT, Checks.NO_UNIT);
            return null;
        }
        Unit unit = Unit.ofName(text);
        Node node = fields.value(Word.UNIT);
        if (unit == null && node != null) {
            String near = Nearest.to(text, Checks.UNITS);
            String advice = near == null ? "write " + String.join(", ", Checks.UNITS) : "did you mean `" + near + "`?";
            report.mistake(node, "there is no unit `%s`; %s".formatted(Mistake.quoted(text), advice));
        }
        return unit;
    }

    private @Nullable Long requests(Fields fields) {
        Node node = fields.given(Word.REQUESTS_PER_UNIT);
        return node == null ? null : values.number(Word.REQUESTS_PER_UNIT, node, 0);
    }

    private @Nullable Long multiplier(Fields fields) {
        Node node = fields.given(Word.UNIT_MULTIPLIER);
        return node == null ? Long.valueOf(1) : values.number(Word.UNIT_MULTIPLIER, node, 1);
    }

    private @Nullable Charge charge(Fields fields, @Nullable Algorithm algorithm) {
        Node node = fields.given(Word.CHARGE);
        String text = node == null ? null : values.choice(Word.CHARGE, node, CHARGES);
        if (algorithm == null || (node != null && text == null)) {
            return null;
        }
        if (text == null) {
            return algorithm instanceof Algorithm.FixedWindow ? fixedWindowCharge : algorithm.defaultCharge();
        }
        var charge = Charge.valueOf(text.toUpperCase(Locale.ROOT));
        if (!algorithm.canCharge(charge)) {
            report.mistake(
                    fields.key(Word.CHARGE),
                    "refused hits cannot be counted here: %s; write `charge: on_admit`, or count in windows"
                            .formatted(
                                    algorithm.isEven()
                                            ? "there is no room for more than the burst"
                                            : "a log would grow with each of them"));
            return null;
        }
        return charge;
    }

    private @Nullable Long blockSeconds(Fields fields) {
        Node node = fields.given(Word.BLOCK_FOR);
        if (node == null) {
            return 0L;
        }
        Long nanos = values.duration(Word.BLOCK_FOR, node, "`10s`, `30m` or `24h`");
        if (nanos == null) {
            return null;
        }
        long seconds = nanos / NANOS_PER_SECOND;
        if (seconds == 0 || nanos % NANOS_PER_SECOND != 0 || seconds > Quota.MAX_WINDOW_SECONDS) {
            report.mistake(
                    node, "a lock lasts whole seconds, at least one and at most ten years; write `1s` to `87600h`");
            return null;
        }
        return seconds;
    }
}
