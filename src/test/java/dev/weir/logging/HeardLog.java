package dev.weir.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** What one writer says to the log while a test runs, in place of its standing in the log of the tests. */
public final class HeardLog implements BeforeEachCallback, AfterEachCallback {
    private final ListAppender<ILoggingEvent> heard = new ListAppender<>();
    private final Logger writer;

    private HeardLog(String name) {
        writer = (Logger) LoggerFactory.getLogger(name);
    }

    /** Returns what hears a class. */
    public static HeardLog of(Class<?> writer) {
        return new HeardLog(writer.getName());
    }

    /** Returns what hears who writes under this name. */
    public static HeardLog of(String name) {
        return new HeardLog(name);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        heard.start();
        writer.addAppender(heard);
        writer.setAdditive(false);
        writer.setLevel(Level.INFO);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        writer.setLevel(null);
        writer.setAdditive(true);
        writer.detachAppender(heard);
    }

    /** Returns what was said, each line as {@code LEVEL text}. */
    public List<String> lines() {
        return heard.list.stream()
                .map(line -> line.getLevel() + " " + line.getFormattedMessage())
                .toList();
    }

    /** Returns what was said by what was thrown and told with a line. */
    public List<String> thrown() {
        return heard.list.stream()
                .map(ILoggingEvent::getThrowableProxy)
                .filter(Objects::nonNull)
                .map(IThrowableProxy::getMessage)
                .toList();
    }
}
