package dev.weir.bench.suite;

/**
 * The processes that are measured.
 *
 * @param port of the gRPC of Weir, on 127.0.0.1
 * @param weirPid process of Weir
 * @param redisPid process of its Redis; {@link #NONE} where counts are kept in memory
 */
record Target(int port, long weirPid, long redisPid) {
    static final long NONE = -1;
}
