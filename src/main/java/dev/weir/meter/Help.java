package dev.weir.meter;

import static java.util.Map.entry;

import java.util.Map;

/** A sentence on each metric under its name of Prometheus, for who meets it in a browser of metrics. {@code docs/metrics.md} says more. */
public final class Help {
    private static final Map<String, String> SENTENCES = Map.ofEntries(
            // The Go service's names
            entry("ratelimit_service_rate_limit_total_hits", "Hits that were asked for, by rule."),
            entry("ratelimit_service_rate_limit_within_limit", "Hits of descriptors that were admitted, by rule."),
            entry(
                    "ratelimit_service_rate_limit_near_limit",
                    "Hits within the limit and beyond the part of it that NEAR_LIMIT_RATIO names, by rule."),
            entry("ratelimit_service_rate_limit_over_limit", "Hits beyond the limit, by rule."),
            entry(
                    "ratelimit_service_rate_limit_shadow_mode",
                    "Hits beyond the limit that the rule's shadow_mode let pass, by rule."),
            entry("ratelimit_service_total_requests", "Calls, by method of gRPC."),
            entry("ratelimit_service_response_time_seconds", "How long calls took, by method of gRPC."),
            entry(
                    "ratelimit_service_should_rate_limit_error",
                    "Requests answered with an error: redis_error where the store did not answer, else service_error."),
            entry("ratelimit_service_config_load_success", "Loads of rules that were put in force."),
            entry("ratelimit_service_config_load_error", "Loads of rules that were refused."),
            entry("ratelimit_service_global_shadow_mode", "Requests that SHADOW_MODE let pass."),
            // Weir's own
            entry("weir_build_info", "Always 1: which Weir runs, and on which Java."),
            entry("weir_requests_total", "Requests answered over gRPC, /json and by check of the library, by outcome."),
            entry(
                    "weir_descriptors_without_store_total",
                    "Descriptors answered as on_store_failure says, since their counters could not be asked, by policy."),
            entry(
                    "weir_descriptors_unmatched_total",
                    "Descriptors that no limit holds for, by reason: their domain has no rules, or no rule of it matches."),
            entry("weir_calls_refused_total", "Calls refused before anybody looked at their message, by reason."),
            entry("weir_limit_hits_total", "Hits under one of several limits of a rule, by the limit's name."),
            entry("weir_store_batches_total", "Batches sent to Redis."),
            entry("weir_store_batch_size", "Checks that a batch answers."),
            entry("weir_store_latency_seconds", "How long Redis took to answer a batch."),
            entry("weir_store_checks_total", "Checks asked of the store: one for each limit that a request meets."),
            entry("weir_store_checks_merged_total", "Checks that shared an entry of a batch with an equal one."),
            entry("weir_store_checks_remembered_total", "Checks refused from memory, without asking the store."),
            entry("weir_store_failures_total", "Batches that the store did not answer."),
            entry(
                    "weir_store_overruns_total",
                    "How often a thread found that too many answers of Redis came too late for some time."),
            entry(
                    "weir_store_charges_kept_total",
                    "Requests that were refused or failed and whose hits could not be given back."),
            entry("weir_store_reachable", "1 while the store, or of a cluster some of it, can be reached; else 0."),
            entry(
                    "weir_replicas",
                    "Replicas that share Redis, this one included, as they were counted last; 0 before Redis was reached."),
            entry("weir_redis_memory_used_bytes", "Bytes that a Redis uses, by node."),
            entry("weir_redis_memory_max_bytes", "Bytes that a Redis may use, 0 for no bound, by node."),
            entry("weir_redis_memory_evicts", "1 where a Redis forgets counters when it is full, else 0, by node."),
            entry(
                    "weir_redis_evicted_keys_total",
                    "Keys that a Redis evicted since this process asked it first, by node. All replicas see the same."),
            entry("weir_rules_loads_total", "Loads of rules, by outcome."),
            entry("weir_rules_version", "Number of the rule set in force; 0 before the first."),
            entry("weir_rules_domains", "Domains of the rule set in force."),
            entry("weir_rules_size", "Rules of the rule set in force."),
            entry("weir_rules_refused", "1 while the rules that were offered last are refused, else 0."),
            entry("weir_controlplane_connected", "1 while the control plane is connected and has spoken, else 0."),
            entry("weir_connections", "Connections of callers over gRPC."),
            entry("weir_connections_refused_total", "Connections closed at once because there are too many."),
            entry(
                    "weir_connections_sent_away_total",
                    "Connections whose callers had not greeted yet, closed to make room for others."),
            entry("weir_tls_failures_total", "Callers that got no connection for lack of TLS, by reason."),
            entry("weir_tls_expiry_seconds", "When a certificate expires, in seconds since 1970."),
            entry("weir_series_made", "Series that callers have made by their values."),
            entry(
                    "weir_series_folded_total",
                    "How often something was counted as other because there are too many series."),
            // The names of Prometheus's own library for Java
            entry("process_cpu_seconds_total", "CPU time of the process in seconds."),
            entry("process_start_time_seconds", "When the process started, in seconds since 1970."),
            entry("process_resident_memory_bytes", "Memory of the process that is in RAM, in bytes."),
            entry("process_open_fds", "Open files and connections."),
            entry("process_max_fds", "How many files and connections may be open."),
            entry("jvm_memory_used_bytes", "Memory of Java in use, by area."),
            entry("jvm_memory_committed_bytes", "Memory that Java has of the system, by area."),
            entry("jvm_memory_max_bytes", "Memory that Java may have, -1 for no bound, by area."),
            entry("jvm_gc_collection_seconds_count", "Pauses for garbage, by collector."),
            entry("jvm_gc_collection_seconds_sum", "How long these pauses were together, in seconds, by collector."),
            entry("jvm_threads_current", "Threads of the platform."),
            entry("jvm_threads_daemon", "Threads of the platform that do not keep the process from ending."),
            entry("jvm_threads_peak", "Most threads of the platform at one time."),
            entry("jvm_classes_currently_loaded", "Classes that are loaded."));

    private Help() {}

    /** Returns the sentence; empty for a name that the words of callers or of rules made. */
    public static String of(String metric) {
        return SENTENCES.getOrDefault(metric, "");
    }
}
