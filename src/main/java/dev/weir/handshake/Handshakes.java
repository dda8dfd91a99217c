package dev.weir.handshake;

import dev.weir.socket.Places.Place;
import dev.weir.tls.PemException;
import dev.weir.tls.Renewed;
import io.netty.channel.ChannelPipeline;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins each connection with a handshake of TLS, by files as they are then. Connections that are there go on as they began.
 *
 * <p>A handshake takes a processor a millisecond or more, and callers tend to come all at once. So its arithmetic is done on
 * threads of its own, fewer than there are processors, and calls on connections that are there do not wait for it.
 */
public final class Handshakes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Handshakes.class);

    /** How long a handshake may take. */
    static final int MAX_SECONDS = 10;

    private static final long IDLE_SECONDS = 30;

    private final TlsFiles files;
    private final HandshakeListener listener;
    private final InstantSource clock;
    private final ExecutorService threads = threads();
    private final Renewed<TlsMaterial> tls;

    private Handshakes(TlsFiles files, HandshakeListener listener, InstantSource clock) throws PemException {
        this.files = files;
        this.listener = listener;
        this.clock = clock;
        tls = new Renewed<>(files.all(), new Reading(files, clock), listener);
    }

    /** What cannot shake hands replaces nothing that can. The first files are rehearsed aside, for that takes half a second. */
    private record Reading(TlsFiles files, InstantSource clock) implements Renewed.Reading<TlsMaterial> {
        @Override
        public TlsMaterial read() throws PemException {
            return files.read(clock);
        }

        @Override
        public TlsMaterial readAnew() throws PemException {
            TlsMaterial material = read();
            try {
                var _ = Rehearsal.play(material.context());
            } catch (GeneralSecurityException | SSLException e) {
                throw new PemException(
                        files.certificate(),
                        PemException.Part.CERTIFICATES,
                        "no handshake can be made with it: "
                                + HandshakeFailure.of(e).words());
            }
            return material;
        }
    }

    /**
     * Reads the files, and begins to watch them.
     *
     * @param clock by which certificates of callers are valid
     * @throws PemException if one of them cannot be used
     */
    public static Handshakes watched(TlsFiles files, HandshakeListener listener, InstantSource clock)
            throws PemException {
        var handshakes = unwatched(files, listener, clock);
        handshakes.threads.execute(handshakes::rehearse);
        handshakes.tls.watch("tls-watch");
        return handshakes;
    }

    static Handshakes unwatched(TlsFiles files, HandshakeListener listener, InstantSource clock) throws PemException {
        return new Handshakes(files, listener, clock);
    }

    private static ExecutorService threads() {
        int some = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        var threads = new ThreadPoolExecutor(
                some,
                some,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), // holds one task of a connection at most
                Thread.ofPlatform().daemon().name("weir-tls-", 1).factory());
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Adds TLS to a connection that is empty yet, and has a place. */
    public void begin(ChannelPipeline pipeline, Place place) {
        var handler = new WholeRecords(
                tls.inForce().context().newEngine(pipeline.channel().alloc()), task -> work(task, place));
        handler.setHandshakeTimeout(MAX_SECONDS, TimeUnit.SECONDS);
        pipeline.addLast(handler, new Admission(listener, clock));
    }

    /** Callers who come all at once wait for their turn, which is none of their fault. */
    private void work(Runnable task, Place place) {
        place.serves();
        threads.execute(() -> {
            try {
                task.run();
            } finally {
                place.awaits();
            }
        });
    }

    /** Returns when the certificates expire that connections begin with now. */
    public Expiry expiry() {
        return tls.inForce().expiry();
    }

    /** Looks at the files once. */
    void look() {
        tls.look();
    }

    private void rehearse() {
        try {
            LOG.debug(
                    "a handshake was rehearsed: {}",
                    Rehearsal.play(tls.inForce().context()));
        } catch (GeneralSecurityException | SSLException | RuntimeException e) {
            LOG.warn(
                    "TLS for callers: {}: no handshake can be made with it: {}",
                    files.certificate(),
                    HandshakeFailure.of(e).words());
        }
    }

    /** Stops watching. Nobody can begin a connection any more. */
    @Override
    public void close() {
        tls.close();
        threads.shutdown();
    }
}
