package dev.weir.settings;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page for operators says what the program does. */
final class SettingsDocumentTest {
    private static final Path PAGE = Path.of("docs", "configuration.md");

    @Test
    void the_page_is_what_the_table_writes() throws Exception {
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(PAGE, SettingsDocument.text(), UTF_8);
        }
        assertThat(Files.readString(PAGE, UTF_8))
                .as("docs/configuration.md is not what SettingsTable says; write it anew with `make docs`")
                .isEqualTo(SettingsDocument.text());
    }
}
