package dev.weir.settings;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Variables of the Go service that change no answer here: what they tune, Weir does in its own way or not yet. They are
 * accepted, so that an environment can be taken over whole, and named in one line at start.
 */
final class UnusedSettings {
    /** The names, sorted. */
    static final Set<String> NAMES = names();

    private UnusedSettings() {}

    private static Set<String> names() {
        var limiting = Stream.of("EXPIRATION_JITTER_MAX_SECONDS");
        return Stream.of(limiting, redis(), memcached(), telemetry())
                .flatMap(names -> names)
                .collect(TreeSet::new, Set::add, Set::addAll);
    }

    private static Stream<String> redis() {
        String both = "POOL_SIZE PIPELINE_WINDOW PIPELINE_LIMIT CLUSTER_PIPELINE_PARALLELISM POOL_ON_EMPTY_BEHAVIOR";
        return Stream.of(
                        below("REDIS_", both),
                        below("REDIS_PERSECOND_", both),
                        below("REDIS_STARTUP_", "INITIAL_INTERVAL MAX_INTERVAL MAX_ELAPSED_TIME"),
                        below("REDIS_", "CLOSE_CONNECTION_ON_READONLY_ERROR"))
                .flatMap(names -> names);
    }

    private static Stream<String> memcached() {
        // The switch that they belong to must stay off.
        return below(
                "MEMCACHE_",
                "HOST_PORT SRV SRV_REFRESH MAX_IDLE_CONNS TLS TLS_CLIENT_CERT TLS_CLIENT_KEY TLS_CACERT"
                        + " TLS_SKIP_HOSTNAME_VERIFICATION");
    }

    /** Of the standard ones: all signals share what stands below the common names. How spans are put together is ours to decide. */
    private static Stream<String> telemetry() {
        String identity = "CLIENT_CERTIFICATE CLIENT_KEY INSECURE";
        String all = "PROTOCOL TIMEOUT COMPRESSION CERTIFICATE " + identity;
        return Stream.of(
                        below("OTEL_EXPORTER_OTLP_", identity),
                        below("OTEL_EXPORTER_OTLP_TRACES_", all),
                        below("OTEL_EXPORTER_OTLP_METRICS_", all),
                        below("OTEL_BSP_", "SCHEDULE_DELAY EXPORT_TIMEOUT MAX_QUEUE_SIZE MAX_EXPORT_BATCH_SIZE"))
                .flatMap(names -> names);
    }

    private static Stream<String> below(String prefix, String words) {
        return Stream.of(words.split(" ", -1)).map(word -> prefix + word);
    }
}
