package dev.weir.live;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What has happened since somebody looked before, for who looks each second. Whoever else looks gets the same, so many that look
 * take one look a second; while nobody does, it keeps the last look and does nothing.
 */
public final class LiveView {
    private static final long FRESH_NANOS = Duration.ofMillis(900).toNanos();

    /** What is older was looked at by somebody who has left. */
    private static final long STALE_NANOS = Duration.ofSeconds(10).toNanos();

    private static final double NANOS_PER_SECOND = 1e9;

    private final String version;
    private final Supplier<List<String>> obstacles;
    private final Supplier<Figures> figures;
    private final LongSupplier nanoTime;
    private @Nullable Look last;

    /**
     * Creates a view at which nobody has looked.
     *
     * @param version which Weir this is
     * @param obstacles why requests should not come here, each reason in plain words; empty if they should
     * @param figures counts as they are
     * @param nanoTime a clock that never steps back
     */
    public LiveView(
            String version, Supplier<List<String>> obstacles, Supplier<Figures> figures, LongSupplier nanoTime) {
        this.version = version;
        this.obstacles = obstacles;
        this.figures = figures;
        this.nanoTime = nanoTime;
    }

    private record Look(long at, Figures figures, String text) {}

    /** Returns it as JSON, in which what happened stands by the second; for the first who looks nothing has happened. */
    public synchronized String json() {
        Look before = last;
        long now = nanoTime.getAsLong();
        if (before != null && now - before.at < FRESH_NANOS) {
            return before.text;
        }
        Figures seen = figures.get();
        var since = before != null && now - before.at < STALE_NANOS
                ? new Stretch(before.figures, seen, (now - before.at) / NANOS_PER_SECOND)
                : new Stretch(seen, seen, 0);
        var look = new Look(now, seen, LiveJson.of(version, obstacles.get(), since));
        last = look;
        return look.text;
    }
}
