package dev.weir.live;

import dev.weir.meter.Spread;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * What happened between two looks.
 *
 * @param from what was counted at the first
 * @param to what was counted at the second
 * @param seconds between them; 0 if there was no first one
 */
record Stretch(Figures from, Figures to, double seconds) {

    /** Returns how many came of something, by the second. */
    double each(ToLongFunction<Figures> count) {
        return bySecond(count.applyAsLong(to) - count.applyAsLong(from));
    }

    double bySecond(long many) {
        return seconds == 0 ? 0 : many / seconds;
    }

    Spread answers() {
        return to.answers().since(from.answers());
    }

    Spread store() {
        return to.store().since(from.store());
    }

    /** Returns the rules that were hit, those with the most hits first. */
    List<Figures.OfRule> rules() {
        Map<String, Figures.OfRule> before =
                from.rules().stream().collect(Collectors.toMap(Figures.OfRule::name, rule -> rule));
        return to.rules().stream()
                .map(rule -> rule.since(before.getOrDefault(rule.name(), Figures.OfRule.NONE)))
                .filter(rule -> rule.hits() > 0)
                .sorted(Comparator.comparingLong(Figures.OfRule::hits)
                        .reversed()
                        .thenComparing(Figures.OfRule::name))
                .toList();
    }
}
