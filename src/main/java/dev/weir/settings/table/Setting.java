package dev.weir.settings.table;

import dev.weir.words.Secrets;

/**
 * One variable of the environment: a row of the tables that {@code SettingsTable} puts together.
 *
 * @param group under which heading it is documented
 * @param feature what it is for
 * @param name the variable
 * @param preset the text that stands for it where it is not set
 * @param kind what its text may be
 * @param meaning what it is for, in one line
 */
public record Setting<T>(Group group, Feature feature, String name, String preset, Kind<T> kind, String meaning) {

    /** The headings of the documentation, in its order. */
    public enum Group {
        SERVERS("Listeners", "Port 0 takes any free port; the log says which."),
        CALLER_TLS(
                "TLS for callers",
                "Read where `GRPC_SERVER_USE_TLS` is `true`. The files are PEM files; they are looked at every second, and new"
                        + " connections get what is in them: [operations.md](operations.md#tls-for-callers)."),
        LOG("Log", "Lines go to standard error."),
        RULES("Rule files", ""),
        XDS(
                "Rules over xDS",
                "Read where `CONFIG_TYPE` is `GRPC_XDS_SOTW`; [xds.md](xds.md) has the rest. The files of"
                        + " TLS are read at the start, and again for each connection."),
        ANSWERS("Answers", ""),
        BACKEND("Where counts live", ""),
        REDIS("Redis", "Read where the counts live in Redis."),
        REDIS_PER_SECOND(
                "A second Redis for limits per second",
                "Read where `REDIS_PERSECOND` is `true`. The certificates, the prefix of keys and what follows it above hold"
                        + " for both."),
        BOUNDS(
                "Bounds of a request",
                "A request beyond one of them is answered INVALID_ARGUMENT (HTTP 400, or 413 for its bytes) and touches"
                        + " no counter. A gRPC message over 8 MiB, or over `MAX_MESSAGE_BYTES` if that is more, is not read:"
                        + " RESOURCE_EXHAUSTED."),
        METRICS("Metrics", "What is counted and under which names: [metrics.md](metrics.md)."),
        TELEMETRY(
                "OpenTelemetry",
                "What is sent to a collector: [operations.md](operations.md#traces). Of what the Go service reads through its"
                        + " library, these."),
        LIFE("Health, start and stop", "");

        private final String title;
        private final String remark;

        Group(String title, String remark) {
            this.title = title;
            this.remark = remark;
        }

        public String title() {
            return title;
        }

        /** Returns what holds for the whole group; empty if there is nothing to say. */
        public String remark() {
            return remark;
        }
    }

    /** Returns the value where the variable is not set. */
    public T fallback() {
        try {
            return kind.parse(preset);
        } catch (WrongValueException e) {
            throw new IllegalStateException(name + ": its own default is wrong: " + preset, e);
        }
    }

    /** Returns whether nothing of its text may be shown, by its name. */
    boolean isHidden() {
        return name.endsWith("_AUTH") || name.endsWith("_TOKEN") || name.endsWith("_HEADERS");
    }

    /** Returns the text as it may be shown: without its secrets. */
    String shown(String text) {
        if (isHidden()) {
            return "not shown here";
        }
        if (name.endsWith("_TOKEN_FILE")) { // a token may have all signs that a path has
            return "not shown here (it may be the token itself)";
        }
        if (text.contains("-----BEGIN")
                || ((name.endsWith("_AUTH_FILE") || name.endsWith("_KEY")) && !Secrets.isPath(text))) {
            return "not shown here (it looks like what belongs into a file)";
        }
        boolean isAddress = name.endsWith("_URL") || name.endsWith("_ENDPOINT") || text.contains("://");
        return '"' + (isAddress ? Masked.of(text) : text) + '"';
    }
}
