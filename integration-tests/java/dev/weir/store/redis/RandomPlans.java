package dev.weir.store.redis;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.store.Beyond;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Role;
import dev.weir.store.StoreContract;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Plans drawn by chance: all algorithms, charges, roles, locks, windows of odd lengths. Half of what is asked meets one counter, under
 * limits that alternate, for so long that time carries it over its window, and a little back, again and again.
 */
final class RandomPlans {
    private static final long[] WINDOWS = {
        1, 7, 60, 90, 3_600, 86_400, 604_800, 7_776_000, 31_536_000, Quota.MAX_WINDOW_SECONDS
    };
    private static final long[] LIMITS = {0, 1, 2, 3, 5, 20, 1_000, 700_000, Quota.MAX_HITS};
    private static final long MOST_HITS = 1_000_000_000;
    private static final int MOST_AT_ONCE = 12;
    private static final int MOST_CHECKS = 4;
    private static final int REMEMBERED = 20;
    private static final long MOST_PAUSE = 1_000_000;

    private final SplittableRandom random;
    private final int[] algorithms;
    private final Deque<Sent> sent = new ArrayDeque<>();
    private Counter favourite;
    private boolean isAllPlain;
    private long instant;
    private boolean isSetBack;

    /** What belongs to a counter's key, as in production: the limit does not. */
    private record Counter(String name, int algorithm, int parts, long windowSeconds) {
        CounterKey key() {
            return StoreContract.key(name + "/" + algorithm + "/" + parts + "/" + windowSeconds);
        }
    }

    private record Sent(Plan plan, long at) {}

    /**
     * Draws plans.
     *
     * @param algorithms the numbers of those that are to occur
     */
    RandomPlans(SplittableRandom random, int... algorithms) {
        this.random = random;
        this.algorithms = algorithms;
        this.favourite = counter();
    }

    /** Returns the next instant: mostly later by little, sometimes by windows, or earlier by seconds, windows, an hour, a year. */
    long after(long now) {
        long window = favourite.windowSeconds * 1_000_000;
        long then = now
                + switch (random.nextInt(24)) {
                    case 0 -> -random.nextLong(3_000_000);
                    case 1 -> random.nextInt(4) == 0 ? -3_600_000_000L : -random.nextLong(window);
                    case 2 -> random.nextInt(4) == 0 ? 3_700_000_000L : random.nextLong(2 * window);
                    case 3 -> random.nextInt(20) == 0 ? -31_536_000_000_000L : 0;
                    case 4 -> random.nextInt(20) == 0 ? 31_600_000_000_000L : 0;
                    case 5 -> window - now % window - random.nextLong(2);
                    case 6, 7 -> 0;
                    case 8, 9 -> random.nextLong(60_000_000);
                    case 10, 11, 12, 13 -> random.nextLong(window / 4);
                    case 14 -> random.nextInt(8) == 0 ? -window - random.nextLong(2) : 0;
                    default -> random.nextLong(400_000);
                };
        // From the seventies to the eighties of the next century.
        return then < 0 || then > 2 * StoreContract.NOON_MICROS ? StoreContract.NOON_MICROS : then;
    }

    /** Returns plans that are sent together at an instant. Some of their checks are equal, so that batches merge them. */
    List<Plan> next(long now) {
        isSetBack = now < instant;
        instant = now;
        if (random.nextInt(60) == 0) {
            favourite = counter();
        }
        isAllPlain = random.nextInt(4) == 0;
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
        plans.forEach(plan -> sent.addLast(new Sent(plan, now)));
        if (random.nextInt(4) == 0) {
            plans.add(givingBack());
        }
        while (sent.size() > REMEMBERED) {
            sent.removeFirst();
        }
        return plans;
    }

    private Check check(int descriptor) {
        Counter counter = random.nextBoolean() ? favourite : counter();
        Limit limit = limit(counter);
        Check check = !isAllPlain && random.nextInt(6) == 0
                ? Check.refund(counter.key(), limit, hits(limit))
                : Check.of(counter.key(), limit, hits(limit));
        return check.as(oneOf(List.of(Role.values())), descriptor);
    }

