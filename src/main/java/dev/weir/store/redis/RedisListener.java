package dev.weir.store.redis;

/** Is told what happens on the way to Redis. Called from event loops: must not block, must not throw. */
public interface RedisListener {

    /**
     * A batch was sent, and Redis did not refuse it as a whole: told with its end, just before {@link #answered} or {@link
     * #unanswered}, one of which follows.
     *
     * @param checks how many checks were asked for
     * @param merged how many of them an equal one stands for
     */
    void sent(int checks, int merged);

    /**
     * A batch was answered.
     *
     * @param nanos from its being sent
     * @param tripNanos how long a check is under way to that place and back by itself, by the fastest batch of late, and with its wait
     *     for a turn
     */
    void answered(long nanos, long tripNanos);

    /** A batch was not answered, or not in a way that can be read; what it counted is unknown. */
    void unanswered();

    /**
     * More is asked of Redis, or of a part of it, than it takes: too many of its answers have come too late for some time. Told by
     * each queue, and again each two seconds while it stays so, and once by who begins what goes to several of them.
     */
    void overrun();

    /** Hits of a request that was refused, or failed, could not be given back: counted, too strictly, until they expire. */
    void chargeKept();

    /**
     * Redis answers, of a cluster all that is asked: for the first time, or again.
     *
     * @param redis what to call it: which of two, or just Redis
     */
    void reached(String redis);

    /** Redis, or a part of a cluster, stopped answering or never did; told once until that changes. The reason says which of two. */
    void lost(String reason);

    /** Keys of one call must share a hash tag here, and from now on do. */
    void groupingByTag();

    /**
     * Plain calls to a node are not answered so that they can be read: all of it goes by the script. Told once for each node until that
     * changes. The reason says of which.
     */
    void shortWayClosed(String reason);

    /**
     * What a node that keeps counters says of its memory.
     *
     * @param node its address
     * @param run which Redis it is, at an address that may lead to another one: it names itself anew with each start. Empty if
     *     it does not say it
     * @param usedBytes what it uses
     * @param maxBytes what it may use; 0 for as much as there is
     * @param policy which keys it evicts when it may use no more: its {@code maxmemory-policy}
     * @param evictedKeys how many it has evicted since it began to count, whoever's they were
     */
    record Memory(String node, String run, long usedBytes, long maxBytes, String policy, long evictedKeys) {
        static final String NO_EVICTION = "noeviction";

        /** Returns whether it will evict keys once it is full; without a bound it never is. */
        public boolean evicts() {
            return maxBytes > 0 && !policy.equals(NO_EVICTION);
        }
    }

    /** A node that keeps counters was asked for its memory; told every some seconds. */
    default void memory(Memory memory) {}

    /** Redis does not say what it uses of its memory, and is not asked again. */
    default void memoryUnknown(String reason) {}
}
