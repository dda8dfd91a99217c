package dev.weir;

import dev.weir.admin.AdminServer;
import dev.weir.admin.Inside;
import dev.weir.admin.MetricsServer;
import dev.weir.decide.Answering;
import dev.weir.decide.Bounds;
import dev.weir.http.Address;
import dev.weir.jvm.Heap;
import dev.weir.limit.Charge;
import dev.weir.limit.FailurePolicy;
import dev.weir.loop.EventLoops;
import dev.weir.metrics.MapperFile;
import dev.weir.metrics.MetricPages;
import dev.weir.metrics.Statistics;
import dev.weir.metrics.Statsd;
import dev.weir.rules.kept.KeptRules;
import dev.weir.rules.kept.RuleChanges;
import dev.weir.rules.watch.Loader;
import dev.weir.rules.watch.Overlay;
import dev.weir.rules.watch.RuleFiles;
import dev.weir.rules.watch.RulesListener;
import dev.weir.rules.watch.RulesSource;
import dev.weir.rules.watch.RulesWatch;
import dev.weir.rules.xds.Backoff;
import dev.weir.rules.xds.XdsOptions;
import dev.weir.rules.yaml.YamlRules;
import dev.weir.settings.AnswerSettings;
import dev.weir.settings.MetricsSettings;
import dev.weir.settings.RequestBounds;
import dev.weir.settings.RuleFilesSettings;
import dev.weir.settings.Servers;
import dev.weir.settings.Settings;
import dev.weir.settings.XdsSettings;
import dev.weir.store.Shelf;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns settings into the parts that the rooms are built from. */
final class Wiring {
    private static final Logger LOG = LoggerFactory.getLogger("weir");

    /** As long as the Go service's library gives a connection. */
    private static final Duration XDS_CONNECTS_WITHIN = Duration.ofSeconds(20);

    /** A refusal that is repeated waits for a second; who asked anew before would never say it. */
    private static final Duration XDS_LEAST_SILENCE = Duration.ofSeconds(5);

    // Ten thousand rules are read in a second that way, and callers feel little of it (docs/decisions/0034).
    private static final Duration PAUSE_OF_RELOADS = Duration.ofMillis(5);

    private static final Duration LEAST_PATIENCE = Duration.ofSeconds(10);

    /** Meanwhile files are not looked at. */
    private static final Duration LEAST_PATIENCE_WITH_THE_SHELF = Duration.ofSeconds(1);

    private Wiring() {}

    /** Returns how long a caller over HTTP waits at most: it must hear of a store that is late, not of a defect. */
    static Duration patience(Duration storeTimeout) {
        return longer(LEAST_PATIENCE, storeTimeout.multipliedBy(2));
    }

    static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    static Statistics.Options counting(MetricsSettings metrics) throws StartException {
        var prometheus = metrics.prometheus();
        if (prometheus != null && prometheus.mapper() != null) {
            checkMapper(prometheus.mapper());
        }
        return new Statistics.Options(
                metrics.nearRatio(), metrics.maxSeries(), prometheus != null && prometheus.isInMilliseconds());
    }

    /** Opens the ports of HTTP. */
    static AdminServer adminServer(Servers servers, Inside inside, EventLoops thread) throws IOException {
        return AdminServer.start(address(servers.http()), address(servers.debug()), inside, thread);
    }

    private static Address address(Servers.Listener listener) {
        return new Address(listener.host(), listener.port());
    }

    /** Opens the port on which Prometheus reads the counts; null if it does not. */
    static @Nullable MetricsServer metricsServer(MetricsSettings metrics, MetricPages pages, EventLoops thread)
            throws IOException {
        var prometheus = metrics.prometheus();
        if (prometheus == null) {
            return null;
        }
        var listener = prometheus.listener();
        var server = MetricsServer.start(
                new Address(listener.host(), listener.port()), prometheus.path(), pages::prometheus, thread);
        LOG.info("Prometheus on {}{}", new Address(listener.host(), server.port()), prometheus.path());
        return server;
    }

    /** Begins to tell servers of statsd. */
    static List<Statsd> statsd(Settings settings, Statistics statistics) {
        boolean hasLocalCache = settings.backend().overLimitBytes().isPresent();
        return settings.metrics().statsd().stream()
                .map(one -> Statsd.start(one, statistics, hasLocalCache))
                .toList();
    }

    private static void checkMapper(Path mapper) throws StartException {
        try {
            MapperFile file = MapperFile.read(mapper);
            List<String> foreign = file.foreignNames();
            if (!foreign.isEmpty()) {
                throw new StartException(
                        "PROMETHEUS_MAPPER_YAML is \"" + mapper + "\", which maps to " + foreign.getFirst()
                                + ": Weir gives only the names of the default mapping; remove the variable, or the mapping, and"
                                + " rename in Prometheus (metric_relabel_configs)");
            }
            if (!file.unheeded().isEmpty()) {
                LOG.warn(
                        "PROMETHEUS_MAPPER_YAML: what {} says is not done where it differs from the default mapping: {}",
                        mapper,
                        String.join(", ", file.unheeded()));
            }
        } catch (IOException e) {
            LOG.warn("PROMETHEUS_MAPPER_YAML: {} cannot be read; the names are those of the default mapping", mapper);
        }
    }

