package dev.weir.rules.explain;

import dev.weir.request.Entry;
import dev.weir.rules.Rule;
import dev.weir.rules.Rule.Level;
import java.util.List;

/** A rule that a descriptor nearly landed on, and the one thing that kept them apart. */
public sealed interface NearMiss {

    /** Returns the rule. */
    Rule rule();

    /**
     * Every entry fits, but on the way one of them went elsewhere.
     *
     * @param level the rule's node that was passed over
     * @param winner the node that the entry went to instead
     * @param isLast whether it was the last entry; else the ones after it never came near the rule
     */
    record Outranked(Rule rule, Level level, Level winner, Entry entry, boolean isLast) implements NearMiss {}

    /** All fits but the spelling of one key or value. */
    record OtherSpelling(Rule rule, Level level, Entry entry) implements NearMiss {}

    /** All fits but one key. */
    record OtherKey(Rule rule, Level level, Entry entry) implements NearMiss {}

    /** All fits but one value. */
    record OtherValue(Rule rule, Level level, Entry entry) implements NearMiss {}

    /**
     * The entries fit in another order.
     *
     * @param order that order
     */
    record OtherOrder(Rule rule, List<Entry> order) implements NearMiss {}

    /**
     * The entries fit, but the rule asks for more of them.
     *
     * @param missing the rule's nodes for which there is no entry
     */
    record TooFew(Rule rule, List<Level> missing) implements NearMiss {}

    /**
     * The entries fit but for some that the rule does not ask for.
     *
     * @param extra those
     */
    record TooMany(Rule rule, List<Entry> extra) implements NearMiss {}

    /** Returns what kept them apart, in words that follow {@link RuleWords#place}. */
    default String reason() {
        return switch (this) {
            case Outranked miss ->
                "fits too, but `" + RuleWords.node(miss.winner) + "` goes first: "
                        + Landing.of(miss.winner, miss.entry).before(Landing.of(miss.level, miss.entry))
                        + (miss.isLast ? "" : ", and there is no way back");
            case OtherSpelling miss -> {
                boolean isKey = !miss.level.key().equals(miss.entry.key());
                yield isKey
                        ? spelling("key ", miss.entry.key(), miss.level.key(), false)
                        : spelling("", miss.entry.value(), miss.level.value(), miss.level.isPattern());
            }
            case OtherKey miss ->
                "has `" + miss.entry.value() + "` under the key `" + miss.level.key() + "`, not `" + miss.entry.key()
                        + "`";
            case OtherValue miss ->
                miss.level.isPattern()
                        ? "`" + miss.level.value() + "` does not fit `" + miss.entry.value() + "`"
                        : "asks for `" + miss.level.value() + "`, not `" + miss.entry.value() + "`";
            case OtherOrder miss -> "would match in this order: `" + RuleWords.entries(miss.order) + "`";
            case TooFew miss -> "asks for `" + RuleWords.nodes(miss.missing) + "`, too";
            case TooMany miss -> "would match without `" + RuleWords.entries(miss.extra) + "`";
        };
    }

    /** A pattern is near only if case alone keeps the value from fitting it. */
    private static String spelling(String what, String asked, String written, boolean isPattern) {
        return what + "`" + written + "` and `" + asked + "` differ in "
                + (isPattern || asked.equalsIgnoreCase(written) ? "upper and lower case only" : "a few letters only");
    }
}
