package dev.weir.rules.yaml;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The table of all words of a rule file: where each may stand, what it takes and what it means.
 *
 * <p>A word that may stand in two places has a row for each, but for the words of {@code rate_limit}, which are those of an
 * entry of {@code rate_limits} too. What a reader does not know, what it refuses in the wrong
 * place and what docs/rules.md lists all follow from here.
 */
enum Word {
    DOMAIN(Place.FILE, "domain", Kind.TEXT, "the domain that callers ask for; required"),
    ATOMIC(
            Place.FILE,
            "atomic",
            Kind.TEXT,
            "`domain`: the counters of the whole domain live in one place of the store; left out or `descriptor`, only"
                    + " those of one descriptor do"),
    ON_STORE_FAILURE_OF_ALL(
            Place.FILE,
            "on_store_failure",
            Kind.TEXT,
            "what is answered when the store fails, by rules that do not say it themselves; left out, what"
                    + " `ON_STORE_FAILURE` says"),
    DESCRIPTORS(Place.FILE, "descriptors", Kind.LIST, "the first level of the domain's tree"),

    KEY(Place.DESCRIPTOR, "key", Kind.TEXT, "the entry's key, taken literally; required"),
    VALUE(
            Place.DESCRIPTOR,
            "value",
            Kind.TEXT,
            "the entry's value; with a `*` in it a pattern; left out or empty, every value"),
    RATE_LIMIT(Place.DESCRIPTOR, "rate_limit", Kind.MAP, "the limit on descriptors that end here; left out, none"),
    RATE_LIMITS(
            Place.DESCRIPTOR, "rate_limits", Kind.LIST, "up to 8 limits that hold together, in place of `rate_limit`"),
    CHILDREN(Place.DESCRIPTOR, "descriptors", Kind.LIST, "the next level of the tree"),
    SHADOW_MODE(Place.DESCRIPTOR, "shadow_mode", Kind.SWITCH, "count and report, but refuse nothing"),
    QUOTA_MODE(
            Place.DESCRIPTOR,
            "quota_mode",
            Kind.SWITCH,
            "refuse a request only if all its descriptors in quota mode are over"),
    ON_STORE_FAILURE(
            Place.DESCRIPTOR,
            "on_store_failure",
            Kind.TEXT,
            "what is answered when the store fails: `error`, `allow`, `deny` or `local`; left out, what the domain says"),
    SHARE_THRESHOLD(
            Place.DESCRIPTOR, "share_threshold", Kind.SWITCH, "all values that fit the pattern share one counter"),
    DETAILED_METRIC(
            Place.DESCRIPTOR, "detailed_metric", Kind.SWITCH, "name the rule's metrics by the values of the request"),
    VALUE_TO_METRIC(
            Place.DESCRIPTOR, "value_to_metric", Kind.SWITCH, "put this level's value into the name of the metrics"),
    METADATA(
            Place.DESCRIPTOR,
            "metadata",
            Kind.FREE,
            "handed to the caller as dynamic metadata when the descriptor passes"),

