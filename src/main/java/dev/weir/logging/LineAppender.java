package dev.weir.logging;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.time.Instant;

/** Lays each event out where it happens, and leaves the writing to {@link Lines}: what waits is a line, whatever it was made of. */
final class LineAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
    private final Layout<ILoggingEvent> layout;
    private final Lines lines;

    LineAppender(Layout<ILoggingEvent> layout, Lines lines) {
        this.layout = layout;
        this.lines = lines;
    }

    @Override
    protected void append(ILoggingEvent event) {
        lines.add(bytes(event), this::notice);
    }

    /** At any level: who reads errors alone must know that some may be missing. */
    private byte[] notice(long lost) {
        var event = new LoggingEvent();
        event.setInstant(Instant.now());
        event.setLevel(Level.WARN);
        event.setLoggerName("weir");
        event.setMessage((lost == 1 ? "1 line of the log is" : lost + " lines of the log are")
                + " missing here: nobody read it, or they could not be written");
        return bytes(event);
    }

    private byte[] bytes(ILoggingEvent event) {
        return layout.doLayout(event).getBytes(UTF_8);
    }
}
