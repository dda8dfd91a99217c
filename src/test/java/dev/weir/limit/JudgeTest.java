package dev.weir.limit;

import static dev.weir.limit.Timeline.DAY;
import static dev.weir.limit.Timeline.MINUTE;
import static dev.weir.limit.Timeline.NOON;
import static dev.weir.limit.Timeline.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every algorithm before a judge who knows its definition only: he keeps a log of what was counted, and goes through all of it
 * at each check. What he would refuse must be refused, and what he would admit must be admitted.
 */
final class JudgeTest {
    private static final int CHECKS = 700;

    private record Entry(long at, long hits) {}

    /** Says by the log alone whether hits fit at an instant. */
    private interface Definition {
        boolean admits(List<Entry> log, long now, long hits);
    }

    /** Lets hits arrive alone, in clusters and after gaps, and returns the log of those that were admitted. */
    private static List<Entry> arrivals(Limit limit, long seed, Definition definition) {
        var random = new SplittableRandom(seed);
        var counter = new OneCounter(limit);
        var counted = new ArrayList<Entry>();
        var admitted = new ArrayList<Entry>();
        long window = limit.quota().windowMicros();
        long usual = 1 + window / Math.max(1, limit.quota().hits());
        long now = NOON + random.nextLong(window);
        for (int check = 0; check < CHECKS; check++) {
            now += switch (random.nextInt(40)) {
                case 0 -> random.nextLong(3 * window);
                case 1 -> window;
                case 2 -> window - now % window; // exactly to a boundary
                case 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 -> 0;
                default -> random.nextLong(2 * usual);
            };
            long most = random.nextInt(5) == 0 ? limit.capacity() + 1 : Math.min(3, limit.capacity());
            long hits = 1 + random.nextLong(most);
            boolean fits = definition.admits(counted, now, hits);
            assertThat(counter.hit(now, hits).admitted())
                    .as("seed %d, check %d", seed, check)
                    .isEqualTo(fits ? 1 : 0);
            if (fits) {
                admitted.add(new Entry(now, hits));
            }
            if (fits || limit.charge() == Charge.ALWAYS) {
                counted.add(new Entry(now, hits));
            }
        }
        assertThat(admitted).as("seed %d", seed).hasSizeBetween(CHECKS / 20, CHECKS - 10);
        return admitted;
    }

    /** Returns the most hits in any stretch [t, t + length]; the worst begin with an admitted hit. */
    private static long most(List<Entry> log, long length) {
        long most = 0;
        for (int first = 0; first < log.size(); first++) {
            long sum = 0;
            for (int i = first; i < log.size() && log.get(i).at <= log.get(first).at + length; i++) {
                sum += log.get(i).hits;
            }
            most = Math.max(most, sum);
        }
        return most;
    }

