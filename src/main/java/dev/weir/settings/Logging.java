package dev.weir.settings;

import java.util.List;

/**
 * What the log says and how.
 *
 * @param level what is written: this and all that is worse
 * @param format how a line looks
 */
public record Logging(Level level, Format format) {

    /** How much an event matters, the worst first. */
    public enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE;

        /** The Go service's names for them. */
        static final List<String> WORDS =
                List.of("panic", "fatal", "error", "warn", "warning", "info", "debug", "trace");

        static Level of(String word) {
            return switch (word) {
                case "panic", "fatal", "error" -> ERROR;
                case "warn", "warning" -> WARN;
                case "debug" -> DEBUG;
                case "trace" -> TRACE;
                default -> INFO;
            };
        }
    }

    /** How a line looks. */
    public enum Format {
        /** For people. */
        TEXT,
        /** One JSON object a line, for machines. */
        JSON
    }

    static Logging of(Environment environment) {
        return new Logging(environment.read(SettingsTable.LOG_LEVEL), environment.read(SettingsTable.LOG_FORMAT));
    }
}
