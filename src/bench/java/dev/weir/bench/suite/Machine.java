package dev.weir.bench.suite;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * Where and when something was measured.
 *
 * @param processors of the machine
 * @param loadBefore its load when the measurement began: what else ran
 * @param java version of the JVM, Weir's and the load generator's
 * @param redis version of the Redis
 */
record Machine(int processors, double loadBefore, String java, String redis) {

    /** Returns the machine as it is now. */
    static Machine now() {
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.version().toString(),
                RedisOnPath.version().number());
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%d processors, load %.1f before; Java %s, Redis %s", processors, loadBefore, java, redis);
    }
}
