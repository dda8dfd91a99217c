package dev.weir.socket;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How many connections there are on a port, and how many there may be: each takes some thousand bytes as long as it lives, and
 * callers open as many as they like.
 *
 * <p>A connection costs a stranger nothing, so those who say nothing could keep all others out. Therefore a place that is missing
 * is taken from who has let us wait for a greeting the longest, if that is long enough. Who has greeted stays. So does who waits
 * for us: where callers come faster than we can shake hands, each would lose its place just before its turn. And so does who has
 * just come: where more honest callers come than there are places, and come again when they are sent away, each would lose its
 * place with the greeting under way, and places would be free for nobody.
 *
 * <p>Who is sent away is closed by its own thread, and holds until then what it holds. So only some are on their way out at a
 * time: with them there are an eighth more connections than places at most.
 *
 * <p>Safe for use by any thread.
 */
public final class Places {
    private static final int PART_LEAVING = 8;

    private final int most;
    private final int mostLeaving;
    private final long patienceNanos;
    private final Runnable onRefusal;
    private final LongSupplier nanoClock;

    // All guarded by this. The longest awaited is the first.
    private final LinkedHashSet<Place> awaited = new LinkedHashSet<>();
    private int taken;
    private int leaving;
    private long refused;
    private long sentAway;

    /**
     * Creates free places.
     *
     * @param most how many, at least 1
     * @param patience how long nobody is sent away because it has not greeted yet
     * @param onRefusal is run for each connection that finds none, on an event loop: must not block
     */
    public Places(int most, Duration patience, Runnable onRefusal) {
        this(most, patience, onRefusal, System::nanoTime);
    }

    Places(int most, Duration patience, Runnable onRefusal, LongSupplier nanoClock) {
        this.most = most;
        this.mostLeaving = Math.max(1, most / PART_LEAVING);
        this.patienceNanos = patience.toNanos();
        this.onRefusal = onRefusal;
        this.nanoClock = nanoClock;
    }

    /** Returns places that are never all taken. */
    public static Places unbounded() {
        return new Places(Integer.MAX_VALUE, Duration.ZERO, () -> {});
    }

    /**
     * Takes a place for a connection whose caller has not greeted yet.
     *
     * @param sendAway is run if another one gets the place, once, by the thread of that one: must have the connection closed, and
     *     not block
     * @return null if none is to be had
     */
    public @Nullable Place take(Runnable sendAway) {
        var place = new Place(sendAway);
        Place former;
        synchronized (this) {
            if (taken < most) {
                taken++;
                await(place);
                return place;
            }
            former = leaving < mostLeaving ? longAwaited() : null;
            if (former == null) {
                refused++;
            } else {
                awaited.remove(former);
                former.isHeld = false;
                leaving++;
                sentAway++;
                await(place);
            }
        }
        if (former == null) {
            onRefusal.run();
            return null;
        }
        former.sendAway.run();
        return place;
    }

    private @Nullable Place longAwaited() {
        if (awaited.isEmpty()) {
            return null;
        }
        Place longest = awaited.getFirst();
        return nanoClock.getAsLong() - longest.sinceNanos >= patienceNanos ? longest : null;
    }

    private void await(Place place) {
        place.sinceNanos = nanoClock.getAsLong();
        awaited.add(place);
    }

    /** Returns how many are taken. */
    public synchronized int taken() {
        return taken;
    }

    /** Returns how many connections found none. */
    public synchronized long refused() {
        return refused;
    }

    /** Returns how many connections had to go for another one. */
    public synchronized long sentAway() {
        return sentAway;
    }

    /** The place of one connection. */
    public final class Place {
        private final Runnable sendAway;

        // All guarded by the places.
        private boolean isHeld = true;
        private boolean hasGreeted;
        private int served;
        private long sinceNanos; // awaited

        private Place(Runnable sendAway) {
            this.sendAway = sendAway;
        }

        /** The caller has greeted, and is not sent away any more. */
        public void greeted() {
            synchronized (Places.this) {
                hasGreeted = true;
                awaited.remove(this);
            }
        }

        /** The caller waits for us from now on; {@link #awaits} must follow. */
        public void serves() {
            synchronized (Places.this) {
                served++;
                awaited.remove(this);
            }
        }

        /** We have done something for the caller, and if there is nothing else to do, wait for it from now on. */
        public void awaits() {
            synchronized (Places.this) {
                served--;
                if (isHeld && !hasGreeted && served == 0) {
                    await(this);
                }
            }
        }

        /** The connection is closed; is said once. */
        public void leave() {
            synchronized (Places.this) {
                awaited.remove(this);
                if (isHeld) {
                    isHeld = false;
                    taken--;
                } else {
                    leaving--;
                }
            }
        }
    }
}
