package dev.weir.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Limits of every kind, for laws that hold for all of them. */
public final class RandomLimits {
    private static final long[] WINDOWS = {1, 60, 3_600, 86_400, 31_536_000, Quota.MAX_WINDOW_SECONDS};
    private static final long[] HITS = {1, 2, 10, 700_000, Quota.MAX_HITS};

    private RandomLimits() {}

    /** Returns one algorithm of each number, with bursts for small quotas. */
    public static List<Algorithm> algorithms() {
        return List.of(
                new Algorithm.FixedWindow(),
                new Algorithm.SlidingWindow(1),
                new Algorithm.SlidingWindow(4),
                new Algorithm.SlidingLog(),
                new Algorithm.TokenBucket(12),
                new Algorithm.LeakyBucket(7),
                new Algorithm.Gcra(9));
    }

    /** Returns every charge that each algorithm can do, on ten hits a minute. */
    public static Stream<Limit> tenAMinute() {
        var limits = new ArrayList<Limit>();
        for (Algorithm algorithm : algorithms()) {
            for (Charge charge : Charge.values()) {
                if (algorithm.canCharge(charge)) {
                    limits.add(new Limit(Quota.per(Unit.MINUTE, 10), algorithm, charge, 0));
                }
            }
        }
        return limits.stream();
    }

    /** Returns the limit with other hits, and another burst if it has one: an override or an edited rule. */
    public static Limit changed(Limit limit, SplittableRandom random) {
        long hits = 1 + random.nextLong(15);
        return of(new Quota(hits, limit.quota().windowSeconds()), limit, 1 + random.nextLong(15));
    }

    /** Returns limits like this one for quotas from one in ten years to the largest in a second. */
    public static List<Limit> extremesOf(Limit limit) {
        var extremes = new ArrayList<Limit>();
        for (long window : WINDOWS) {
            for (long hits : HITS) {
                extremes.add(of(new Quota(hits, window), limit, hits));
            }
        }
        return extremes;
    }

    private static Limit of(Quota quota, Limit like, long burst) {
        Algorithm algorithm = switch (like.algorithm()) {
            case Algorithm.TokenBucket _ -> new Algorithm.TokenBucket(burst);
            case Algorithm.LeakyBucket _ -> new Algorithm.LeakyBucket(burst);
            case Algorithm.Gcra _ -> new Algorithm.Gcra(burst);
            case Algorithm.FixedWindow _, Algorithm.SlidingWindow _, Algorithm.SlidingLog _ -> like.algorithm();
        };
        return new Limit(quota, algorithm, like.charge(), like.blockSeconds());
    }
}
