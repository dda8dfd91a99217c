package dev.weir.store.redis;

/** Keeps nothing of what it is told. */
class DeafListener implements RedisListener {
    @Override
    public void sent(int checks, int merged) {}

    @Override
    public void answered(long nanos, long tripNanos) {}

    @Override
    public void unanswered() {}

    @Override
    public void overrun() {}

    @Override
    public void chargeKept() {}

    @Override
    public void reached(String redis) {}

    @Override
    public void lost(String reason) {}

    @Override
    public void groupingByTag() {}

    @Override
    public void shortWayClosed(String reason) {}
}
