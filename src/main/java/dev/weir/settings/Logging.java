package dev.weir.settings;

import dev.weir.settings.table.Environment;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.Rows;
import dev.weir.settings.table.Setting;
import dev.weir.settings.table.Setting.Group;
import java.util.List;
import java.util.Map;

/**
 * What the log says and how.
 *
 * @param level what is written: this and all that is worse
 * @param format how a line looks
 */
public record Logging(Level level, Format format) {
    private static final Rows ROWS = new Rows(Group.LOG);

    private static final Setting<Logging.Level> LOG_LEVEL = ROWS.add(
            "LOG_LEVEL",
            "INFO",
            Kind.word(Logging.Level.WORDS, List.of(), Logging.Level::of),
            "What is written: this and all that is worse (the Go service: `warn`). `panic` and `fatal` are `error`.");
    private static final Setting<Logging.Format> LOG_FORMAT = ROWS.add(
            "LOG_FORMAT",
            "text",
            Kind.word(
                            List.of("text", "json"),
                            List.of(),
                            word -> word.equals("json") ? Logging.Format.JSON : Logging.Format.TEXT)
                    .orNothing("text"),
            "Lines for people, or one JSON object a line with `@timestamp`, `level`, `@message`.");

    static List<Setting<?>> rows() {
        return ROWS.all();
    }

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

    /** Returns whether lines are to be JSON, for who tells that other variables are wrong. */
    public static boolean isJson(Map<String, String> variables) {
        return new Environment(variables).read(LOG_FORMAT) == Format.JSON;
    }

    static Logging of(Environment environment) {
        return new Logging(environment.read(LOG_LEVEL), environment.read(LOG_FORMAT));
    }
}
