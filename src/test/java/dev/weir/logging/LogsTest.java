package dev.weir.logging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.weir.settings.Logging;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** One line an event, on standard error, whoever wrote it. */
final class LogsTest {
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final PrintStream standardError = System.err;

    @BeforeEach
    void catchStandardError() {
        Logs.awaitWritten(); // what others said
        System.setErr(new PrintStream(lines, true, UTF_8));
    }

    @AfterEach
    void restore() {
        Logs.awaitWritten();
        System.setErr(standardError);
        Logs.start(Logs.AT_FIRST);
    }

    @Test
    void a_line_of_text_is_instant_level_and_message() {
        Logs.start(new Logging(Logging.Level.INFO, Logging.Format.TEXT));
        LoggerFactory.getLogger("dev.weir.some").info("{} rules in force", 3);
        assertThat(written()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z INFO  3 rules in force\n");
    }

    @Test
    void a_message_cannot_forge_a_line() {
        Logs.start(new Logging(Logging.Level.INFO, Logging.Format.TEXT));
        LoggerFactory.getLogger("dev.weir.some").warn("no domain {}", "a\nb");
        assertThat(written()).hasLineCount(1).endsWith("WARN  no domain a\\nb\n");
    }

    @Test
    void nor_can_it_speak_to_a_terminal_or_turn_a_line_around() {
        Logs.start(new Logging(Logging.Level.INFO, Logging.Format.TEXT));
        String said = "a\u001b[2J\u0085b\u2028c\u2029d\u202ee\u007ff\u0000";
        String shown = "a\\u{1b}[2J\\u{85}b\\u{2028}c\\u{2029}d\\u{202e}e\\u{7f}f\\u{0}\n";
        LoggerFactory.getLogger("dev.weir.some").error("no field {}", said, new IllegalStateException(said));
        assertThat(written())
                .contains("ERROR no field " + shown)
                .contains("IllegalStateException: " + shown)
                .contains("    \tat ");
    }

    @Test
    void neither_can_what_an_exception_says() {
        Logs.start(new Logging(Logging.Level.INFO, Logging.Format.TEXT));
        LoggerFactory.getLogger("dev.weir.some")
                .error("lost", new IllegalStateException("a\r\n2026-11-21T10:00:00.000Z b"));
        assertThat(written().lines().skip(1)).hasSizeGreaterThan(2).allMatch(line -> line.startsWith("    "));
    }

    @Test
    void a_line_of_json_has_the_fields_of_the_go_service() {
        Logs.start(new Logging(Logging.Level.INFO, Logging.Format.JSON));
        LoggerFactory.getLogger("dev.weir.some").warn("say \"{}\"", "a\nb");
        assertThat(written())
                .matches(
                        "\\{\"@timestamp\":\"[0-9T:.-]+Z\",\"level\":\"warning\",\"@message\":\"say \\\\\"a\\\\nb\\\\\"\","
                                + "\"logger\":\"dev.weir.some\"}\n");
    }

    @Test
    void a_defect_is_written_with_its_stack_in_one_line_of_json() {
        Logs.start(new Logging(Logging.Level.INFO, Logging.Format.JSON));
        LoggerFactory.getLogger("dev.weir.some").error("lost", new IllegalStateException("why"));
        assertThat(written()).hasLineCount(1).contains("\"error\":\"java.lang.IllegalStateException: why");
    }

    @Test
    void libraries_are_heard_from_warnings_on_whatever_they_log_with() {
        Logs.start(new Logging(Logging.Level.DEBUG, Logging.Format.TEXT));
        LoggerFactory.getLogger("io.netty.Some").info("chat");
        Logger.getLogger("io.grpc.Server").info("chat");
        assertThat(written()).isEmpty();
        Logger.getLogger("io.grpc.Server").warning("trouble");
        assertThat(written()).endsWith("WARN  trouble\n");
    }

    @Test
    void commands_with_the_values_of_people_are_written_at_no_level() {
        Logs.start(new Logging(Logging.Level.TRACE, Logging.Format.TEXT));
        LoggerFactory.getLogger("org.redisson.Some").error("Unable to send EVALSHA user=ann");
        assertThat(written()).isEmpty();
    }

    /** It writes under the names of classes, and so under ours where they extend its own. */
    @Test
    void neither_are_those_that_redisson_writes_under_our_names() {
        var extending = new ClassFileImporter()
                .importPackages("dev.weir.store.redis").stream()
                        .filter(ours -> ours.getRawSuperclass()
                                .filter(theirs -> theirs.getPackageName().startsWith("org.redisson"))
                                .isPresent())
                        .toList();
        assertThat(extending).isNotEmpty();
        forget(); // the importer has a log, too
        Logs.start(new Logging(Logging.Level.TRACE, Logging.Format.TEXT));
        extending.forEach(ours -> LoggerFactory.getLogger(ours.getName()).error("Unable to decode data user=ann"));
        assertThat(written()).isEmpty();
    }

    @Test
    void attempts_to_find_a_control_plane_are_told_by_nobody_but_us() {
        Logs.start(new Logging(Logging.Level.DEBUG, Logging.Format.TEXT));
        Logger.getLogger("io.grpc.internal.ManagedChannelImpl").warning("Failed to resolve name");
        assertThat(written()).isEmpty();
        Logger.getLogger("io.grpc.internal.ManagedChannelImpl").severe("panic");
        assertThat(written()).endsWith("ERROR panic\n");
    }

    @Test
    void a_machine_without_a_network_is_nothing_to_warn_of() {
        Logs.start(new Logging(Logging.Level.DEBUG, Logging.Format.TEXT));
        LoggerFactory.getLogger("io.netty.util.internal.MacAddressUtil").warn("no usable hardware address");
        Logger.getLogger("io.grpc.netty.shaded.io.netty.util.internal.MacAddressUtil")
                .warning("no usable hardware address");
        assertThat(written()).isEmpty();
    }

    @Test
    void what_operators_do_by_hand_is_told_at_any_level() {
        Logs.start(new Logging(Logging.Level.ERROR, Logging.Format.TEXT));
        assertThat(new ClassFileImporter().importPackages("dev.weir.admin"))
                .extracting(JavaClass::getName)
                .containsAll(Logs.DEEDS);
        for (String deed : Logs.DEEDS) {
            forget(); // the importer has a log, too
            LoggerFactory.getLogger(deed).info("ann does it");
            assertThat(written()).endsWith("INFO  ann does it\n");
        }
    }

    @Test
    void a_worse_level_silences_libraries_too() {
        Logs.start(new Logging(Logging.Level.ERROR, Logging.Format.TEXT));
        LoggerFactory.getLogger("io.netty.Some").warn("trouble");
        LoggerFactory.getLogger("dev.weir.some").warn("trouble");
        assertThat(written()).isEmpty();
    }

    private void forget() {
        Logs.awaitWritten();
        lines.reset();
    }

    private String written() {
        Logs.awaitWritten();
        return lines.toString(UTF_8);
    }
}
