package dev.weir.store.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.store.Beyond;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Role;
import dev.weir.store.StoreContract;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds with the memory for every sequence of requests, whatever the limits are. */
final class OverLimitLawTest {
    private static final int STEPS = 20_000;
    private static final long SECOND = 1_000_000;

    /** Each is the limit of a counter of its own. */
    private static final List<Limit> LIMITS = List.of(
            limit(3, 1, new Algorithm.FixedWindow(), Charge.ALWAYS, 0),
            limit(2, 5, new Algorithm.FixedWindow(), Charge.ALWAYS, 7),
            limit(2, 2, new Algorithm.FixedWindow(), Charge.ALWAYS, 1),
            limit(4, 60, new Algorithm.FixedWindow(), Charge.ON_ADMIT, 0),
            limit(3, 1, new Algorithm.FixedWindow(), Charge.DRAIN, 2),
            limit(5, 4, new Algorithm.FixedWindow(), Charge.DRAIN, 0),
            limit(3, 2, new Algorithm.SlidingWindow(1), Charge.ALWAYS, 0),
            limit(3, 2, new Algorithm.SlidingWindow(5), Charge.ON_ADMIT, 0),
            limit(4, 3, new Algorithm.SlidingWindow(1), Charge.DRAIN, 0),
            limit(2, 1, new Algorithm.SlidingWindow(2), Charge.ALWAYS, 2),
            limit(2, 3, new Algorithm.SlidingLog(), Charge.ON_ADMIT, 0),
            limit(7, 2, new Algorithm.TokenBucket(3), Charge.ON_ADMIT, 0),
            limit(3, 2, new Algorithm.TokenBucket(5), Charge.DRAIN, 0),
            limit(3, 2, new Algorithm.TokenBucket(2), Charge.DRAIN, 1),
            limit(3, 1, new Algorithm.LeakyBucket(2), Charge.ON_ADMIT, 3),
            limit(3, 1, new Algorithm.Gcra(2), Charge.ON_ADMIT, 0));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void a_store_with_the_memory_answers_as_one_without_it(long seed) {
        var random = new SplittableRandom(seed);
        var ticker = new ManualTicker();
        try (var bench = new OverLimitBench();
                var bare = new MemoryStore(ticker, 1_000_000, Long.MAX_VALUE)) {
            long now = StoreContract.NOON_MICROS;
            for (int step = 0; step < STEPS; step++) {
                now += elapsed(random);
                bench.at(now);
                ticker.set(now);
                Plan plan = plan(random);
                List<Reading> with = bench.ask(plan);
                List<Reading> without = OverLimitBench.answer(bare, plan);
                for (int i = 0; i < with.size(); i++) {
                    assertThat(seenByCaller(plan.checks().get(i), with.get(i)))
                            .as("seed %d, step %d, check %d of %s", seed, step, i, plan)
                            .isEqualTo(seenByCaller(plan.checks().get(i), without.get(i)));
                }
            }
            assertThat(bench.remembered).as("refused from memory").hasValueGreaterThan(STEPS / 10);
        }
    }

    /** Who asked for several hits and is refused from memory is told when one would be admitted. */
    private static Reading seenByCaller(Check check, Reading reading) {
        return reading.isAdmitted() || check.hits() <= 1
                ? StoreContract.numbers(reading)
                : new Reading(false, reading.remaining(), 0, reading.resetMicros(), 0, 0);
    }

    private static Plan plan(SplittableRandom random) {
        var checks = new ArrayList<Check>();
        int descriptors = 1 + random.nextInt(3);
        for (int descriptor = 0; descriptor < descriptors; descriptor++) {
            Role role = oneOf(random, List.of(Role.values()));
            for (int i = random.nextInt(4) / 3; i >= 0; i--) {
                checks.add(check(random).as(role, descriptor));
            }
        }
        return new Plan(checks, random.nextInt(4) > 0 ? Beyond.NOTHING : oneOf(random, List.of(Beyond.values())));
    }

    /** Refunds meet the hits that memory kept from the store; only where those are charged does that make a difference. */
    private static Check check(SplittableRandom random) {
        int counter = random.nextInt(LIMITS.size());
        Limit limit = LIMITS.get(counter);
        var key = StoreContract.key("counter" + counter);
        if (limit.charge() != Charge.ALWAYS && random.nextInt(20) == 0) {
            return Check.refund(key, limit, random.nextInt(3));
        }
        return Check.of(key, limit, random.nextInt(4) > 0 ? 1 : random.nextInt(4));
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
    void nobody_is_refused_for_more_than_a_second_after_the_store_would_admit(long seed) {
        var random = new SplittableRandom(seed);
        var changedElsewhere = new long[LIMITS.size()];
        long late = 0;
        try (var bench = new OverLimitBench()) {
            long now = StoreContract.NOON_MICROS;
            long skew = 0;
            for (int step = 0; step < STEPS; step++) {
                now += elapsed(random);
                bench.at(now);
                if (random.nextInt(200) == 0) { // the store's clock jumps ahead
                    skew += random.nextLong(3 * SECOND);
                    Arrays.fill(changedElsewhere, now);
                }
                bench.ticker.set(now + skew);
                int counter = random.nextInt(LIMITS.size());
                Check one = Check.of(StoreContract.key("counter" + counter), LIMITS.get(counter), 1);
                if (random.nextInt(20) == 0) {
                    bench.elsewhere(Check.refund(one.key(), one.limit(), 5));
                    changedElsewhere[counter] = now;
                }
                boolean isRefused = !bench.ask(one).isAdmitted();
                if (isRefused && bench.elsewhere(look(one)).available() > 0) {
                    late++;
                    assertThat(now - changedElsewhere[counter])
                            .as("seed %d, step %d, %s, skew %d", seed, step, one, skew)
                            .isLessThan(SECOND);
                }
            }
        }
        assertThat(late).as("refusals that the store would have admitted").isPositive();
    }

    private static <T> T oneOf(SplittableRandom random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private static Check look(Check one) {
        return Check.of(one.key(), one.limit(), 0);
    }

    private static long elapsed(SplittableRandom random) {
        return switch (random.nextInt(10)) {
            case 0 -> random.nextLong(3 * SECOND);
            case 1, 2, 3 -> 0;
            default -> random.nextLong(100_000);
        };
    }

    private static Limit limit(long hits, long seconds, Algorithm algorithm, Charge charge, long block) {
        return new Limit(new Quota(hits, seconds), algorithm, charge, block);
    }
}
