package dev.weir.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import dev.weir.settings.Logging;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Sets the log up: every line goes to standard error, whichever logging library its author used, and nobody waits for whoever reads it.
 *
 * <p>There is no configuration file: what an operator may choose is in the settings, under the Go service's names.
 */
public final class Logs {
    /** What holds until the settings are read, and in tests. */
    static final Logging AT_FIRST = new Logging(Logging.Level.INFO, Logging.Format.TEXT);

    /** Libraries that tell much of what is of no use to an operator; only their warnings are. */
    private static final List<String> CHATTY = List.of("io.grpc", "io.netty");

    /** Warns, with a stack, of each message that a caller made too large: the caller is told, and could fill the log. */
    private static final String CALLERS_MISTAKES = "io.grpc.netty.shaded.io.grpc.netty.NettyServerStream";

    /**
     * The one warns, with a stack, of each attempt to find a control plane whose name is not known, the other of one that sends us away,
     * in its own words, which may repeat our secrets: that is told in words of ours.
     */
    private static final List<String> ATTEMPTS =
            List.of("io.grpc.internal.ManagedChannelImpl", "io.grpc.netty.shaded.io.grpc.netty.NettyClientHandler");

    /** Warn, with Netty's bytes for a number of its own, of a machine that has no network but loopback, of which nobody need know. */
    private static final List<String> NO_HARDWARE_ADDRESS = List.of(
            "io.netty.util.internal.MacAddressUtil", "io.grpc.netty.shaded.io.netty.util.internal.MacAddressUtil");

    /**
     * Write stacks, and commands with their keys, which hold the values of people: not at any level. All that fails there
     * reaches us as a failure of a call, and is told in words of our own. Where our classes extend Redisson's, it writes under
     * their names.
     */
    private static final List<String> INDISCREET = List.of("org.redisson", "dev.weir.store.redis.plain.PlainCodec");

    /** Tell again and again that a collector cannot be reached, which is told once in words of our own. */
    private static final List<String> REPEATED = List.of(
            "io.opentelemetry.exporter",
            "io.opentelemetry.sdk.metrics.export.PeriodicMetricReader",
            "io.opentelemetry.sdk.trace.export.BatchSpanProcessor");

    /** What operators change by hand is told at any level. */
    static final List<String> DEEDS =
            List.of("dev.weir.admin.ForOperators", "dev.weir.admin.ResetPage", "dev.weir.admin.RulesPage");

    /** Swallows what fails, so that nobody would know that a disk is full. */
    private static final PrintStream FIRST_ERROR_STREAM = System.err;

    private static final OutputStream DESCRIPTOR = new FileOutputStream(FileDescriptor.err);

    /** Outlives each set-up, so that its lines stand before those of the next. */
    private static final Lines STANDARD_ERROR =
            new Lines(() -> System.err.equals(FIRST_ERROR_STREAM) ? DESCRIPTOR : System.err);

    /** How long an end waits for whoever reads: one that goes on needs less, and one that stands still is not worth more. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private Logs() {}

    /**
     * Sets the log up until the settings are read, before anybody writes a line: without it every library would write its debug lines to
     * standard output. Not by a service that Logback finds, which would have a say in the log of whoever has Weir as a library. The
     * process does not end before its lines are written; who halts it calls {@link #awaitWritten} first.
     */
    public static void begin() {
        Runtime.getRuntime().addShutdownHook(new Thread(Logs::awaitWritten, "weir-log-end"));
        start(AT_FIRST);
    }

    /** Writes from now on what {@code logging} asks for, as it asks for it. */
    public static void start(Logging logging) {
        ILoggerFactory factory = LoggerFactory.getILoggerFactory();
        if (!(factory instanceof LoggerContext context)) {
            throw new IllegalStateException("another SLF4J provider stands before Logback: " + factory.getClass());
        }
        set(context, logging);
        // java.util.logging is what grpc-java writes to.
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }

    /** Waits until every line so far is written, but not for long: its reader may stand still. */
    public static void awaitWritten() {
        STANDARD_ERROR.awaitWritten(LAST_WORDS);
    }

    static void set(LoggerContext context, Logging logging) {
        context.reset();
        var level = level(logging.level());
        var root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(level);
        root.addAppender(standardError(context, logging.format()));
        for (String library : CHATTY) {
            context.getLogger(library).setLevel(level.isGreaterOrEqual(Level.WARN) ? level : Level.WARN);
        }
        context.getLogger(CALLERS_MISTAKES).setLevel(Level.ERROR);
        ATTEMPTS.forEach(library -> context.getLogger(library).setLevel(Level.ERROR));
        NO_HARDWARE_ADDRESS.forEach(library -> context.getLogger(library).setLevel(Level.ERROR));
        DEEDS.forEach(deed -> context.getLogger(deed).setLevel(Level.INFO));
        INDISCREET.forEach(library -> context.getLogger(library).setLevel(Level.OFF));
        REPEATED.forEach(library -> context.getLogger(library).setLevel(Level.OFF));
    }

    private static LineAppender standardError(LoggerContext context, Logging.Format format) {
        LayoutBase<ILoggingEvent> layout = switch (format) {
            case TEXT -> new TextLine();
            case JSON -> new JsonLine();
        };
        layout.setContext(context);
        layout.start();
        var appender = new LineAppender(layout, STANDARD_ERROR);
        appender.setContext(context);
        appender.setName("stderr");
        appender.start();
        return appender;
    }

    private static Level level(Logging.Level level) {
        return switch (level) {
            case ERROR -> Level.ERROR;
            case WARN -> Level.WARN;
            case INFO -> Level.INFO;
            case DEBUG -> Level.DEBUG;
            case TRACE -> Level.TRACE;
        };
    }
}
