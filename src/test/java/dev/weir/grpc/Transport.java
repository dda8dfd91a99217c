package dev.weir.grpc;

import java.io.IOException;
import java.time.Duration;

/** A port that answers ShouldRateLimit, health and reflection, by whichever means. */
interface Transport {
    int MAX_MESSAGE_BYTES = 1 << 20;

    int start() throws IOException;

    void stop(Duration within) throws InterruptedException;

    void setHealthy(boolean healthy);
}
