package dev.weir.metrics.statsd;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes lines of statsd, with tags in the name, or of DogStatsD, with tags behind the value. */
public final class StatsdNames {
    private static final Pattern GROUP = Pattern.compile("\\$(\\d+)");

    private final boolean isDog;
    private final List<Mogrifier> mogrifiers;
    private final String suffix;
    private final String tags;

    /**
     * Prepares the writing.
     *
     * @param datadogTags for DogStatsD, before the others, in order
     * @param extraTags of every name
     * @param mogrifiers for DogStatsD
     */
    public StatsdNames(
            boolean isDog, Map<String, String> datadogTags, Map<String, String> extraTags, List<Mogrifier> mogrifiers) {
        this.isDog = isDog;
        this.mogrifiers = mogrifiers;
        var sorted = new TreeMap<String, String>();
        extraTags.forEach((key, text) -> sorted.put(key, plain(text)));
        suffix = sorted.entrySet().stream()
                .map(tag -> ".__" + tag.getKey() + "=" + tag.getValue())
                .collect(Collectors.joining());
        tags = joined(joined(datadogTags), joined(sorted));
    }

    /**
     * Returns a line without its end.
     *
     * @param value with its kind, as in {@code 3|c}
     */
    public String line(String name, String value) {
        if (!isDog) {
            return name + suffix + ":" + value;
        }
        for (Mogrifier mogrifier : mogrifiers) {
            Matcher found = mogrifier.pattern().matcher(name);
            if (found.find()) {
                // A comma would begin a tag of a caller's choice.
                var more = new TreeMap<String, String>();
                mogrifier
                        .tags()
                        .forEach(
                                (key, text) -> more.put(key, filled(text, found).replace(',', '_')));
                return tagged(filled(mogrifier.name(), found) + ":" + value, joined(more));
            }
        }
        return tagged(name + ":" + value, "");
    }

    private String tagged(String line, String more) {
        String all = joined(tags, more);
        return all.isEmpty() ? line : line + "|#" + all;
    }

    private static String joined(String tags, String more) {
        return tags.isEmpty() || more.isEmpty() ? tags + more : tags + "," + more;
    }

    private static String joined(Map<String, String> tags) {
        return tags.entrySet().stream()
                .map(tag -> tag.getKey() + ":" + tag.getValue())
                .collect(Collectors.joining(","));
    }

    /** Puts in what the groups found; one that found nothing is nothing, and one that there is not stays as it is written. */
    private static String filled(String text, Matcher found) {
        Matcher group = GROUP.matcher(text);
        var filled = new StringBuilder();
        int from = 0;
        while (group.find()) {
            filled.append(text, from, group.start()).append(value(group, found));
            from = group.end();
        }
        return filled.append(text, from, text.length()).toString();
    }

    private static String value(Matcher group, Matcher found) {
        var number = new BigInteger(group.group(1)); // as long as the operator likes
        if (number.compareTo(BigInteger.valueOf(found.groupCount())) > 0) {
            return group.group();
        }
        String value = found.group(number.intValue());
        return value == null ? "" : value;
    }

    private static String plain(String text) {
        return text.replace('.', '_').replace(':', '_').replace('|', '_');
    }
}
