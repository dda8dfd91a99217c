package dev.weir.metrics;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a dotted name is called in Prometheus, as the Go service's own mapping has it.
 *
 * <p>Of a rule's name the first segment is the domain and the next two are {@code key1} and {@code key2}; deeper levels are not
 * shown, and what they tell apart is one series. What no mapping knows keeps its name, with underscores.
 *
 * @param metric the metric
 * @param labels written out in braces; empty if there are none
 */
record PrometheusName(String metric, String labels) {
    private static final String RATE_LIMIT = "ratelimit.service.rate_limit.";
    private static final String ERRORS = "ratelimit.service.call.should_rate_limit.";
    private static final String SERVER = "ratelimit_server.";
    private static final String TOTAL_REQUESTS = ".total_requests";
    private static final List<String> RULE_LABELS = List.of("domain", "key1", "key2");
    private static final Set<String> RULE_STATS = Set.of(
            Stat.NEAR_LIMIT.word(),
            Stat.OVER_LIMIT.word(),
            Stat.TOTAL_HITS.word(),
            Stat.WITHIN_LIMIT.word(),
            Stat.SHADOW_MODE.word());

    static final String RESPONSE_TIME = "ratelimit_service_response_time_seconds";

    static PrometheusName of(String dotted) {
        if (dotted.startsWith(RATE_LIMIT)) {
            int last = dotted.lastIndexOf('.');
            String stat = dotted.substring(last + 1);
            if (RULE_STATS.contains(stat)) {
                return ofRule("ratelimit_service_rate_limit_" + stat, dotted.substring(RATE_LIMIT.length(), last));
            }
        } else if (dotted.startsWith(ERRORS)) {
            return new PrometheusName(
                    "ratelimit_service_should_rate_limit_error", label("err_type", dotted.substring(ERRORS.length())));
        } else if (dotted.startsWith(SERVER) && dotted.endsWith(TOTAL_REQUESTS)) {
            String method = dotted.substring(SERVER.length(), dotted.length() - TOTAL_REQUESTS.length());
            return new PrometheusName("ratelimit_service_total_requests", label("grpc_method", method));
        }
        return new PrometheusName(escaped(dotted), "");
    }

    private static PrometheusName ofRule(String metric, String path) {
        String[] segments = path.split("\\.", RULE_LABELS.size() + 1);
        var labels = new StringBuilder("{");
        for (int i = 0; i < Math.min(segments.length, RULE_LABELS.size()); i++) {
            append(labels, RULE_LABELS.get(i), segments[i]);
        }
        return new PrometheusName(metric, labels.append('}').toString());
    }

    /** Returns labels in braces, of names and values in turn. */
    static String label(String... namesAndValues) {
        var labels = new StringBuilder("{");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            append(labels, namesAndValues[i], namesAndValues[i + 1]);
        }
        return labels.append('}').toString();
    }

    private static void append(StringBuilder labels, String name, String value) {
        labels.append(labels.length() == 1 ? "" : ",")
                .append(name)
                .append("=\"")
                .append(value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"))
                .append('"');
    }

    /** Returns a name of letters, digits and underscores; each character of another kind becomes an underscore. */
    static String escaped(String dotted) {
        String plain = dotted.codePoints()
                .mapToObj(c -> c < 0x80 && Character.isLetterOrDigit(c) ? Character.toString(c) : "_")
                .collect(Collectors.joining());
        return !plain.isEmpty() && Character.isDigit(plain.charAt(0)) ? "_" + plain : plain;
    }

    /** Returns the names that the mapping can give, beside those that it leaves as they are. */
    static Set<String> mapped() {
        var names = new HashSet<>(Set.of(
                "ratelimit_service_should_rate_limit_error",
                "ratelimit_service_total_requests",
                RESPONSE_TIME,
                "ratelimit_service_config_load_success",
                "ratelimit_service_config_load_error"));
        RULE_STATS.forEach(stat -> names.add("ratelimit_service_rate_limit_" + stat));
        return names;
    }
}
