package dev.weir;

import dev.weir.admin.AdminServer;
import dev.weir.admin.AdminToken;
import dev.weir.admin.Inside;
import dev.weir.admin.MetricsServer;
import dev.weir.call.Patience;
import dev.weir.grpc.GrpcServer;
import dev.weir.grpc.JsonMessages;
import dev.weir.http.Address;
import dev.weir.jvm.AotCache;
import dev.weir.jvm.Version;
import dev.weir.linux.SystemErrors;
import dev.weir.live.LiveView;
import dev.weir.loop.EventLoops;
import dev.weir.metrics.FiguresNow;
import dev.weir.settings.Settings;
import dev.weir.socket.Places;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running service: everything wired from the rules and the store up to the ports, and ended from the ports down.
 *
 * <p>Ports open at once. Until the store was reached the service says that it is not well; it does not hide.
 */
final class Service {
    private static final Logger LOG = LoggerFactory.getLogger("weir");

    private final Settings settings;
    private final Engine engine;
    private final Health health;
    private final ReadyLine readyLine;
    private final CallerHandshakes handshakes;
    private final EventLoops httpThread;
    private final GrpcPort port;
    private final GrpcServer grpc;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private volatile @Nullable AdminServer admin;
    private int grpcPort;
    private @Nullable MetricsServer metrics;

    private Service(Settings settings) throws StartException {
        this.settings = settings;
        engine = new Engine(settings, (shelf, listener) -> Wiring.rules(settings, shelf, listener), this::stateChanged);
        var statistics = engine.statistics();
        health = new Health(
                settings.life().health(),
                engine.store(),
                engine.rules().source(),
                engine::areKeptRulesInForce,
                engine.loops());
        readyLine = new ReadyLine(LOG, health);
        try {
            handshakes = new CallerHandshakes(settings.grpc().tls(), statistics);
        } catch (StartException | RuntimeException e) {
            try (engine) {
                throw e;
            }
        }
        httpThread = EventLoops.single("weir-http");
        port = GrpcPort.of(settings, handshakes::begin);
        Places places = port.entrance().places();
        statistics.watchConnections(places::taken, places::refused, places::sentAway);
        grpc = new GrpcServer(
                port.entrance(),
                engine.decider(),
                settings.bounds().maxMessageBytes(),
                new Patience(settings.backend().timeout().toNanos(), engine.events()::tripNanos),
                engine.loops(),
                engine.events(),
                engine.tracer());
    }

    /**
     * Starts the service.
     *
     * @throws StartException if a port cannot be had, or the settings ask for what there is not; no port is open then, and the process
     *     should end
     */
    static Service start(Settings settings) throws StartException {
        var service = new Service(settings);
        try {
            service.open();
        } catch (StartException | RuntimeException e) {
            try {
                service.close();
            } catch (RuntimeException another) {
                e.addSuppressed(another);
            }
            throw e;
        }
        return service;
    }

    private void open() throws StartException {
        var servers = settings.servers();
        LOG.info("Weir {} starts (Java {})", Version.ofWeir(), Version.ofJava());
        AotCache.tell(LOG);
        engine.start();
        try {
            grpcPort = grpc.start();
            LOG.info("gRPC on {}", port.opened(grpcPort));
        } catch (IOException e) {
            throw new StartException(
                    "gRPC cannot listen on " + port.place() + " (" + port.variables() + "): " + rootMessage(e));
        }
        try {
            metrics = Wiring.metricsServer(settings.metrics(), engine.pages(), httpThread);
            AdminServer opened = Wiring.adminServer(servers, inside(), httpThread);
            admin = opened;
            LOG.info(
                    "HTTP on {} (/json, /healthcheck, /livez, /readyz)",
                    new Address(servers.http().host(), opened.port()));
            LOG.info(
                    "debug on {} (/busiest, /explain, /live, /reset, /rlconfig, /rules, /stats)",
                    new Address(servers.debug().host(), opened.debugPort()));
        } catch (IOException e) {
            throw new StartException(String.valueOf(e.getMessage())); // it names the port; its cause does not
        }
        engine.push();
        warmUpOnceReached();
        stateChanged();
    }

