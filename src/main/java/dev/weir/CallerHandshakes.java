package dev.weir;

import dev.weir.handshake.HandshakeFailure;
import dev.weir.handshake.HandshakeListener;
import dev.weir.handshake.Handshakes;
import dev.weir.handshake.TlsFiles;
import dev.weir.metrics.Statistics;
import dev.weir.settings.CallerTls;
import dev.weir.socket.Places.Place;
import dev.weir.socket.Seldom;
import dev.weir.tls.PemException;
import io.netty.channel.ChannelPipeline;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What connections of callers begin with, if anything, as the settings want it; writes into the log and the statistics how
 * that fares.
 */
final class CallerHandshakes implements HandshakeListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("weir");
    private static final Duration BETWEEN_REFUSALS = Duration.ofMinutes(1);

    private final Statistics statistics;
    private final @Nullable Handshakes tls;
    private final Seldom refusals = new Seldom(BETWEEN_REFUSALS);

    /**
     * Creates them.
     *
     * @throws StartException if a file cannot be used any more, which it could when the settings were read
     */
    CallerHandshakes(@Nullable CallerTls wanted, Statistics statistics) throws StartException {
        this.statistics = statistics;
        try {
            tls = wanted == null ? null : Handshakes.watched(files(wanted), this, InstantSource.system());
            if (tls != null) {
                watchExpiry(tls);
            }
        } catch (PemException e) {
            throw new StartException("TLS for callers: " + e.file() + ": " + e.reason() + ".");
        }
    }

    private void watchExpiry(Handshakes watched) {
        statistics.watchCertificate("service", () -> watched.expiry().service());
        if (watched.expiry().authority() != null) {
            statistics.watchCertificate(
                    "authority", () -> Objects.requireNonNull(watched.expiry().authority()));
        }
    }

    private static TlsFiles files(CallerTls wanted) {
        return new TlsFiles(wanted.certificate(), wanted.key(), wanted.authority(), wanted.callerName());
    }

    /** Begins a connection. */
    void begin(ChannelPipeline pipeline, Place place) {
        if (tls != null) {
            tls.begin(pipeline, place);
        }
    }

    /** Whoever can reach the port can fail as often as it likes: the log gets one line a minute. */
    @Override
    public void refused(String caller, HandshakeFailure why) {
        statistics.refusedByTls(why.kind());
        LOG.debug("a handshake failed ({}): {}", caller, why.words());
        refusals.tell(untold -> LOG.warn(
                "a caller got no connection ({}): {} (since the last such line: {})", caller, why.words(), untold));
    }

    @Override
    public void renewed() {
        LOG.info("TLS for callers: new connections get what is in the files now");
    }

    @Override
    public void kept(Path file, String reason) {
        LOG.error("TLS for callers: {}: {}; what was in the files before stays in force", file, reason);
    }

    @Override
    public void close() {
        if (tls != null) {
            tls.close();
        }
    }
}
