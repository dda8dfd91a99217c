package dev.weir.store.redis;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What Redis is asked, again and again, while it is measured.
 *
 * @param name the line of the table
 * @param limit of every check
 * @param checksOfAPlan 1, or how many counters are decided together
 * @param hitsBefore how often each counter is hit before, so that it refuses; 0 for counters that always admit
 */
record ScriptLoad(String name, Limit limit, int checksOfAPlan, int hitsBefore) {
    /** Different checks in one call. */
    static final int CHECKS = 64;

    private static final int HOUR = 3_600;
    private static final int DAY = 24 * HOUR;
    private static final Quota AMPLE = new Quota(1_000_000, HOUR);
    private static final Quota SCARCE = new Quota(100, DAY);

    /** Returns the lines of the table: each algorithm admitting and refusing, then plans and a lock. */
    static List<ScriptLoad> all() {
        var all = new ArrayList<ScriptLoad>();
        both(all, "`fixed_window`", new Algorithm.FixedWindow(), new Algorithm.FixedWindow(), Charge.ALWAYS);
        both(
                all,
                "`fixed_window`, `on_admit`",
                new Algorithm.FixedWindow(),
                new Algorithm.FixedWindow(),
                Charge.ON_ADMIT);
        both(all, "`sliding_window`", new Algorithm.SlidingWindow(1), new Algorithm.SlidingWindow(1), Charge.ON_ADMIT);
        both(
                all,
                "`sliding_window`, 60 parts",
                new Algorithm.SlidingWindow(60),
                new Algorithm.SlidingWindow(60),
                Charge.ON_ADMIT);
        log(all);
        both(
                all,
                "`token_bucket`",
                new Algorithm.TokenBucket(AMPLE.hits()),
                new Algorithm.TokenBucket(100),
                Charge.ON_ADMIT);
        both(
                all,
                "`leaky_bucket`",
                new Algorithm.LeakyBucket(AMPLE.hits()),
                new Algorithm.LeakyBucket(100),
                Charge.ON_ADMIT);
        both(all, "`gcra`", new Algorithm.Gcra(AMPLE.hits()), new Algorithm.Gcra(100), Charge.ON_ADMIT);
        var onAdmit = new Limit(AMPLE, new Algorithm.FixedWindow(), Charge.ON_ADMIT, 0);
        all.add(new ScriptLoad("plans of 2 `fixed_window`, `on_admit`", onAdmit, 2, 0));
        all.add(new ScriptLoad("the same, refused", onAdmitScarce(0), 2, 100));
        all.add(new ScriptLoad("`fixed_window`, locked by `block_for`", onAdmitScarce(HOUR), 1, 101));
        return all;
    }

    private static Limit onAdmitScarce(int blockSeconds) {
        return new Limit(SCARCE, new Algorithm.FixedWindow(), Charge.ON_ADMIT, blockSeconds);
    }

    private static void both(
            List<ScriptLoad> all, String name, Algorithm admitting, Algorithm refusing, Charge charge) {
        all.add(new ScriptLoad(name, new Limit(AMPLE, admitting, charge, 0), 1, 0));
        all.add(new ScriptLoad(name + ", refused", new Limit(SCARCE, refusing, charge, 0), 1, 100));
    }

    /** Admitted in windows of a second, so that logs stay short; refused with a hundred entries. */
    private static void log(List<ScriptLoad> all) {
        var log = new Algorithm.SlidingLog();
        all.add(new ScriptLoad("`sliding_log`, tens of entries", Limit.of(new Quota(1_000_000, 1), log), 1, 0));
        all.add(new ScriptLoad("`sliding_log`, 100 entries, refused", Limit.of(SCARCE, log), 1, 100));
    }

    /** The load by which the script is compared with what it was when it knew nothing but this. */
    static ScriptLoad plain() {
        return new ScriptLoad("fixed windows", Limit.fixedWindow(AMPLE), 1, 0);
    }

    /** Returns the plans of one of several calls, each of which has counters of its own. */
    List<Plan> plans(int call) {
        List<Check> checks = IntStream.range(0, CHECKS)
                .mapToObj(i -> Check.of(key(call * CHECKS + i), limit, 1))
                .toList();
        return IntStream.range(0, CHECKS / checksOfAPlan)
                .mapToObj(i -> Plan.of(checks.subList(i * checksOfAPlan, (i + 1) * checksOfAPlan)))
                .toList();
    }

    /** Returns the plans that fill the last counter of each plan of one call by one hit. */
    List<Plan> filling(int call) {
        return plans(call).stream()
                .map(plan -> Plan.of(List.of(plan.checks().getLast())))
                .toList();
    }

    /** A key of 35 bytes, as a domain, an entry and the tail make: 40 with its hash tag. */
    static CounterKey key(int number) {
        byte[] bytes = String.format("--edge---user---%010d---a----", number).getBytes(StandardCharsets.US_ASCII);
        return new CounterKey(bytes, bytes.length);
    }
}
