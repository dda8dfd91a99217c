package dev.weir.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import com.fasterxml.jackson.core.JsonFactory;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * An event as a line of JSON, in the Go service's fields: {@code @timestamp}, {@code level} (in logrus's words), {@code
 * @message}; beside them {@code logger}, and {@code error} with the stack of a defect.
 */
final class JsonLine extends LayoutBase<ILoggingEvent> {
    private final JsonFactory json = new JsonFactory();

    @Override
    public String doLayout(ILoggingEvent event) {
        var line = new StringWriter();
        try (var object = json.createGenerator(line)) {
            object.writeStartObject();
            object.writeStringField("@timestamp", TextLine.INSTANT.format(event.getInstant()));
            object.writeStringField("level", word(event.getLevel()));
            object.writeStringField("@message", event.getFormattedMessage());
            object.writeStringField("logger", event.getLoggerName());
            if (event.getThrowableProxy() != null) {
                object.writeStringField("error", ThrowableProxyUtil.asString(event.getThrowableProxy()));
            }
            object.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("a string writer cannot fail", e);
        }
        return line.append('\n').toString();
    }

    private static String word(Level level) {
        return level.equals(Level.WARN) ? "warning" : level.toString().toLowerCase(Locale.ROOT);
    }
}
