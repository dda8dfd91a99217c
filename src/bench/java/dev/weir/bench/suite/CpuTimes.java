package dev.weir.bench.suite;

/** Seconds of processor time of all who take part; not a number where it is not known. */
record CpuTimes(double weir, double redis, double generator) {

    static CpuTimes now(Target target) {
        return new CpuTimes(
                ProcessCpu.seconds(target.weirPid()),
                ProcessCpu.seconds(target.redisPid()),
                ProcessCpu.seconds(ProcessHandle.current().pid()));
    }

    CpuTimes since(CpuTimes start) {
        return new CpuTimes(weir - start.weir, redis - start.redis, generator - start.generator);
    }
}