    /** Asks itself for a while, on a thread of its own. Whatever comes of it, the service is then ready for others. */
    private void warmUpOnceReached() {
        Runnable warmUp = settings.life().warmUp().isZero() ? this::becomeReady : this::warmUp;
        var _ = engine.firstReached()
                .thenRun(() -> Thread.ofPlatform().daemon().name("weir-warm-up").start(warmUp));
    }

    private void warmUp() {
        engine.events().warmingUp(true);
        try {
            LOG.debug("warm after {} requests of its own", WarmUp.run(settings, engine.loops(), engine.store()));
        } catch (IOException | RuntimeException e) {
            LOG.warn("Weir could not ask itself, so its first answers are slow: {}", rootMessage(e));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // told to hurry
        } finally {
            engine.events().warmingUp(false);
            becomeReady();
        }
    }

    private void becomeReady() {
        health.warmedUp();
        stateChanged();
        readyLine.warm();
        ready.complete(null);
    }

    /** Returns a stage that completes when the store was reached and the service has warmed up. */
    CompletableFuture<Void> ready() {
        return ready;
    }

    /** Returns the port of gRPC; 0 of a Unix socket. */
    int grpcPort() {
        return grpcPort;
    }

    /** Returns the port of {@code /json} and {@code /healthcheck}. */
    int httpPort() {
        return Objects.requireNonNull(admin).port();
    }

    /** Returns the port of {@code /live}. */
    int debugPort() {
        return Objects.requireNonNull(admin).debugPort();
    }

    private Inside inside() {
        var rules = engine.rules();
        return new Inside(
                body -> JsonMessages.read(body, engine.decider().bounds()),
                JsonMessages::write,
                engine.decider()::decide,
                Wiring.patience(settings.backend().timeout()),
                engine.events(),
                settings.bounds().maxMessageBytes(),
                health,
                engine.store(),
                engine.decider()::forget,
                engine.decider()::look,
                new AdminToken(settings.servers().adminToken().text()),
                rules.changes(),
                rules.source()::inForce,
                Wiring.fixedWindowCharge(settings.answering()),
                engine.pages()::lines,
                new LiveView(
                        Version.ofWeir(),
                        () -> health.obstacles(false),
                        () -> FiguresNow.of(engine.statistics()),
                        System::nanoTime));
    }

    /** Reads the health and tells it in one step: rooms call at the same time, and the last word must be the true one. */
    private synchronized void stateChanged() {
        // Rooms may call before the constructor is through; what they tell is asked for again at the end of the start.
        if (admin != null) {
            boolean isHealthy = health.isHealthy();
            grpc.setHealthy(isHealthy);
            readyLine.told(isHealthy);
        }
    }

    /** Says that requests should go elsewhere, waits until callers know, and ends what is under way. Blocks. */
    void stop() {
        health.drain();
        stateChanged();
        var drain = settings.life().drain();
        LOG.info(
                "Weir ends: not healthy any more, answering for another {} s",
                drain.delay().toSeconds());
        try {
            TimeUnit.NANOSECONDS.sleep(drain.delay().toNanos());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // told to hurry
        }
        close();
        LOG.info("Weir has ended");
    }

    /** From the ports down, whatever of them has opened; one that fails keeps none of the others from ending. */
    private void close() {
        AdminServer openedAdmin = admin;
        MetricsServer openedMetrics = metrics;
        try (httpThread;
                engine;
                openedMetrics;
                openedAdmin;
                handshakes) {
            stopGrpc();
        }
    }

    private void stopGrpc() {
        try {
            grpc.stop(settings.life().drain().timeout());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static String rootMessage(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root instanceof UnresolvedAddressException
                ? "there is no such host"
                : SystemErrors.words(String.valueOf(root.getMessage()));
    }
}