    UNIT(
            Place.RATE_LIMIT,
            "unit",
            Kind.TEXT,
            "the window: `second`, `minute`, `hour`, `day`, `week`, `month` (30 days) or `year` (365 days), in any case"),
    REQUESTS_PER_UNIT(Place.RATE_LIMIT, "requests_per_unit", Kind.NUMBER, "hits in one window; 0 refuses everything"),
    UNIT_MULTIPLIER(
            Place.RATE_LIMIT,
            "unit_multiplier",
            Kind.COUNT,
            "how many units the window has, up to ten years in all; left out, 1"),
    ALGORITHM(
            Place.RATE_LIMIT,
            "algorithm",
            Kind.TEXT,
            "how hits are counted: `fixed_window`, `sliding_window`, `sliding_log`, `token_bucket`, `leaky_bucket` or"
                    + " `gcra`; left out, `fixed_window`"),
    BURST(
            Place.RATE_LIMIT,
            "burst",
            Kind.COUNT,
            "hits admitted at once after a long silence, by `token_bucket`, `leaky_bucket` and `gcra`; left out,"
                    + " `requests_per_unit`"),
    PRECISION(
            Place.RATE_LIMIT,
            "precision",
            Kind.DURATION,
            "how long the equal parts of a `sliding_window` are, at most 120 of them; left out, as long as the window"),
    FORCE(Place.RATE_LIMIT, "force", Kind.SWITCH, "let a `sliding_log` remember more than 10000 hits"),
    CHARGE(
            Place.RATE_LIMIT,
            "charge",
            Kind.TEXT,
            "when hits are counted: `always`, `on_admit` or `drain`; left out, `always` for `fixed_window` and `on_admit`"
                    + " for the others"),
    BLOCK_FOR(
            Place.RATE_LIMIT,
            "block_for",
            Kind.DURATION,
            "how long everything is refused once this limit has refused, in whole seconds; left out, not at all"),
    UNLIMITED(
            Place.RATE_LIMIT,
            "unlimited",
            Kind.SWITCH,
            "let everything pass uncounted, in place of all that stands above"),
    NAME(Place.RATE_LIMIT, "name", Kind.TEXT, "the name by which other rules replace this limit and callers see it"),
    REPLACES(
            Place.RATE_LIMIT,
            "replaces",
            Kind.LIST,
            "the limits that do not count in a request in which this rule matches"),

    REPLACED(Place.REPLACES, "name", Kind.TEXT, "the name of the replaced limit; required");

    // Asked for each key of a file, where a copy of all words would be garbage.
    private static final Word[] ALL = values();

    private final Place place;
    private final String text;
    private final Kind kind;
    private final String meaning;

    Word(Place place, String text, Kind kind, String meaning) {
        this.place = place;
        this.text = text;
        this.kind = kind;
        this.meaning = meaning;
    }

    Place place() {
        return place;
    }

    /** The word as it is written. */
    String text() {
        return text;
    }

    Kind kind() {
        return kind;
    }

    String meaning() {
        return meaning;
    }

    /** Several limits are written with the words of one; a limit among others cannot be unlimited. */
    private boolean mayStand(Place where) {
        return place == where || (where == Place.RATE_LIMITS && place == Place.RATE_LIMIT && this != UNLIMITED);
    }

    /** Returns the word that is written so in that place, or null if there is none. */
    static @Nullable Word at(Place place, String text) {
        for (var word : ALL) {
            if (word.mayStand(place) && word.text.equals(text)) {
                return word;
            }
        }
        return null;
    }

    /** Returns the places whose rows have a word that is written so. */
    static List<Place> placesOf(String text) {
        List<Place> places = new ArrayList<>();
        for (var word : values()) {
            if (word.text.equals(text)) {
                places.add(word.place);
            }
        }
        return places;
    }

    /** Returns how the words of a place are written. */
    static List<String> textsAt(Place place) {
        List<String> texts = new ArrayList<>();
        for (var word : values()) {
            if (word.mayStand(place)) {
                texts.add(word.text);
            }
        }
        return texts;
    }

    /** The maps of a rule file, each with words of its own. */
    enum Place {
        FILE("at the top of a file"),
        DESCRIPTOR("in an entry of `descriptors`"),
        RATE_LIMIT("in `rate_limit`"),
        RATE_LIMITS("in an entry of `rate_limits`"),
        REPLACES("in an entry of `replaces`");

        private final String phrase;

        Place(String phrase) {
            this.phrase = phrase;
        }

        @Override
        public String toString() {
            return phrase;
        }
    }

    /** What a word takes. */
    enum Kind {
        TEXT("text"),
        NUMBER("whole number, 0 to 4294967295"),
        COUNT("whole number, 1 to 4294967295"),
        DURATION("duration"),
        SWITCH("true or false"),
        LIST("list of maps"),
        MAP("map"),
        FREE("map of anything");

        private final String phrase;

        Kind(String phrase) {
            this.phrase = phrase;
        }

        @Override
        public String toString() {
            return phrase;
        }
    }
}
