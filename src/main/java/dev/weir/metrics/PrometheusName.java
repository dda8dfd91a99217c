package dev.weir.metrics;

import dev.weir.meter.PrometheusLines;
import dev.weir.meter.TextOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a dotted name is called in Prometheus, as the Go service's own mapping has it.
 *
 * <p>Of a rule's name the first segment is the domain and the next two are {@code key1} and {@code key2}; deeper levels are not
 * shown, and what they tell apart is one series. So is what an empty segment would tell apart, where a value ends in a dot: a
 * label without a value is none in Prometheus. What no mapping knows keeps its name, with underscores. So does a rule whose name
 * has no dot left: that of the domain {@code app1} with the levels {@code 2}, {@code 3} and {@code 4} looks like an address of IPv4 and is
 * {@code app1_2_3_4}.
 *
 * @param metric the metric
 * @param pairs names and values of the labels in turn
 */
record PrometheusName(String metric, List<String> pairs) {
    private static final String RATE_LIMIT = "ratelimit.service.rate_limit.";
    private static final String ERRORS = "ratelimit.service.call.should_rate_limit.";
    private static final String SERVER = "ratelimit_server.";
    private static final String TOTAL_REQUESTS = ".total_requests";
    private static final String RESPONSE_TIMES = ".response_time";
    private static final List<String> RULE_LABELS = List.of("domain", "key1", "key2");
    private static final String ERROR_LABEL = "err_type";
    private static final Set<String> RULE_STATS = Set.of(
            Stat.NEAR_LIMIT.word(),
            Stat.OVER_LIMIT.word(),
            Stat.TOTAL_HITS.word(),
            Stat.WITHIN_LIMIT.word(),
            Stat.SHADOW_MODE.word());

    static final String METHOD_LABEL = "grpc_method";

    static final String RESPONSE_TIME = "ratelimit_service_response_time_seconds";

    PrometheusName {
        pairs = List.copyOf(pairs);
    }

    static PrometheusName of(String dotted) {
        if (dotted.startsWith(RATE_LIMIT)) {
            int last = dotted.lastIndexOf('.');
            String stat = dotted.substring(last + 1);
            String path = dotted.substring(Math.min(RATE_LIMIT.length(), last), last);
            if (RULE_STATS.contains(stat) && hasLabels(path)) {
                return ofRule("ratelimit_service_rate_limit_" + stat, path);
            }
        } else if (dotted.startsWith(ERRORS)) {
            return new PrometheusName(
                    "ratelimit_service_should_rate_limit_error",
                    List.of(ERROR_LABEL, dotted.substring(ERRORS.length())));
        } else if (dotted.startsWith(SERVER) && dotted.endsWith(TOTAL_REQUESTS)) {
            return ofMethod("ratelimit_service_total_requests", dotted, TOTAL_REQUESTS);
        } else if (dotted.startsWith(SERVER) && dotted.endsWith(RESPONSE_TIMES)) {
            return ofMethod(RESPONSE_TIME, dotted, RESPONSE_TIMES);
        }
        return new PrometheusName(escaped(dotted), List.of());
    }

    private static PrometheusName ofRule(String metric, String path) {
        String[] segments = path.split("\\.", RULE_LABELS.size() + 1);
        var pairs = new ArrayList<String>(2 * RULE_LABELS.size());
        for (int i = 0; i < Math.min(segments.length, RULE_LABELS.size()); i++) {
            if (!segments[i].isEmpty()) {
                pairs.add(RULE_LABELS.get(i));
                pairs.add(segments[i]);
            }
        }
        return new PrometheusName(metric, pairs);
    }

    private static PrometheusName ofMethod(String metric, String dotted, String end) {
        String method = dotted.substring(SERVER.length(), dotted.length() - end.length());
        return new PrometheusName(metric, List.of(METHOD_LABEL, method));
    }

    /** Writes the labels of a rule's series into an empty builder, without a list of them. */
    static void ruleLabels(StringBuilder labels, String path) {
        int from = 0;
        for (int i = 0; i < RULE_LABELS.size() && from <= path.length(); i++) {
            int dot = path.indexOf('.', from);
            int to = dot < 0 ? path.length() : dot;
            if (to > from) {
                PrometheusLines.label(labels, RULE_LABELS.get(i), path, from, to);
            }
            from = to + 1;
        }
        if (!labels.isEmpty()) {
            labels.append('}');
        }
    }

    /** Returns whether counts of a kind have the rule in their labels, not in their name, if {@linkplain #hasLabels(String) it} can. */
    static boolean hasLabels(Stat stat) {
        return RULE_STATS.contains(stat.word());
    }

    /** Returns whether a rule can be told by labels: the mapping knows none with a domain alone. */
    static boolean hasLabels(String path) {
        return path.indexOf('.') >= 0;
    }

    /** Returns a name of letters, digits and underscores; each character of another kind becomes an underscore. */
    static String escaped(String dotted) {
        var plain = new StringBuilder(dotted.length() + 1);
        if (!dotted.isEmpty() && dotted.charAt(0) >= '0' && dotted.charAt(0) <= '9') {
            plain.append('_');
        }
        escape(plain, dotted);
        return plain.toString();
    }

    /** Adds a part of a name, in which each character that is neither letter nor digit becomes an underscore. */
    static void escape(StringBuilder plain, String dotted) {
        for (int i = 0; i < dotted.length(); i = dotted.offsetByCodePoints(i, 1)) {
            char c = dotted.charAt(i);
            plain.append(TextOrder.isPlain(c) ? c : '_');
        }
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

    /** Returns a dotted name of each sort that the mapping knows, and of each number of levels that it tells apart. */
    static List<String> samples() {
        var samples = new ArrayList<>(List.of(
                ERRORS + "redis_error",
                SERVER + "ShouldRateLimit" + TOTAL_REQUESTS,
                SERVER + "ShouldRateLimit" + RESPONSE_TIMES,
                "ratelimit.service.config_load_success",
                "ratelimit.service.config_load_error",
                "ratelimit.service.global_shadow_mode"));
        for (String path : List.of("shop.path", "shop.path.user", "shop.path.user.plan")) {
            RULE_STATS.forEach(stat -> samples.add(RATE_LIMIT + path + "." + stat));
        }
        return samples;
    }

    /** Returns the labels that the mapping can give. */
    static Set<String> mappedLabels() {
        var labels = new HashSet<>(RULE_LABELS);
        labels.add(ERROR_LABEL);
        labels.add(METHOD_LABEL);
        return labels;
    }
}
