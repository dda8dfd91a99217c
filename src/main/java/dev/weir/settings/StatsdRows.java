package dev.weir.settings;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.weir.metrics.statsd.Mogrifier;
import dev.weir.metrics.statsd.StatsdOptions;
import dev.weir.settings.table.Environment;
import dev.weir.settings.table.Feature;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.Rows;
import dev.weir.settings.table.Setting;
import dev.weir.settings.table.Setting.Group;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables of servers of statsd that are told what is counted. */
final class StatsdRows {
    private static final Rows ROWS = new Rows(Group.METRICS);
    private static final Rows OF_STATSD = ROWS.of(Feature.STATSD);
    private static final Rows OF_DOG_STATSD = ROWS.of(Feature.DOG_STATSD);
    private static final Rows OF_EITHER = ROWS.of(Feature.EITHER_STATSD);
    private static final String USUAL_PORT = "8125";
    private static final Kind<Map<String, String>> PAIRS = Kind.of("`key:value,key:value`", StatsdRows::pairs);
    private static final Kind<String> SOMETHING = Kind.of("a text", text -> text.isEmpty() ? null : text);
    private static final Kind<String> ONE_LINE = Kind.of("any text", text -> text.replace("\n", ""));
    private static final Pattern OF_MOGRIFIER = Pattern.compile("DOG_STATSD_MOGRIFIER_.+_(PATTERN|NAME|TAGS)");
    private static final Kind<Pattern> PATTERN = Kind.of("a regular expression of RE2", StatsdRows::pattern);

    private static final Setting<Boolean> USE_STATSD = ROWS.add(
            "USE_STATSD",
            "true",
            Kind.SWITCH,
            "Tell a server of statsd. Not set: only where neither `USE_PROMETHEUS` nor `USE_DOG_STATSD` is `true`.");
    private static final Setting<Boolean> USE_DOG_STATSD =
            ROWS.add("USE_DOG_STATSD", "false", Kind.SWITCH, "Tell a server of DogStatsD, by UDP.");
    private static final Setting<String> STATSD_HOST =
            OF_EITHER.add("STATSD_HOST", "localhost", Kind.TEXT.orNothing("localhost"), "The host of either.");
    private static final Setting<Integer> STATSD_PORT = OF_EITHER.add(
            "STATSD_PORT",
            USUAL_PORT,
            new Kind<>(
                    "a port; `tcp://...`, as Kubernetes sets it for a service called statsd, is the usual one",
                    text -> Kind.PORT.parse(
                            text.startsWith("tcp://") || text.startsWith("udp://") ? USUAL_PORT : text)),
            "Its port.");
    private static final Setting<String> STATSD_PROTOCOL =
            OF_STATSD.add("STATSD_PROTOCOL", "tcp", Kind.word("tcp", "udp").orNothing("tcp"), "How statsd is told.");
    private static final Setting<Duration> STATS_FLUSH_INTERVAL = OF_EITHER.add(
            "STATS_FLUSH_INTERVAL",
            "10s",
            Kind.capped(Duration.ofMillis(1), Duration.ofDays(3650)),
            "How often they are told.");
    private static final Setting<Map<String, String>> EXTRA_TAGS = OF_EITHER.add(
            "EXTRA_TAGS",
            "",
            PAIRS,
            "Tags of every counter for statsd and DogStatsD: `.__key=value` behind its name, or tags; `.`, `:` and `|` in a value"
                    + " become `_`. Prometheus does not see them.");
    private static final Setting<String> USE_DOG_STATSD_MOGRIFIERS = OF_DOG_STATSD.add(
            "USE_DOG_STATSD_MOGRIFIERS",
            "",
            Kind.TEXT,
            "Names, by commas, of rules for DogStatsD's names: `DOG_STATSD_MOGRIFIER_<NAME>_PATTERN`, in capitals whatever the name"
                    + " here, a regular expression of RE2; `..._NAME`, what a name that fits becomes; `..._TAGS`, its tags as `key:value,key:value`. `$1` is what"
                    + " the first group found. The first rule that fits is taken.");

