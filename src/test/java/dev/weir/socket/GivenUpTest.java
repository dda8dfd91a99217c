package dev.weir.socket;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Callers who leave connections undone, as often as they like. */
final class GivenUpTest {
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger log = (Logger) LoggerFactory.getLogger(GivenUp.class);

    @BeforeEach
    void listen() {
        lines.start();
        log.addAppender(lines);
        log.setAdditive(false);
        log.setLevel(Level.INFO);
    }

    @AfterEach
    void leave() {
        log.setLevel(null);
        log.setAdditive(true);
        log.detachAppender(lines);
    }

    @Test
    void have_one_line_for_each_reason() {
        var silent = new GivenUp("says nothing");
        var deaf = new GivenUp("reads nothing");
        for (int i = 0; i < 100; i++) {
            silent.tell(new EmbeddedChannel());
            deaf.tell(new EmbeddedChannel());
        }
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "a caller (embedded) says nothing: its connection is closed (since the last such line: 1)",
                        "a caller (embedded) reads nothing: its connection is closed (since the last such line: 1)");
    }
}
