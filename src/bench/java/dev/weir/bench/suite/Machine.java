package dev.weir.bench.suite;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * Where and when something was measured.
 *
 * @param processors of the machine
 * @param loadBefore its load when the measurement began: what else ran
 * @param chain how late its threads were then
 * @param java version of the JVM, Weir's and the load generator's
 * @param redis version of the Redis
 */
record Machine(int processors, double loadBefore, Chain chain, String java, String redis) {

    /** Returns the machine as it is now; takes five seconds. */
    static Machine now() throws InterruptedException {
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Chain.measure(),
                Runtime.version().toString(),
                RedisOnPath.version().number());
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d processors, load %.1f before, %s; Java %s, Redis %s",
                processors,
                loadBefore,
                chain,
                java,
                redis);
    }
}