    private static final Setting<String> DD_ENTITY_ID = OF_DOG_STATSD.add(
            "DD_ENTITY_ID", "", ONE_LINE, "A tag of all that DogStatsD is told, `dd.internal.entity_id`: the pod.");
    private static final Setting<String> DD_ENV = OF_DOG_STATSD.add("DD_ENV", "", ONE_LINE, "Likewise, the tag `env`.");
    private static final Setting<String> DD_SERVICE =
            OF_DOG_STATSD.add("DD_SERVICE", "", ONE_LINE, "Likewise, the tag `service`.");
    private static final Setting<String> DD_VERSION =
            OF_DOG_STATSD.add("DD_VERSION", "", ONE_LINE, "Likewise, the tag `version`.");

    private StatsdRows() {}

    static List<Setting<?>> rows() {
        return ROWS.all();
    }

    /**
     * Returns who is told, one after the other.
     *
     * @param isReadByPrometheus whether somebody else is told already
     */
    static List<StatsdOptions> of(Environment environment, boolean isReadByPrometheus) {
        List<StatsdOptions> told = new ArrayList<>();
        boolean isDog = environment.read(USE_DOG_STATSD);
        boolean isAssumed = !environment.isSet(USE_STATSD.name());
        if (isAssumed ? !isDog && !isReadByPrometheus : environment.read(USE_STATSD)) {
            boolean isUdp = environment.read(STATSD_PROTOCOL).equals("udp");
            told.add(of(environment, isUdp, false, List.of()));
        }
        if (isDog) {
            told.add(of(environment, true, true, mogrifiers(environment)));
        }
        return told;
    }

    private static StatsdOptions of(Environment environment, boolean isUdp, boolean isDog, List<Mogrifier> mogrifiers) {
        return new StatsdOptions(
                environment.read(STATSD_HOST),
                environment.read(STATSD_PORT),
                isUdp,
                isDog,
                isDog ? datadogTags(environment) : Map.of(),
                environment.read(EXTRA_TAGS),
                mogrifiers,
                environment.read(STATS_FLUSH_INTERVAL));
    }

    private static Map<String, String> datadogTags(Environment environment) {
        Map<String, String> tags = new LinkedHashMap<>();
        tags.put("dd.internal.entity_id", environment.read(DD_ENTITY_ID));
        tags.put("env", environment.read(DD_ENV));
        tags.put("service", environment.read(DD_SERVICE));
        tags.put("version", environment.read(DD_VERSION));
        tags.values().removeIf(String::isEmpty);
        return tags;
    }

    private static List<Mogrifier> mogrifiers(Environment environment) {
        List<Mogrifier> mogrifiers = new ArrayList<>();
        for (String name : environment.read(USE_DOG_STATSD_MOGRIFIERS).split(",", -1)) {
            if (!name.isBlank()) {
                String prefix = "DOG_STATSD_MOGRIFIER_" + name.strip().toUpperCase(Locale.ROOT);
                mogrifiers.add(new Mogrifier(
                        required(environment, prefix + "_PATTERN", PATTERN, ".*"),
                        required(environment, prefix + "_NAME", SOMETHING, "$0"),
                        environment.read(
                                new Setting<>(Group.METRICS, Feature.DOG_STATSD, prefix + "_TAGS", "", PAIRS, ""))));
            }
        }
        return mogrifiers;
    }

    /** Returns whether a variable is one of those whose names have the name of a mogrifier within them. */
    static boolean isOfMogrifier(String variable) {
        return OF_MOGRIFIER.matcher(variable).matches();
    }

    private static <T> T required(Environment environment, String name, Kind<T> kind, String standIn) {
        var setting = new Setting<>(Group.METRICS, Feature.DOG_STATSD, name, standIn, kind, "");
        if (!environment.isSet(name)) {
            environment.missing(setting, "set it, for `" + USE_DOG_STATSD_MOGRIFIERS.name() + "` names it");
        }
        return environment.read(setting);
    }

    private static @Nullable Pattern pattern(String text) {
        try {
            return text.isEmpty() ? null : Pattern.compile(text);
        } catch (PatternSyntaxException _) {
            return null; // the kind says what is allowed
        }
    }

    /** As in the Go service, a pair of which one side is empty is taken, and makes no tag. */
    private static @Nullable Map<String, String> pairs(String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String pair : text.isBlank() ? new String[0] : text.split(",", -1)) {
            int colon = pair.indexOf(':');
            if (colon < 0) {
                return null;
            }
            pairs.put(pair.substring(0, colon), pair.substring(colon + 1));
        }
        pairs.remove("");
        pairs.values().removeIf(String::isEmpty);
        return pairs;
    }
}