    /**
     * The rules.
     *
     * @param source where they come from
     * @param changes what changes those that are kept in the store; null if none are
     * @param areInForce completes, once, when those that are kept there are in force
     */
    record Rules(RulesSource source, @Nullable RuleChanges changes, CompletionStage<Void> areInForce) {

        static Rules of(RulesSource source) {
            return new Rules(source, null, CompletableFuture.completedStage(null));
        }
    }

    /**
     * Returns the rules, of files or of a control plane.
     *
     * @param shelf on which some are kept beside files, if that is wanted
     */
    static Rules rules(Settings settings, Shelf shelf, RulesListener listener) throws StartException {
        var first = reading(settings);
        if (settings.xds().isUsed()) {
            var reading = new XdsOptions.Reading(
                    first.isMergingDomains(), first.fixedWindowCharge(), first.mostDescriptors());
            return Rules.of(new XdsRules(xds(settings.xds(), reading), listener));
        }
        var files = ruleFiles(settings.ruleFiles());
        var loader = loader(first, () -> LockSupport.parkNanos(PAUSE_OF_RELOADS.toNanos()));
        if (!settings.ruleFiles().areAlsoInStore()) {
            return Rules.of(new RulesWatch(files, Overlay.NONE, loader, listener));
        }
        var kept = new KeptRules(
                shelf, longer(LEAST_PATIENCE_WITH_THE_SHELF, settings.backend().timeout()));
        var watch = new RulesWatch(files, kept, loader, listener);
        var changes = new RuleChanges(kept, watch::alone, watch::tryOut, InstantSource.system());
        return new Rules(watch, changes, kept.firstInForce());
    }

    /** Nobody is answered before the first set is there: it is read at once. Those after it are read with pauses. */
    static Loader loader(YamlRules.Options first, Runnable pause) {
        var again = first.with(pause);
        return (sources, former) -> YamlRules.read(sources, former == null ? first : again, former);
    }

    static YamlRules.Options reading(Settings settings) {
        return new YamlRules.Options(
                settings.ruleFiles().isMergingDomains(),
                fixedWindowCharge(settings.answering()),
                Heap.roomForDescriptors(),
                YamlRules.Options.AT_ONCE);
    }

    private static XdsOptions xds(XdsSettings xds, XdsOptions.Reading reading) {
        var tls = xds.tls()
                .map(files -> new XdsOptions.Tls(
                        files.authorities().orElse(null),
                        files.chain().orElse(null),
                        files.key().orElse(null),
                        files.serverName()))
                .orElse(null);
        var backoff = xds.backoff();
        return new XdsOptions(
                xds.server(),
                new XdsOptions.Node(xds.nodeId(), xds.nodeMetadata()),
                xds.headers(),
                xds.maxMessageBytes(),
                tls,
                XDS_CONNECTS_WITHIN,
                Backoff.even(xds.connectRetry(), backoff.spread()),
                new Backoff(backoff.first(), backoff.longest(), backoff.growth(), backoff.spread()),
                longer(backoff.longest(), XDS_LEAST_SILENCE),
                reading);
    }

    static RuleFiles ruleFiles(RuleFilesSettings files) {
        return new RuleFiles(
                files.root(),
                files.subdirectory(),
                files.appDirectory(),
                files.isWatchingRoot(),
                files.isIgnoringDotFiles());
    }

    /** Returns the charge of fixed windows that state none, in a rule or because callers sent them along. */
    static Charge fixedWindowCharge(AnswerSettings answering) {
        return answering.isChargingOnAdmit() ? Charge.ON_ADMIT : Charge.ALWAYS;
    }

    static Answering answering(AnswerSettings answering) {
        var headers = answering.headers();
        return new Answering(
                answering.isShadow(),
                answering.isQuota(),
                headers.isEnabled()
                        ? new Answering.LimitHeaders(headers.limit(), headers.remaining(), headers.reset())
                        : null,
                answering.retryAfterHeader(),
                answering.hasMetadata(),
                policy(answering),
                fixedWindowCharge(answering));
    }

    private static FailurePolicy policy(AnswerSettings answering) {
        return FailurePolicy.valueOf(answering.onStoreFailure().toUpperCase(Locale.ROOT));
    }

    static Bounds bounds(RequestBounds bounds) {
        return new Bounds(bounds.maxDescriptors(), bounds.maxEntries(), bounds.maxHits());
    }
}
