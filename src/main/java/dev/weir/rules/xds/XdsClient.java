package dev.weir.rules.xds;

import dev.weir.linux.Niceness;
import dev.weir.rules.Mistake;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.words.Counted;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a stream open to a control plane and tells which rules it wants in force: all of them at each response, or none
 * of them if there is one mistake anywhere. What was told before holds until the next good response, whatever becomes of
 * the stream.
 */
public final class XdsClient implements AutoCloseable {
    private final XdsOptions options;
    private final XdsListener listener;
    private final ResourceReader reader;
    private final ScheduledThreadPoolExecutor thread;
    private final Refusals refusals;

    // Of the thread, but for the first value of tls.
    private @Nullable SslContext tls;
    private @Nullable Stream stream;
    private @Nullable RuleSet inForce;
    private int failures;
    private boolean isConnected;

    /**
     * Creates the client; nobody is asked before it is started.
     *
     * @param listener is told what comes
     * @throws XdsException if the files of TLS cannot be used as they are
     */
    public XdsClient(XdsOptions options, XdsListener listener) throws XdsException {
        this.options = options;
        this.listener = listener;
        this.reader = new ResourceReader(options.reading());
        this.tls = options.tls() == null ? null : ControlPlaneTls.read(options.tls(), options.server());
        // After the end there are still calls that die, and nobody who wants to know.
        this.thread = new ScheduledThreadPoolExecutor(1, XdsClient::thread, new ThreadPoolExecutor.DiscardPolicy());
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.setRemoveOnCancelPolicy(true);
        this.refusals = new Refusals(options.silence(), this::later, listener, this::askAnew);
    }

    private static Thread thread(Runnable work) {
        return Thread.ofPlatform().daemon().name("rules-xds").unstarted(() -> {
            Niceness.stepBack(); // to compile rules takes long
            work.run();
        });
    }

    /** Begins to ask, and asks again whenever the stream ends. */
    public void start() {
        thread.execute(this::connect);
    }

    /** Stops asking; what was told holds. */
    @Override
    public void close() {
        thread.execute(() -> {
            if (stream != null) {
                stream.close();
            }
            thread.shutdown();
        });
    }

    private void connect() {
        if (thread.isShutdown()) {
            return; // an attempt that was due at the end is made all the same
        }
        try {
            refreshTls();
            var conversation = new Conversation(options.node());
            var opened = new Stream(Channels.open(options, tls, thread), conversation, owner());
            stream = opened;
            opened.open();
            var _ = later(options.patience(), () -> opened.expire(options.patience()));
        } catch (RuntimeException | Error e) {
            // It must not end the attempts, unseen: rules would never change again.
            lost(Status.INTERNAL.withDescription("a defect of the service: " + e), true);
        }
    }

    private Stream.Owner owner() {
        return new Stream.Owner() {
            @Override
            public void received(Stream from, DiscoveryResponse response, boolean isFirst) {
                if (isFirst && !isConnected) {
                    isConnected = true;
                    listener.connected();
                }
                judge(from, response);
            }

            @Override
            public void ended(Status status, boolean wasReached) {
                lost(status, wasReached);
            }
        };
    }

    /** Certificates are replaced while we run; until their files can be used again, those of before are. */
    private void refreshTls() {
        if (options.tls() != null) {
            try {
                tls = ControlPlaneTls.read(options.tls(), options.server());
            } catch (XdsException e) {
                listener.doubted(e.getMessage() + "; what was read before is used");
            }
        }
    }

    private void judge(Stream from, DiscoveryResponse response) {
        refusals.heard();
        List<String> mistakes;
        try {
            var read = reader.read(response, inForce);
            if (read.nameless() > 0) {
                listener.doubted(Counted.of(read.nameless(), "resource")
                        + " without a name: a control plane that keeps them by name has lost all but one");
            }
            listener.accepted(
                    new XdsListener.Accepted(read.rules(), response.getResourcesCount(), response.getVersionInfo()));
            inForce = read.rules();
            refusals.end();
            failures = 0;
            from.accept(response);
            return;
        } catch (RulesException e) {
            mistakes = e.mistakes().stream().map(Mistake::toString).toList();
        } catch (RuntimeException | StackOverflowError e) {
            mistakes = List.of("the rules could not be loaded, by a defect of the service: " + e);
        }
        refusals.refuse(from, response.getNonce(), mistakes);
    }

    private void askAnew(Stream silent) {
        if (!silent.hasEnded()) {
            silent.close();
            isConnected = false;
            listener.silent();
            connect();
        }
    }

    private void lost(Status status, boolean wasReached) {
        isConnected = false;
        double chance = ThreadLocalRandom.current().nextDouble();
        Duration wait = wasReached
                ? options.broken().after(++failures, chance)
                : options.unreachable().after(1, chance);
        var _ = later(wait, this::connect);
        listener.lost(wasReached ? Failure.broken(options, status) : Failure.unreachable(options, status), wait);
    }

    private Future<?> later(Duration wait, Runnable task) {
        return thread.schedule(task, wait.toNanos(), TimeUnit.NANOSECONDS);
    }
}
