package dev.weir.bench;

/**
 * A service to ask.
 *
 * @param host at which it listens
 * @param port of its gRPC
 * @param weirPid process of the service; {@link #UNKNOWN} where it runs elsewhere
 * @param redisPid process of its Redis; {@link #UNKNOWN} where there is none, or it runs elsewhere
 */
record Target(String host, int port, long weirPid, long redisPid) {
    static final long UNKNOWN = -1;

    /** Returns a service of which nothing is known but where it listens. */
    static Target at(String host, int port) {
        return new Target(host, port, UNKNOWN, UNKNOWN);
    }
}
