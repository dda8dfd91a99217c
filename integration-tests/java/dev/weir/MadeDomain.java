package dev.weir;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The rules of one domain, drawn from a seed; {@link MadeRequests} draws what meets them.
 *
 * <p>They stay off what is different on purpose (docs/migrate.md), by what is never drawn:
 *
 * <ul>
 *   <li>{@code _} in a domain, key or value: the Go service joins with it, and takes {@code a}=b_c for {@code a_b}=c;
 *   <li>{@code *} in a key, a missing {@code requests_per_unit} and other mistakes in rules: Weir refuses them;
 *   <li>{@code requests_per_unit} of an unlimited rule, which {@code /rlconfig} shows there;
 *   <li>values that end in a dot, or hold characters which control something: they name other series;
 *   <li>units below an hour: a window that ends on the way would be seen by one of the two only.
 * </ul>
 *
 * <p>Nor is drawn what the version of the Go service that go finds has not, or has otherwise than later ones, from which
 * {@link ParityIT} has its answers: {@code quota_mode}, {@code metadata}, and {@code *} elsewhere than at the end.
 */
final class MadeDomain {
    static final List<String> KEYS = List.of("path", "user", "tier", "method", "remote");

    /** The first ones are drawn most. */
    static final List<String> VALUES = List.of(
            "gold",
            "/api/v1/items",
            "foobar",
            "10.0.0.1",
            "GET",
            "a",
            "/api/v1",
            "foo",
            "barfoo",
            "",
            "7",
            "true",
            "sp ace",
            "ünï",
            "q=1&r=2",
            "a:b|c",
            "v1.2",
            "A",
            "for");

    static final List<String> PATTERNS = List.of("*", "foo*", "/api/*", "/api/v1/*", "1*", "a*", "own*");

    private static final List<String> UNITS =
            List.of("hour", "HOUR", "day", "Day", "week", "month", "Month", "year", "YEAR");
    private static final List<String> LIMITS =
            List.of("1", "2", "3", "3", "5", "8", "8", "20", "100", "0", "4000000000");
    private static final int DEPTH = 3;
    private static final int NAMES = 6;

    /**
     * A node of the rules.
     *
     * @param value a value, a pattern, or nothing for every value
     * @param lines what stands in it beside key and value
     */
    record Node(String key, String value, List<String> lines, List<Node> below) {}

    private final long seed;
    private final SplittableRandom random;
    private final boolean isSharing;
    private final boolean isCountedByValue;
    private final List<Node> nodes;

    MadeDomain(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.isSharing = random.nextBoolean();
        this.isCountedByValue = random.nextBoolean();
        this.nodes = nodes(DEPTH, 2 + random.nextInt(4));
    }

    long seed() {
        return seed;
    }

    String name() {
        return "made-" + seed;
    }

    List<Node> nodes() {
        return nodes;
    }

    /** Returns whether counters are shared by what fits a pattern: then its very text, asked as a value, is something else. */
    boolean isSharing() {
        return isSharing;
    }

    /** Returns the text of the rule file. */
    String rules() {
        var yaml = new StringBuilder("domain: " + name() + "\ndescriptors:\n");
        print(yaml, "  ", nodes);
        return yaml.toString();
    }

    private static void print(StringBuilder yaml, String indent, List<Node> nodes) {
        for (Node node : nodes) {
            yaml.append(indent).append("- key: ").append(node.key).append('\n');
            if (!node.value.isEmpty()) {
                boolean isPlain = node.value.matches("[a-zA-Z0-9]+");
                var value = isPlain ? node.value : '"' + node.value + '"';
                yaml.append(indent).append("  value: ").append(value).append('\n');
            }
            for (String line : node.lines) {
                yaml.append(indent).append("  ").append(line).append('\n');
            }
            if (!node.below.isEmpty()) {
                yaml.append(indent).append("  descriptors:\n");
                print(yaml, indent + "    ", node.below);
            }
        }
    }

    private List<Node> nodes(int depth, int count) {
        var nodes = new ArrayList<Node>();
        var taken = new HashSet<String>();
        for (int i = 0; i < count; i++) {
            var key = KEYS.get(random.nextInt(chance(60) ? 2 : KEYS.size())); // siblings of one key contend for a value
            var value = value();
            if (taken.add(key + "=" + value)) {
                var lines = lines(value);
                var below = depth > 1 && (lines.isEmpty() || chance(40))
                        ? nodes(depth - 1, 1 + random.nextInt(3))
                        : List.<Node>of();
                nodes.add(new Node(key, value, lines, below));
            }
        }
        return nodes;
    }

    private String value() {
        return switch (random.nextInt(3)) {
            case 0 -> "";
            case 1 -> PATTERNS.get(random.nextInt(PATTERNS.size()));
            default -> VALUES.get(random.nextInt(VALUES.size()));
        };
    }

    private List<String> lines(String value) {
        var lines = new ArrayList<String>();
        if (isSharing && value.contains("*") && chance(60)) {
            lines.add("share_threshold: true");
        }
        if (isCountedByValue && chance(25)) {
            lines.add("value_to_metric: true");
        }
        if (chance(20)) {
            return lines; // a node without a limit lets pass what ends there
        }
        if (isCountedByValue && chance(20)) {
            lines.add("detailed_metric: true");
        }
        if (chance(12)) {
            lines.add("shadow_mode: true");
        }
        lines.addAll(limit());
        return lines;
    }

    private List<String> limit() {
        var lines = new ArrayList<>(List.of("rate_limit:"));
        if (chance(8)) {
            lines.add("  unlimited: true");
        } else {
            lines.add("  unit: " + UNITS.get(random.nextInt(UNITS.size())));
            lines.add("  requests_per_unit: " + LIMITS.get(random.nextInt(LIMITS.size())));
        }
        int name = random.nextInt(NAMES);
        if (chance(40)) {
            lines.add("  name: n" + name);
        }
        if (chance(15)) {
            lines.add("  replaces: [{ name: n%d }]".formatted((name + 1 + random.nextInt(NAMES - 1)) % NAMES));
        }
        return lines;
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }
}
