package dev.weir;

import dev.weir.admin.AdminServer;
import dev.weir.admin.AdminToken;
import dev.weir.admin.Inside;
import dev.weir.admin.MetricsServer;
import dev.weir.busiest.WatchedStore;
import dev.weir.call.Patience;
import dev.weir.cli.Version;
import dev.weir.decide.Decider;
import dev.weir.grpc.GrpcServer;
import dev.weir.grpc.JsonMessages;
import dev.weir.http.Address;
import dev.weir.linux.SystemErrors;
import dev.weir.loop.EventLoops;
import dev.weir.metrics.MetricPages;
import dev.weir.metrics.Statistics;
import dev.weir.metrics.Statsd;
import dev.weir.rules.RuleSet;
import dev.weir.settings.Backend;
import dev.weir.settings.Settings;
import dev.weir.socket.Places;
import dev.weir.store.OwnShare;
import dev.weir.store.Store;
import dev.weir.store.layer.LiveReplicas;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
    private final Statistics statistics;
    private final MetricPages pages;
    private final EventLoops loops = new EventLoops();
    private final EventLoops httpThread = EventLoops.single("weir-http");
    private final Events events;
    private final RedisCertificates redisCertificates;
    private final Telemetry telemetry;
    private final WatchedStore store;
    private final @Nullable LiveReplicas replicas;
    private final @Nullable OwnShare ownShare;
    private final Wiring.Rules rules;
    private final Health health;
    private final ReadyLine readyLine;
    private final CallerHandshakes handshakes;
    private final GrpcPort port;
    private final GrpcServer grpc;
    private final Decider decider;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private volatile @Nullable AdminServer admin;
    private int grpcPort;
    private @Nullable MetricsServer metrics;
    private List<Statsd> statsd = List.of();

    private Service(Settings settings) throws StartException {
        this.settings = settings;
        statistics = new Statistics(Wiring.counting(settings.metrics()));
        statistics.runs(Version.ofWeir(), Version.ofJava());
        pages = new MetricPages(statistics, settings.backend().overLimitBytes().isPresent());
        events = new Events(statistics, this::stateChanged, LOG);
        handshakes = new CallerHandshakes(settings.grpc().tls(), statistics);
        telemetry = Telemetry.of(settings);
        redisCertificates = new RedisCertificates(settings);
        var stores = StoreWiring.stores(settings, redisCertificates.tls(), loops, events, events, telemetry::around);
        rules = Wiring.rules(settings, stores.shelf(), events);
        if (rules.source() instanceof XdsRules pushed) {
            statistics.watchControlPlane(pushed::isConnected);
        }
        Store counters = stores.counters();
        store = new WatchedStore(counters, loops.count() + 1, () -> loops.current() + 1);
        boolean isShared = settings.backend().type() == Backend.Type.REDIS;
        replicas = isShared ? LiveReplicas.watch(counters) : null;
        statistics.watchStore(store::isReachable, replicas == null ? () -> 1 : replicas::count);
        ownShare = replicas == null ? null : StoreWiring.ownShare(settings.backend(), replicas::count);
        health = new Health(
                settings.life().health(),
                store,
                rules.source(),
                () -> rules.areInForce().toCompletableFuture().isDone(),
                loops);
        readyLine = new ReadyLine(LOG, health);
        decider = new Decider(
                rules.source()::inForce,
                store,
                ownShare,
                Wiring.bounds(settings.bounds()),
                Wiring.answering(settings.answering()),
                events);
        port = GrpcPort.of(settings, handshakes::begin);
        Places places = port.entrance().places();
        statistics.watchConnections(places::taken, places::refused);
        grpc = new GrpcServer(
                port.entrance(),
                decider,
                settings.bounds().maxMessageBytes(),
                new Patience(settings.backend().timeout().toNanos(), events::tripNanos),
                loops,
                events,
                telemetry.tracer());
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
            service.close();
            throw e;
        }
        return service;
    }

    private void open() throws StartException {
        var servers = settings.servers();
        LOG.info("Weir {} starts (Java {})", Version.ofWeir(), Version.ofJava());
        AotCache.tell(LOG);
        StoreWiring.tell(settings, LOG);
        if (!settings.ignored().isEmpty()) {
            LOG.info("set, and of no use to Weir: {}", String.join(", ", settings.ignored()));
        }
        settings.pardoned().forEach(LOG::warn);
        settings.remarks().forEach(LOG::warn);
        rules.source().start();
        try {
            grpcPort = grpc.start();
            LOG.info("gRPC on {}", port.opened(grpcPort));
        } catch (IOException e) {
            throw new StartException(
                    "gRPC cannot listen on " + port.place() + " (" + port.variables() + "): " + rootMessage(e));
        }
        try {
            metrics = Wiring.metricsServer(settings.metrics(), pages, httpThread);
            AdminServer opened = Wiring.adminServer(servers, inside(), httpThread);
            admin = opened;
            LOG.info(
                    "HTTP on {} (/json, /healthcheck, /livez, /readyz)",
                    new Address(servers.http().host(), opened.port()));
            LOG.info(
                    "debug on {} (/busiest, /reset, /rlconfig, /rules, /stats)",
                    new Address(servers.debug().host(), opened.debugPort()));
        } catch (IOException e) {
            throw new StartException(String.valueOf(e.getMessage())); // it names the port; its cause does not
        }
        statsd = Wiring.statsd(settings, statistics);
        telemetry.push(pages);
        warmUpOnceReached();
        stateChanged();
    }

    /** Asks itself for a while, on a thread of its own. Whatever comes of it, the service is then ready for others. */
    private void warmUpOnceReached() {
        Runnable warmUp = settings.life().warmUp().isZero() ? this::becomeReady : this::warmUp;
        var _ = store.firstReached()
                .thenCompose(_ -> rules.areInForce())
                .thenRun(() -> Thread.ofPlatform().daemon().name("weir-warm-up").start(warmUp));
    }

    private void warmUp() {
        events.warmingUp(true);
        try {
            LOG.debug("warm after {} requests of its own", WarmUp.run(settings, loops, store));
        } catch (IOException | RuntimeException e) {
            LOG.warn("Weir could not ask itself, so its first answers are slow: {}", rootMessage(e));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // told to hurry
        } finally {
            events.warmingUp(false);
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

    private Inside inside() {
        return new Inside(
                JsonMessages::read,
                JsonMessages::write,
                request -> decider.decide(request).verdict(),
                Wiring.patience(settings.backend().timeout()),
                events,
                settings.bounds().maxMessageBytes(),
                health,
                store,
                decider::forget,
                new AdminToken(settings.servers().adminToken().text()),
                rules.changes(),
                () -> Optional.ofNullable(rules.source().inForce())
                        .map(RuleSet::rules)
                        .orElse(List.of()),
                Wiring.fixedWindowCharge(settings.answering()),
                pages::lines);
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

    /** From the ports down, whatever of them has opened. */
    private void close() {
        try {
            grpc.stop(settings.life().drain().timeout());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        handshakes.close();
        AdminServer opened = admin;
        if (opened != null) {
            opened.close();
        }
        statsd.forEach(Statsd::close);
        if (metrics != null) {
            metrics.close();
        }
        rules.source().close();
        telemetry.close();
        if (replicas != null && ownShare != null) {
            replicas.close();
            ownShare.counters().close();
        }
        store.close();
        redisCertificates.close();
        httpThread.close();
        loops.close();
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
