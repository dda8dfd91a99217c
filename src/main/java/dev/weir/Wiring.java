package dev.weir;

import dev.weir.decide.Answering;
import dev.weir.decide.Bounds;
import dev.weir.limit.Charge;
import dev.weir.loop.EventLoops;
import dev.weir.rules.watch.RuleFiles;
import dev.weir.settings.Backend;
import dev.weir.settings.RedisSettings;
import dev.weir.settings.RequestBounds;
import dev.weir.settings.RuleFilesSettings;
import dev.weir.settings.Settings;
import dev.weir.store.Store;
import dev.weir.store.layer.DeadlineStore;
import dev.weir.store.layer.OverLimitListener;
import dev.weir.store.layer.OverLimitStore;
import dev.weir.store.memory.MemoryStore;
import dev.weir.store.memory.Ticker;
import dev.weir.store.redis.RedisListener;
import dev.weir.store.redis.RedisOptions;
import dev.weir.store.redis.RedisPair;
import dev.weir.store.redis.RedisStore;
import java.time.Duration;
import java.util.OptionalLong;

/** Turns settings into the parts that the rooms are built from. */
final class Wiring {
    // What callers wait is bounded by a layer in front; a call gives its turn away this late.
    private static final Duration SHORTEST_CALL_TIMEOUT = Duration.ofMillis(250);

    private Wiring() {}

    static Store store(Settings settings, EventLoops loops, RedisListener listener, OverLimitListener overLimit)
            throws StartException {
        Backend backend = settings.backend();
        return switch (backend.type()) {
            case MEMORY ->
                MemoryStore.swept(
                        Ticker.system(),
                        backend.maxMemoryCounters(),
                        Runtime.getRuntime().maxMemory() / 2);
            case REDIS -> {
                var redis = new DeadlineStore(redis(settings, loops, listener), backend.timeout());
                long bytes = overLimitBytes(
                        backend.overLimitBytes(), Runtime.getRuntime().maxMemory());
                yield bytes == 0 ? redis : OverLimitStore.around(redis, bytes, overLimit);
            }
        };
    }

    /** Who sized it for another program may have asked for more than this heap has. */
    static long overLimitBytes(OptionalLong wanted, long heap) {
        return Math.min(wanted.orElse(heap / 20), heap / 4);
    }

    private static Store redis(Settings settings, EventLoops loops, RedisListener listener) throws StartException {
        Duration timeout = longer(settings.backend().timeout(), SHORTEST_CALL_TIMEOUT);
        RedisOptions first = RedisWiring.options(settings.redis(), timeout);
        RedisSettings perSecond = settings.redisPerSecond();
        return perSecond == null
                ? RedisStore.start(first, loops, listener)
                : RedisPair.start(first, RedisWiring.options(perSecond, timeout), loops, listener);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
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
    static Charge fixedWindowCharge(dev.weir.settings.Answering answering) {
        return answering.isChargingOnAdmit() ? Charge.ON_ADMIT : Charge.ALWAYS;
    }

    static Answering answering(dev.weir.settings.Answering answering) {
        var headers = answering.headers();
        return new Answering(
                answering.isShadow(),
                answering.isQuota(),
                headers.isEnabled()
                        ? new Answering.HeaderNames(headers.limit(), headers.remaining(), headers.reset())
                        : null,
                answering.hasMetadata(),
                fixedWindowCharge(answering));
    }

    static Bounds bounds(RequestBounds bounds) {
        return new Bounds(bounds.maxDescriptors(), bounds.maxEntries(), bounds.maxHits());
    }
}
