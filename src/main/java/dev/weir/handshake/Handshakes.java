package dev.weir.handshake;

import dev.weir.tls.PemException;
import io.netty.channel.ChannelPipeline;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins each connection with a handshake of TLS, by files as they are then.
 *
 * <p>It looks at the files every second, at what is in them, so that a rename, a copy and the swap of a link two levels up are
 * the same to it. What has changed is read once two looks in a row see the same: a certificate is not taken before its key is
 * there. Connections that are there go on as they began. Files that cannot be used change nothing, until they change again.
 *
 * <p>A handshake takes a processor a millisecond or more, and callers tend to come all at once. So its arithmetic is done on
 * threads of its own, fewer than there are processors, and calls on connections that are there do not wait for it.
 */
public final class Handshakes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Handshakes.class);

    /** How long a handshake may take. */
    static final int MAX_SECONDS = 10;

    private static final long SECONDS_BETWEEN_LOOKS = 1;
    private static final long IDLE_SECONDS = 30;

    private final TlsFiles files;
    private final HandshakeListener listener;
    private final ExecutorService threads = threads();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile InForce inForce;

    // Of the thread that looks.
    private List<String> read;
    private List<String> last;

    private Handshakes(TlsFiles files, HandshakeListener listener) throws PemException {
        this.files = files;
        this.listener = listener;
        read = files.digests();
        last = read;
        inForce = files.read();
    }

    /**
     * Reads the files, and begins to watch them.
     *
     * @throws PemException if one of them cannot be used
     */
    public static Handshakes watched(TlsFiles files, HandshakeListener listener) throws PemException {
        var handshakes = unwatched(files, listener);
        Thread.ofPlatform().daemon().name("tls-watch").start(handshakes::run);
        return handshakes;
    }

    static Handshakes unwatched(TlsFiles files, HandshakeListener listener) throws PemException {
        return new Handshakes(files, listener);
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

    /** Adds TLS to a connection that is empty yet. */
    public void begin(ChannelPipeline pipeline) {
        var tls = inForce.context().newHandler(pipeline.channel().alloc(), threads);
        tls.setHandshakeTimeout(MAX_SECONDS, TimeUnit.SECONDS);
        pipeline.addLast(tls, new OnlyHttp2(listener));
    }

    /** Returns when the certificates expire that connections begin with now. */
    public Expiry expiry() {
        return inForce.expiry();
    }

    /** Looks once, and reads the files if something in them has changed and stands still. */
    void look() {
        List<String> now = files.digests();
        if (!now.equals(read) && now.equals(last)) {
            read = now;
            renew();
        }
        last = now;
    }

    private void renew() {
        try {
            inForce = files.read();
            listener.renewed();
        } catch (PemException e) {
            listener.kept(e.file(), e.reason());
        } catch (RuntimeException e) { // a defect must not end the watch unseen
            listener.kept(files.certificate(), "it cannot be used, by a defect of the service: " + e);
        }
    }

    private void run() {
        rehearse();
        try {
            while (!closed.await(SECONDS_BETWEEN_LOOKS, TimeUnit.SECONDS)) {
                look();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // nobody interrupts this thread but to end it
        }
    }

    private void rehearse() {
        try {
            LOG.debug("a handshake was rehearsed: {}", Rehearsal.play(inForce.context(), files.certificate()));
        } catch (GeneralSecurityException | SSLException | PemException | RuntimeException e) {
            LOG.debug("no handshake could be rehearsed, so that the first takes longer", e);
        }
    }

    /** Stops watching. Nobody can begin a connection any more. */
    @Override
    public void close() {
        closed.countDown();
        threads.shutdown();
    }
}
