package dev.weir.bench.suite;

import dev.weir.testing.RedisServer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * What Redis does on this machine without anybody between: INCRs a second of {@code redis-benchmark}, 64 clients, one
 * command at a time each. Machines differ, and so do their hours; a ratio to this number says more than a number.
 */
final class Baseline {
    private static final int RUNS = 3;
    private static final String COMMANDS = "150000";
    private static final String CLIENTS = "64";
    private static final String LINE = "\"INCR\",\"";

    private Baseline() {}

    /** Returns INCRs a second, the median of several runs; not a number if there is no redis-benchmark on the PATH. */
    static double incrementsPerSecond(RedisServer redis) {
        double[] runs = new double[RUNS];
        Arrays.setAll(runs, _ -> run(redis));
        Arrays.sort(runs);
        return runs[RUNS / 2];
    }

    private static double run(RedisServer redis) {
        var command = List.of("redis-benchmark", "-h", redis.host(), "-p", Integer.toString(redis.port()));
        var what = List.of("-t", "incr", "-n", COMMANDS, "-c", CLIENTS, "--csv");
        String csv =
                Servers.output(Stream.concat(command.stream(), what.stream()).toArray(String[]::new));
        int start = csv.indexOf(LINE) + LINE.length();
        int end = csv.indexOf('"', start);
        return csv.contains(LINE) && end > start ? Double.parseDouble(csv.substring(start, end)) : Double.NaN;
    }
}
