package dev.weir.rules.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every limit that there can be can be written, and is read as it was written. */
final class WrittenLimitsTest {
    private static final Unit[] UNITS = Unit.values();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void limits_are_read_as_they_were_written(long seed) throws RulesException {
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 500; i++) {
            List<Limit> written = new ArrayList<>();
            var lines = new StringBuilder();
            Set<String> counters = new HashSet<>();
            for (int j = random.nextInt(1, 9); j > 0; j--) {
                var unit = UNITS[random.nextInt(UNITS.length)];
                long multiplier = upTo(random, Quota.MAX_WINDOW_SECONDS / unit.seconds());
                var quota = new Quota(upTo(random, Quota.MAX_HITS + 1) - 1, multiplier * unit.seconds());
                var limit = limit(random, quota);
                if (counters.add(limit.algorithm().number() + " in " + quota.windowSeconds())) {
                    written.add(limit);
                    lines.append("      - ").append(text(random, limit, unit)).append('\n');
                }
            }
            assertThat(read(lines.toString(), Charge.ALWAYS))
                    .as("seed %d, %s", seed, lines)
                    .isEqualTo(written);
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_charge_of_fixed_windows_that_state_none_is_given(Charge charge) throws RulesException {
        String lines = """
                      - {unit: second, requests_per_unit: 5}
                      - {unit: minute, requests_per_unit: 5, charge: always}
                      - {unit: hour, requests_per_unit: 5, algorithm: sliding_window}
                      - {unit: day, requests_per_unit: 5, algorithm: fixed_window}
                """;

        assertThat(read(lines, charge))
                .extracting(Limit::charge)
                .containsExactly(charge, Charge.ALWAYS, Charge.ON_ADMIT, charge);
    }

    private static List<Limit> read(String limits, Charge fixedWindowCharge) throws RulesException {
        String text = "domain: d\ndescriptors:\n  - key: k\n    rate_limits:\n" + limits;
        var file = SourceFile.of("written.yaml", text.getBytes(UTF_8));
        return YamlRules.read(List.of(file), new YamlRules.Options(false, fixedWindowCharge))
                .rules()
                .getFirst()
                .limits()
                .stream()
                .map(named -> named.limit())
                .toList();
    }

    /** A number from 1, small ones as often as large ones. */
    private static long upTo(SplittableRandom random, long most) {
        return random.nextLong(Math.min(most, 1L << random.nextInt(33))) + 1;
    }

    private static Limit limit(SplittableRandom random, Quota quota) {
        long burst = upTo(random, Algorithm.largestBurst(quota));
        var algorithm = switch (random.nextInt(6)) {
            case 0 -> new Algorithm.FixedWindow();
            case 1 -> new Algorithm.SlidingWindow(parts(random, quota));
            case 2 -> new Algorithm.SlidingLog();
            case 3 -> new Algorithm.TokenBucket(burst);
            case 4 -> new Algorithm.LeakyBucket(burst);
            default -> new Algorithm.Gcra(burst);
        };
        var charges = Stream.of(Charge.values()).filter(algorithm::canCharge).toList();
        var charge = charges.get(random.nextInt(charges.size()));
        return new Limit(quota, algorithm, charge, random.nextBoolean() ? 0 : upTo(random, Quota.MAX_WINDOW_SECONDS));
    }

    private static int parts(SplittableRandom random, Quota quota) {
        int parts = random.nextInt(1, Algorithm.SlidingWindow.MAX_PARTS + 1);
        while (quota.windowMicros() % parts != 0) {
            parts--;
        }
        return parts;
    }

    /** Writes a limit as an operator would, who now and then says what goes without saying. */
    private static String text(SplittableRandom random, Limit limit, Unit unit) {
        boolean sayAll = random.nextBoolean();
        var quota = limit.quota();
        long multiplier = quota.windowSeconds() / unit.seconds();
        List<String> words = new ArrayList<>();
        words.add("unit: " + unit.name().toLowerCase(Locale.ROOT));
        words.add("requests_per_unit: " + quota.hits());
        if (sayAll || multiplier != 1) {
            words.add("unit_multiplier: " + multiplier);
        }
        words.addAll(
                switch (limit.algorithm()) {
                    case Algorithm.FixedWindow _ -> sayAll ? List.of("algorithm: fixed_window") : List.<String>of();
                    case Algorithm.SlidingWindow(int parts) ->
                        sayAll || parts > 1
                                ? List.of(
                                        "algorithm: sliding_window",
                                        "precision: " + duration(random, quota.windowMicros() / parts))
                                : List.of("algorithm: sliding_window");
                    case Algorithm.SlidingLog _ -> List.of("algorithm: sliding_log", "force: true");
                    case Algorithm.TokenBucket(long burst) -> List.of("algorithm: token_bucket", "burst: " + burst);
                    case Algorithm.LeakyBucket(long burst) -> List.of("algorithm: leaky_bucket", "burst: " + burst);
                    case Algorithm.Gcra(long burst) -> List.of("algorithm: gcra", "burst: " + burst);
                });
        if (sayAll || limit.charge() != limit.algorithm().defaultCharge()) {
            words.add("charge: " + limit.charge().name().toLowerCase(Locale.ROOT));
        }
        if (limit.blockSeconds() > 0) {
            words.add("block_for: " + duration(random, limit.blockMicros()));
        }
        return "{" + String.join(", ", words) + "}";
    }

    /** One of the many ways to write a duration. */
    private static String duration(SplittableRandom random, long micros) {
        long seconds = micros / 1_000_000;
        long rest = micros % 1_000_000;
        return switch (random.nextInt(4)) {
            case 0 -> micros + "us";
            case 1 -> "%d.%06ds".formatted(seconds, rest);
            case 2 -> "%dh%dm%ds%dµs".formatted(seconds / 3_600, seconds / 60 % 60, seconds % 60, rest);
            default -> rest + "000ns" + seconds + "s";
        };
    }
}