    @ParameterizedTest
    @CsvSource({"60, 10, ALWAYS", "60, 10, ON_ADMIT", "1, 3, ALWAYS", "86400, 50, ON_ADMIT"})
    void a_fixed_window_never_holds_more_than_the_limit_and_two_never_more_than_twice(
            long seconds, long hits, Charge charge) {
        var quota = new Quota(hits, seconds);
        var limit = new Limit(quota, new Algorithm.FixedWindow(), charge, 0);
        for (long seed = 1; seed <= 6; seed++) {
            var log = arrivals(limit, seed, (counted, now, asked) -> {
                long window = now / quota.windowMicros();
                long sum = counted.stream()
                        .filter(entry -> entry.at / quota.windowMicros() == window)
                        .mapToLong(Entry::hits)
                        .sum();
                return sum + asked <= hits;
            });
            assertThat(most(log, quota.windowMicros())).as("seed %d", seed).isLessThanOrEqualTo(2 * hits);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "60, 10, 1, ON_ADMIT",
        "60, 10, 1, ALWAYS",
        "60, 10, 6, ON_ADMIT",
        "60, 10, 6, ALWAYS",
        "60, 37, 60, ON_ADMIT",
        "3600, 100, 120, ON_ADMIT",
        "1, 3, 1, ON_ADMIT",
        "1, 1, 8, ALWAYS"
    })
    void a_sliding_window_weighs_its_oldest_part_and_keeps_its_bound(
            long seconds, long hits, int parts, Charge charge) {
        var quota = new Quota(hits, seconds);
        var limit = new Limit(quota, new Algorithm.SlidingWindow(parts), charge, 0);
        long window = quota.windowMicros();
        long part = window / parts;
        for (long seed = 1; seed <= 6; seed++) {
            var log = arrivals(limit, seed, (counted, now, asked) -> {
                // All in units of one hit / part: whole, though the oldest part counts as a fraction.
                BigInteger used = BigInteger.ZERO;
                for (Entry entry : counted) {
                    long age = now / part - entry.at / part;
                    long weight = age < parts ? part : age == parts ? part - now % part : 0;
                    used = used.add(BigInteger.valueOf(entry.hits).multiply(BigInteger.valueOf(weight)));
                }
                return used.add(product(asked, part)).compareTo(product(hits, part)) <= 0;
            });
            assertThat(most(log, window - part)).as("seed %d", seed).isLessThanOrEqualTo(hits);
            assertThat(most(log, window)).as("seed %d", seed).isLessThanOrEqualTo(2 * hits);
        }
    }

    @ParameterizedTest
    @CsvSource({"60, 10", "1, 3", "3600, 100", "31536000, 1", "86400, 4294967295"})
    void a_log_is_exact_in_every_window(long seconds, long hits) {
        var quota = new Quota(hits, seconds);
        long window = quota.windowMicros();
        for (long seed = 1; seed <= 6; seed++) {
            var log = arrivals(Limit.of(quota, new Algorithm.SlidingLog()), seed, (counted, now, asked) -> {
                long sum = counted.stream()
                        .filter(entry -> entry.at > now - window)
                        .mapToLong(Entry::hits)
                        .sum();
                return sum + asked <= hits;
            });
            assertThat(most(log, window - 1)).as("seed %d", seed).isLessThanOrEqualTo(hits);
        }
    }

    /** By definition: in no stretch of time that ends now would there be more than burst + limit * stretch / window. */
    @ParameterizedTest
    @CsvSource({
        "60, 10, 10",
        "60, 10, 1",
        "60, 10, 25",
        "1, 7, 3",
        "1, 700000, 1",
        "1, 700000, 40",
        "31536000, 1, 1",
        "86400, 4294967295, 5",
        "315360000, 3, 2",
        "3600, 4294967295, 4294967295"
    })
    void buckets_and_cells_never_pass_their_line_and_refuse_nothing_below_it(long seconds, long hits, long burst) {
        var quota = new Quota(hits, seconds);
        long window = quota.windowMicros();
        Definition line = (counted, now, asked) -> {
            long sum = asked;
            boolean fits = sum <= burst;
            for (int i = counted.size() - 1; fits && i >= 0; i--) {
                sum += counted.get(i).hits;
                fits = product(sum - burst, window).compareTo(product(hits, now - counted.get(i).at)) <= 0;
            }
            return fits;
        };
        for (long seed = 1; seed <= 3; seed++) {
            var log = arrivals(Limit.of(quota, new Algorithm.TokenBucket(burst)), seed, line);
            assertThat(arrivals(Limit.of(quota, new Algorithm.LeakyBucket(burst)), seed, line))
                    .isEqualTo(log);
            assertThat(arrivals(Limit.of(quota, new Algorithm.Gcra(burst)), seed, line))
                    .isEqualTo(log);
        }
    }

    private static BigInteger product(long a, long b) {
        return BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
    }