    private long hits(Limit limit) {
        return switch (random.nextInt(10)) {
            case 0 -> random.nextLong(MOST_HITS + 1);
            case 1 -> Math.clamp(limit.capacity() + random.nextInt(3) - 1, 0, MOST_HITS);
            default -> random.nextLong(4);
        };
    }

    private Counter counter() {
        return counter(algorithms[random.nextInt(algorithms.length)]);
    }

    private Counter counter(int algorithm) {
        long window = oneOf(WINDOWS);
        int parts = algorithm == 3 ? 0 : 1;
        while (parts == 0 || window * 1_000_000 % parts != 0) {
            parts = 2 + random.nextInt(Algorithm.SlidingWindow.MAX_PARTS - 1);
        }
        return new Counter("counter" + random.nextInt(3), algorithm, parts, window);
    }

    /** Returns a limit that counts by the algorithm of this number. */
    Limit limit(int algorithm) {
        return limit(counter(algorithm));
    }

    private Limit limit(Counter counter) {
        var quota = new Quota(oneOf(LIMITS), counter.windowSeconds);
        Algorithm algorithm = algorithm(counter, quota);
        if (isAllPlain && !mayBeOver(counter)) {
            return Limit.of(quota, algorithm);
        }
        var charges = Stream.of(Charge.values())
                .filter(algorithm::canCharge)
                .filter(charge -> charge != Charge.ALWAYS || !mayBeOver(counter))
                .toList();
        return new Limit(quota, algorithm, oneOf(charges), random.nextInt(6) == 0 ? block(counter) : 0);
    }

    /**
     * Where the short way's guess of the time can be in the next window, and begin that: the test's clock was set back, or stands still
     * meanwhile.
     */
    private boolean mayBeOver(Counter counter) {
        long window = counter.windowSeconds * 1_000_000;
        return counter.algorithm == 1 && (isSetBack || instant % window >= window - Math.min(window / 2, MOST_PAUSE));
    }

    private long block(Counter counter) {
        return switch (random.nextInt(3)) {
            case 0 -> counter.windowSeconds;
            case 1 -> 1 + random.nextLong(Quota.MAX_WINDOW_SECONDS);
            default -> 1 + random.nextLong(100);
        };
    }

    private Algorithm algorithm(Counter counter, Quota quota) {
        return switch (counter.algorithm) {
            case 1 -> new Algorithm.FixedWindow();
            case 2, 3 -> new Algorithm.SlidingWindow(counter.parts);
            case 4 -> new Algorithm.SlidingLog();
            case 5 -> new Algorithm.TokenBucket(burst(quota));
            case 6 -> new Algorithm.LeakyBucket(burst(quota));
            case 7 -> new Algorithm.Gcra(burst(quota));
            default -> throw new IllegalStateException("no limits are drawn of algorithm " + counter.algorithm);
        };
    }

    private long burst(Quota quota) {
        long largest = Algorithm.largestBurst(quota);
        return switch (random.nextInt(8)) {
            case 0, 1 -> Math.min(1 + random.nextLong(50), largest);
            case 2 -> Math.max(1, largest - random.nextLong(2));
            case 3 -> 1 + random.nextLong(largest);
            default -> Math.max(1, quota.hits());
        };
    }

    /** Returns a plan that gives back what checks of a plan sent lately charged, or at an instant at which nothing was. */
    private Plan givingBack() {
        Sent charged = oneOf(List.copyOf(sent));
        long at = random.nextInt(4) == 0 ? charged.at - random.nextLong(2_000_000) : charged.at;
        List<Check> checks = charged.plan.checks();
        return Plan.of(checks.subList(random.nextInt(checks.size()), checks.size()).stream()
                .map(check -> check.givenBack(Math.max(0, at)))
                .toList());
    }

    private long oneOf(long[] all) {
        return all[random.nextInt(all.length)];
    }

    private <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
