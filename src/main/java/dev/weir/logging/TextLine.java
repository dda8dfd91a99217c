package dev.weir.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import dev.weir.words.Unseen;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** An event as a line for people: {@code 2026-11-21T10:00:00.123Z INFO  message}, and below it the stack of a defect. */
final class TextLine extends LayoutBase<ILoggingEvent> {
    /** UTC, always with milliseconds, so that lines stand below each other. */
    static final DateTimeFormatter INSTANT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    @Override
    public String doLayout(ILoggingEvent event) {
        var line = new StringBuilder(INSTANT.format(event.getInstant()));
        String level = event.getLevel().toString();
        line.append(' ').append(level).repeat(" ", 6 - level.length());
        // A caller's text must not be able to forge a line or to speak to a terminal, in a message or in an
        // exception's.
        line.append(
                Unseen.shown(event.getFormattedMessage().replace("\r", "\\r").replace("\n", "\\n")));
        line.append('\n');
        if (event.getThrowableProxy() != null) {
            ThrowableProxyUtil.asString(event.getThrowableProxy())
                    .lines()
                    .forEach(row -> line.append("    ").append(shown(row)).append('\n'));
        }
        return line.toString();
    }

    /** Rows of a stack begin with a tab. */
    private static String shown(String row) {
        return row.startsWith("\t") ? "\t" + Unseen.shown(row.substring(1)) : Unseen.shown(row);
    }
}
