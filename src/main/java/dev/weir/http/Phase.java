package dev.weir.http;

import java.util.concurrent.TimeUnit;

/** What a connection is about, and how long it may be. */
enum Phase {
    IDLE(Caller.IDLE_SECONDS),
    ASKING(Caller.COMES_WITHIN_SECONDS),
    ANSWERED(Long.MAX_VALUE),
    READING(Caller.GOES_WITHIN_SECONDS),
    LEFT(Caller.PAUSE_SECONDS);

    private final long seconds;

    Phase(long seconds) {
        this.seconds = seconds;
    }

    long nanos() {
        return TimeUnit.SECONDS.toNanos(seconds);
    }
}
