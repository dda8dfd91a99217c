package dev.weir.metrics.statsd;

import com.google.re2j.Pattern;
import java.util.Map;

/**
 * Changes names and adds tags; {@code $1} in them is what the first group found.
 *
 * @param pattern which names, by a part of them; searched in a time that grows with the name alone, which callers may choose
 * @param name what they become
 * @param tags what is added
 */
public record Mogrifier(Pattern pattern, String name, Map<String, String> tags) {}
