package dev.weir;

import dev.weir.busiest.WatchedStore;
import dev.weir.call.Tracer;
import dev.weir.decide.Decider;
import dev.weir.jvm.Version;
import dev.weir.loop.EventLoops;
import dev.weir.metrics.MetricPages;
import dev.weir.metrics.Statistics;
import dev.weir.metrics.Statsd;
import dev.weir.rules.watch.RulesListener;
import dev.weir.rules.watch.RulesSource;
import dev.weir.settings.Backend;
import dev.weir.settings.Settings;
import dev.weir.store.OwnShare;
import dev.weir.store.Shelf;
import dev.weir.store.Store;
import dev.weir.store.layer.LiveReplicas;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What decides and counts, behind a port or in somebody's process: the rules, the store, and the numbers of both. */
final class Engine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("weir");

    private final Settings settings;
    private final Statistics statistics;
    private final MetricPages pages;
    private final Events events;
    private final EventLoops loops;
    private final Telemetry telemetry;
    private final WatchedStore store;
    private final Wiring.Rules rules;
    private final Decider decider;
    private final Ends ends = new Ends();

    /** Makes where rules come from. */
    @FunctionalInterface
    interface RulesOf {

        /**
         * Returns the rules, which are not loaded yet.
         *
         * @param shelf what is shared beside counters
         * @param listener is told of each attempt to load them
         */
        Wiring.Rules rules(Shelf shelf, RulesListener listener) throws StartException;
    }

    /** Each has files of its own: it is the first that a low limit hinders. */
    private static EventLoops eventLoops() throws StartException {
        try {
            return new EventLoops();
        } catch (IllegalStateException e) {
            Throwable why = e.getCause() == null ? e : e.getCause();
            throw new StartException("a thread for requests cannot begin: " + why.getMessage() + " (ulimit -n)");
        }
    }

    /**
     * Creates the engine; the store is looked for at once, the rules when it is started.
     *
     * @param rulesOf makes where rules come from
     * @param stateChanged is run when rules came into force or were refused, or the store was lost or found
     * @throws StartException if the settings ask for what there is not
     */
    Engine(Settings settings, RulesOf rulesOf, Runnable stateChanged) throws StartException {
        this.settings = settings;
        statistics = new Statistics(Wiring.counting(settings.metrics()));
        statistics.runs(Version.ofWeir(), Version.ofJava());
        pages = new MetricPages(statistics, settings.backend().overLimitBytes().isPresent());
        events = new Events(statistics, stateChanged, LOG);
        OwnShare ownShare = null;
        try {
            loops = ends.begun(eventLoops(), EventLoops::close);
            var access = ends.begun(new RedisAccess(settings), RedisAccess::close);
            telemetry = ends.begun(Telemetry.of(settings), Telemetry::close);
            var stores = StoreWiring.stores(settings, access.tls(), loops, events, events, telemetry::around);
            Store counters = stores.counters();
            store = ends.begun(
                    new WatchedStore(counters, loops.count() + 1, () -> loops.current() + 1), WatchedStore::close);
            IntSupplier replicas = () -> 1;
            if (settings.backend().type() == Backend.Type.REDIS) {
                replicas = ends.begun(LiveReplicas.watch(counters), LiveReplicas::close)::count;
                ownShare = ends.begun(
                        StoreWiring.ownShare(settings.backend(), replicas),
                        own -> own.counters().close());
            }
            statistics.watchStore(store::isReachable, replicas);
            rules = rulesOf.rules(stores.shelf(), events);
            var _ = ends.begun(rules.source(), RulesSource::close);
        } catch (StartException | RuntimeException | Error e) {
            try (ends) {
                throw e;
            }
        }
        if (rules.source() instanceof XdsRules pushed) {
            statistics.watchControlPlane(pushed::isConnected);
        }
        decider = new Decider(
                rules.source()::inForce,
                store,
                ownShare,
                Wiring.bounds(settings.bounds()),
                Wiring.answering(settings.answering()),
                events);
    }

    /** Tells the log how it was asked to run, and loads the rules for the first time. */
    void start() {
        StoreWiring.tell(settings, LOG);
        if (!settings.ignored().isEmpty()) {
            LOG.info("set, and of no use to Weir: {}", String.join(", ", settings.ignored()));
        }
        settings.pardoned().forEach(LOG::warn);
        settings.remarks().forEach(LOG::warn);
        rules.source().start();
    }

    /** Begins to tell servers of statsd, and collectors, what is counted. */
    void push() {
        for (Statsd each : Wiring.statsd(settings, statistics)) {
            var _ = ends.begun(each, Statsd::close);
        }
        telemetry.push(pages);
    }

    /** Returns a stage that completes when the store was reached and the rules that are kept in it, if there are any, are in force. */
    CompletionStage<Void> firstReached() {
        return store.firstReached().thenCompose(_ -> rules.areInForce());
    }

    Decider decider() {
        return decider;
    }

    WatchedStore store() {
        return store;
    }

    Wiring.Rules rules() {
        return rules;
    }

    EventLoops loops() {
        return loops;
    }

    Events events() {
        return events;
    }

    Statistics statistics() {
        return statistics;
    }

    MetricPages pages() {
        return pages;
    }

    /** Returns who says which calls are followed, or null if none is. */
    @Nullable
    Tracer tracer() {
        return telemetry.tracer();
    }

    /** Returns whether the rules that are kept in the store, if there are any, are in force. */
    boolean areKeptRulesInForce() {
        return rules.areInForce().toCompletableFuture().isDone();
    }

    /** Ends what it began; whoever asked it must have ended before. */
    @Override
    public void close() {
        ends.close();
    }

    /** How to end what has begun, the latest first. One that fails keeps none of the others from ending. */
    static final class Ends implements AutoCloseable {
        private final Deque<Runnable> ends = new ArrayDeque<>();

        <T> T begun(T part, Consumer<T> end) {
            ends.push(() -> end.accept(part));
            return part;
        }

        /** Ends all. What fails first is thrown, and carries what fails after it. */
        @Override
        public void close() {
            Runnable latest = ends.poll();
            if (latest != null) {
                Ends others = this;
                try (others) {
                    latest.run();
                }
            }
        }
    }
}