    /** Reading by reading, refunds included: only what is given back of a single charge is rounded differently. */
    @ParameterizedTest
    @CsvSource({
        "60, 10, 10, ON_ADMIT",
        "1, 7, 3, DRAIN",
        "1, 700000, 2, ON_ADMIT",
        "1, 3, 3, DRAIN",
        "31536000, 1, 1, ON_ADMIT",
        "86400, 4294967295, 9, ON_ADMIT",
        "315360000, 4294967295, 4294967295, DRAIN",
        "60, 0, 4, ON_ADMIT"
    })
    void cells_and_tokens_are_the_same_for_one_limit(long seconds, long hits, long burst, Charge charge) {
        var quota = new Quota(hits, seconds);
        long usual = 1 + quota.windowMicros() / Math.max(1, hits);
        for (long seed = 1; seed <= 6; seed++) {
            var random = new SplittableRandom(seed);
            var tokens = new OneCounter(new Limit(quota, new Algorithm.TokenBucket(burst), charge, 0));
            var cells = new OneCounter(new Limit(quota, new Algorithm.Gcra(burst), charge, 0));
            long now = NOON;
            for (int step = 0; step < 3_000; step++) {
                now += random.nextInt(3) == 0
                        ? -random.nextLong(Math.min(usual, SECOND))
                        : random.nextLong(random.nextInt(30) == 0 ? 60 * usual : 2 * usual);
                long asked = random.nextLong(Math.min(burst, 5) + 2);
                boolean isRefund = random.nextInt(8) == 0;
                Evaluation ofCells = isRefund ? cells.refund(now, asked) : cells.hits(now, asked, 1 + step % 3);
                Evaluation ofTokens = isRefund ? tokens.refund(now, asked) : tokens.hits(now, asked, 1 + step % 3);
                assertThat(ofCells).as("seed %d, step %d", seed, step).isEqualTo(ofTokens);
            }
            assertThat(cells.left(now + DAY + MINUTE)).isEqualTo(tokens.left(now + DAY + MINUTE));
        }
    }

    /** The same while limits alternate on the counter: each reads the same hits in both. */
    @ParameterizedTest
    @EnumSource(
            value = Charge.class,
            names = {"ON_ADMIT", "DRAIN"})
    void cells_and_tokens_are_the_same_while_limits_alternate(Charge charge) {
        long[] quotas = {1, 3, 7, 10, 1_000, 999_983};
        for (long seed = 1; seed <= 12; seed++) {
            var random = new SplittableRandom(seed);
            var tokens = new OneCounter(new Limit(new Quota(1, 60), new Algorithm.TokenBucket(1), charge, 0));
            var cells = new OneCounter(new Limit(new Quota(1, 60), new Algorithm.Gcra(1), charge, 0));
            long now = NOON;
            for (int step = 0; step < 3_000; step++) {
                if (random.nextInt(3) == 0) {
                    var quota = new Quota(quotas[random.nextInt(quotas.length)], 60);
                    long burst = 1 + random.nextLong(2 * quota.hits());
                    tokens.under(new Limit(quota, new Algorithm.TokenBucket(burst), charge, 0));
                    cells.under(new Limit(quota, new Algorithm.Gcra(burst), charge, 0));
                }
                now += random.nextInt(4) == 0
                        ? -random.nextLong(SECOND)
                        : random.nextLong(random.nextInt(30) == 0 ? 10 * MINUTE : SECOND >> random.nextInt(20));
                long asked = random.nextLong(1 + ((tokens.left(now) + 2) >> random.nextInt(4)));
                boolean isRefund = random.nextInt(8) == 0;
                Evaluation ofCells = isRefund ? cells.refund(now, asked) : cells.hits(now, asked, 1 + step % 3);
                Evaluation ofTokens = isRefund ? tokens.refund(now, asked) : tokens.hits(now, asked, 1 + step % 3);
                assertThat(ofCells).as("seed %d, step %d", seed, step).isEqualTo(ofTokens);
            }
        }
    }
}
