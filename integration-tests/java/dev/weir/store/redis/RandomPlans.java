package dev.weir.store.redis;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.store.Beyond;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Role;
import dev.weir.store.StoreContract;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Plans drawn by chance over few counters: all algorithms, charges, roles, locks, limits that alternate on one counter. */
final class RandomPlans {
    private static final long[] WINDOWS = {1, 60, 3_600, 86_400, 604_800, 31_536_000};
    private static final long[] LIMITS = {0, 1, 2, 5, 20, 1_000, 700_000, Quota.MAX_HITS};
    private static final int[] PARTS = {2, 5, 8, 100};
    private static final int MOST_AT_ONCE = 12;
    private static final int MOST_CHECKS = 4;

    private final SplittableRandom random;
    private final int[] algorithms;

    /**
     * Draws plans.
     *
     * @param algorithms the numbers of those that are to occur
     */
    RandomPlans(SplittableRandom random, int... algorithms) {
        this.random = random;
        this.algorithms = algorithms;
    }

    /** Returns how far time moves: mostly forwards by little, sometimes far ahead, or back by seconds, an hour, a year. */
    long elapsed() {
        return switch (random.nextInt(24)) {
            case 0 -> -random.nextLong(3_000_000);
            case 1 -> -3_600_000_000L;
            case 2 -> 3_700_000_000L;
            case 3 -> random.nextInt(20) == 0 ? -31_536_000_000_000L : 0;
            case 4 -> random.nextInt(20) == 0 ? 31_600_000_000_000L : 0;
            case 5, 6, 7 -> 0;
            case 8, 9 -> random.nextLong(60_000_000);
            default -> random.nextLong(400_000);
        };
    }

    /** Returns plans that are sent together. Some of their checks are equal, so that batches merge them. */
    List<Plan> next() {
        var plans = new ArrayList<Plan>();
        Check repeated = check(0);
        for (int i = random.nextInt(MOST_AT_ONCE); i >= 0; i--) {
            var checks = new ArrayList<Check>();
            int descriptor = 0;
            for (int j = random.nextInt(MOST_CHECKS); j >= 0; j--) {
                Check drawn = random.nextInt(3) == 0 ? check(descriptor) : repeated;
                checks.add(drawn.as(drawn.role(), descriptor));
                descriptor += random.nextInt(3) == 0 ? 0 : 1;
            }
            plans.add(new Plan(checks, random.nextInt(12) == 0 ? oneOf(List.of(Beyond.values())) : Beyond.NOTHING));
        }
        return plans;
    }

    private Check check(int descriptor) {
        long windowSeconds = WINDOWS[random.nextInt(WINDOWS.length)];
        Limit limit = limit(windowSeconds);
        long hits = random.nextInt(10) == 0 ? random.nextLong(1_000_000_001) : random.nextLong(4);
        // As in counter keys: algorithm, window and parts belong to the counter, the limit does not.
        String name = "counter" + random.nextInt(3) + "/" + limit.algorithm().number() + "/" + windowSeconds
                + (limit.algorithm() instanceof Algorithm.SlidingWindow(int parts) ? "/" + parts : "");
        var key = StoreContract.key(name);
        Check check = random.nextInt(6) == 0 ? Check.refund(key, limit, hits) : Check.of(key, limit, hits);
        return check.as(oneOf(List.of(Role.values())), descriptor);
    }

    private Limit limit(long windowSeconds) {
        var quota = new Quota(LIMITS[random.nextInt(LIMITS.length)], windowSeconds);
        Algorithm algorithm = algorithm(quota);
        var charges =
                List.of(Charge.values()).stream().filter(algorithm::canCharge).toList();
        long block = random.nextInt(6) == 0 ? 1 + random.nextLong(100) : 0;
        return new Limit(quota, algorithm, oneOf(charges), block);
    }

    private Algorithm algorithm(Quota quota) {
        long burst = random.nextInt(3) == 0
                ? Math.min(1 + random.nextLong(50), Algorithm.largestBurst(quota))
                : Math.max(1, quota.hits());
        return switch (algorithms[random.nextInt(algorithms.length)]) {
            case 1 -> new Algorithm.FixedWindow();
            case 2 -> new Algorithm.SlidingWindow(1);
            case 3 -> new Algorithm.SlidingWindow(PARTS[random.nextInt(PARTS.length)]);
            case 4 -> new Algorithm.SlidingLog();
            case 5 -> new Algorithm.TokenBucket(burst);
            case 6 -> new Algorithm.LeakyBucket(burst);
            default -> new Algorithm.Gcra(burst);
        };
    }

    /** Returns a plan that gives back what one of the checks charged. */
    Plan givingBack(Plan charged, long at) {
        return Plan.of(List.of(oneOf(charged.checks()).givenBack(at)));
    }

    private <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
