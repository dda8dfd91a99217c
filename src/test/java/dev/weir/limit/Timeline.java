package dev.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;

/** Tells the story of one counter as a table: a row for each check, with what it must be told. Times are in a unit. */
final class Timeline {
    /** A full minute, hour and day, and at noon of none of our machines. */
    static final long NOON = 1_763_726_400_000_000L / 86_400_000_000L * 86_400_000_000L;

    static final long MILLI = 1_000;
    static final long SECOND = 1_000_000;
    static final long MINUTE = 60 * SECOND;
    static final long HOUR = 60 * MINUTE;
    static final long DAY = 24 * HOUR;
    static final long YEAR = 365 * DAY;

    final OneCounter counter;
    private final long unit;

    Timeline(Limit limit, long unit) {
        this.counter = new OneCounter(limit);
        this.unit = unit;
    }

    /** Asks for hits that are admitted. */
    Timeline in(double at, long hits, long left, double reset) {
        return row(at, counter.hit(instant(at), hits), true, left, reset, 0);
    }

    /** Asks for hits that are refused. */
    Timeline out(double at, long hits, long left, double reset, double retry) {
        return row(at, counter.hit(instant(at), hits), false, left, reset, retry);
    }

    /** Gives hits back. */
    Timeline back(double at, long hits, long left, double reset) {
        return row(at, counter.refund(instant(at), hits), true, left, reset, 0);
    }

    /** Goes on under another limit. */
    Timeline under(Limit other) {
        counter.under(other);
        return this;
    }

    private Timeline row(double at, Evaluation answer, boolean admitted, long left, double reset, double retry) {
        assertThat(answer.admitted()).as("admitted at %s", at).isEqualTo(admitted ? 1 : 0);
        assertThat(answer.left()).as("left at %s", at).isEqualTo(left);
        assertThat(answer.resetMicros()).as("reset at %s", at).isEqualTo(micros(reset));
        assertThat(answer.retryMicros()).as("retry at %s", at).isEqualTo(micros(retry));
        return this;
    }

    private long instant(double at) {
        return NOON + micros(at);
    }

    private long micros(double units) {
        return Math.round(units * unit);
    }
}
