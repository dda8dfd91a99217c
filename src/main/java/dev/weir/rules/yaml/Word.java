package dev.weir.rules.yaml;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The table of all words of a rule file: where each may stand, what it takes and what it means.
 *
 * <p>A word that may stand in two places has a row for each. What a reader does not know, what it refuses in the wrong
 * place and what docs/rules.md lists all follow from here.
 */
enum Word {
    DOMAIN(Place.FILE, "domain", Kind.TEXT, "the domain that callers ask for; required"),
    DESCRIPTORS(Place.FILE, "descriptors", Kind.LIST, "the first level of the domain's tree"),

    KEY(Place.DESCRIPTOR, "key", Kind.TEXT, "the entry's key, taken literally; required"),
    VALUE(
            Place.DESCRIPTOR,
            "value",
            Kind.TEXT,
            "the entry's value; with a `*` in it a pattern; left out or empty, every value"),
    RATE_LIMIT(Place.DESCRIPTOR, "rate_limit", Kind.MAP, "the limit on descriptors that end here; left out, none"),
    CHILDREN(Place.DESCRIPTOR, "descriptors", Kind.LIST, "the next level of the tree"),
    SHADOW_MODE(Place.DESCRIPTOR, "shadow_mode", Kind.SWITCH, "count and report, but refuse nothing"),
    QUOTA_MODE(
            Place.DESCRIPTOR,
            "quota_mode",
            Kind.SWITCH,
            "refuse a request only if all its descriptors in quota mode are over"),
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
    UNLIMITED(Place.RATE_LIMIT, "unlimited", Kind.SWITCH, "let everything pass uncounted; excludes `unit`"),
    NAME(Place.RATE_LIMIT, "name", Kind.TEXT, "the name under which other rules replace this one and callers see it"),
    REPLACES(
            Place.RATE_LIMIT,
            "replaces",
            Kind.LIST,
            "the rules that do not count in a request in which this one matches"),

    REPLACED(Place.REPLACES, "name", Kind.TEXT, "the name of the replaced rule; required");

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

    /** Returns the word that is written so in that place, or null if there is none. */
    static @Nullable Word at(Place place, String text) {
        for (var word : values()) {
            if (word.place == place && word.text.equals(text)) {
                return word;
            }
        }
        return null;
    }

    /** Returns the places in which a word that is written so may stand. */
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
            if (word.place == place) {
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
