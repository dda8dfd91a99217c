package dev.weir.store.redis.plain;

import dev.weir.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Tries the short way once a second with a call that counts nothing. Some proxies before Redis do not know its clock, answer
 * nothing at all, answer by a clock of their own, or end the connection: what a hit would meet is found out without one.
 *
 * <p>Belongs to the thread that asks.
 */
public final class Probe {
    private static final long PATIENCE_MILLIS = 1_000;
    private static final int MOST_UNANSWERED = 3;
    private static final int PAUSE = 60; // for who ends connections should rarely get a reason to

    private final ShortWay shortWay;
    private final Consumer<String> closed;
    private @Nullable CompletableFuture<PlainCall> asked;
    private int turn;
    private int unanswered;
    private boolean isTold;

    /**
     * Creates a probe.
     *
     * @param shortWay learns whether it can be gone
     * @param closed is told why it cannot, once until it can again
     */
    public Probe(ShortWay shortWay, Consumer<String> closed) {
        this.shortWay = shortWay;
        this.closed = closed;
    }

    /**
     * Asks, and tidies up what is known of counters meanwhile.
     *
     * @param send sends a call without counters, to another part of Redis with each number
     */
    public void ask(IntFunction<CompletableFuture<PlainCall>> send) {
        turn++;
        asked = unanswered < MOST_UNANSWERED || turn % PAUSE == 0 ? send.apply(turn) : null;
        shortWay.sweep(System.nanoTime());
    }

    /**
     * Waits for the answer, for a second at most.
     *
     * @param isRedisThere whether Redis has answered something else meanwhile: only then does silence mean anything
     */
    public void hear(boolean isRedisThere) throws InterruptedException {
        if (asked == null) {
            return;
        }
        try {
            asked.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS).answer(shortWay);
            unanswered = 0;
            if (shortWay.isOpen()) {
                isTold = false;
            } else {
                tell(
                        "TIME is not answered by the clock that the script goes by; a proxy's? Tried again in ten seconds, then ever more rarely");
            }
        } catch (StoreException e) {
            unanswered = 0;
            tell(String.valueOf(e.getMessage()));
        } catch (ExecutionException | TimeoutException _) {
            if (isRedisThere && ++unanswered == MOST_UNANSWERED) {
                shortWay.open(false, System.nanoTime());
                tell("Redis answers the script, and does not answer TIME");
            }
        }
    }

    private void tell(String reason) {
        if (!isTold) {
            isTold = true;
            closed.accept(reason);
        }
    }
}
