package dev.weir.bench;

import dev.weir.testing.RedisServer;

/**
 * What Redis does on this machine without anybody between: INCRs a second of {@code redis-benchmark}, 64 clients, one
 * command at a time each. Machines differ, and so do their hours; a ratio to this number says more than a number.
 */
final class Baseline {
    private static final int COMMANDS = 300_000;
    private static final int CLIENTS = 64;
    private static final String LINE = "\"INCR\",\"";

    private Baseline() {}

    /** Returns INCRs a second, or not a number if there is no redis-benchmark on the PATH. */
    static double incrementsPerSecond(RedisServer redis) {
        String csv = Servers.output(
                "redis-benchmark",
                "-h",
                redis.host(),
                "-p",
                Integer.toString(redis.port()),
                "-t",
                "incr",
                "-n",
                Integer.toString(COMMANDS),
                "-c",
                Integer.toString(CLIENTS),
                "--csv");
        int start = csv.indexOf(LINE) + LINE.length();
        int end = csv.indexOf('"', start);
        return csv.contains(LINE) && end > start ? Double.parseDouble(csv.substring(start, end)) : Double.NaN;
    }
}
