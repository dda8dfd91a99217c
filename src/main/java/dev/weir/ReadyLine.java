package dev.weir;

import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;

/**
 * Says in the log, once, that requests may come; and where all is warm and they may not yet, why.
 *
 * <p>Safe for use by any thread.
 */
final class ReadyLine {
    private final Logger log;
    private final Health health;
    private boolean isTold;

    ReadyLine(Logger log, Health health) {
        this.log = log;
        this.health = health;
    }

    /** Callers were told of the health. */
    synchronized void told(boolean isHealthy) {
        if (isHealthy && !isTold) {
            isTold = true;
            log.info("ready {} ms after the start of the process", millisSinceStart());
        }
    }

    /** All is warm, of which callers were told. */
    synchronized void warm() {
        var obstacles = health.obstacles(false);
        if (!isTold && !obstacles.isEmpty()) { // else the last went this moment, and callers are about to be told
            log.info(
                    "warm {} ms after the start of the process, and not ready: {}",
                    millisSinceStart(),
                    String.join("; ", obstacles));
        }
    }

    private static long millisSinceStart() {
        return ProcessHandle.current()
                .info()
                .startInstant()
                .map(start -> Duration.between(start, Instant.now()).toMillis())
                .orElse(0L);
    }
}
