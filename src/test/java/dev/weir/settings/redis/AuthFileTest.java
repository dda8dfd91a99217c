package dev.weir.settings.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.settings.redis.RedisSettings.Credentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file with a password is written anew while we run. */
final class AuthFileTest {
    @TempDir
    private Path folder;

    private final List<String> told = new ArrayList<>();
    private final List<String> relief = new ArrayList<>();
    private Path path = Path.of("");
    private AuthFile file = new AuthFile("", path, Credentials.NONE, Credentials.NONE);

    @BeforeEach
    void create() {
        path = folder.resolve("auth");
        file = read(Credentials.NONE);
    }

    private AuthFile read(Credentials ofUrl) {
        return new AuthFile("REDIS_AUTH_FILE", path, new Credentials("jo", "first"), ofUrl);
    }

    @Test
    void what_is_in_it_now_lets_us_in() throws IOException {
        Files.writeString(path, "al:second\n");
        assertThat(newest()).isEqualTo(new Credentials("al", "second"));
        Files.writeString(path, "third");
        assertThat(newest()).as("of the user that needs no name").isEqualTo(new Credentials("", "third"));
        assertThat(told).isEmpty();
        assertThat(relief).isEmpty();
    }

    @Test
    void what_it_does_not_say_the_url_does_as_after_a_new_start() throws IOException {
        file = read(new Credentials("al", "of the URL"));
        Files.writeString(path, "second");
        assertThat(newest()).isEqualTo(new Credentials("al", "second"));
        Files.writeString(path, "jo:");
        assertThat(newest()).isEqualTo(new Credentials("jo", "of the URL"));
        assertThat(told).isEmpty();
    }

    @Test
    void what_was_in_it_is_used_while_it_cannot_be_read_and_that_is_told_once() throws IOException {
        String used = "; what was in it before is used";
        assertThat(newest()).isEqualTo(new Credentials("jo", "first"));
        assertThat(newest()).isEqualTo(new Credentials("jo", "first"));
        assertThat(told)
                .containsExactly("REDIS_AUTH_FILE: " + path + ": the file cannot be read (NoSuchFileException)" + used);
        Files.writeString(path, "\n");
        assertThat(newest()).isEqualTo(new Credentials("jo", "first"));
        assertThat(told).last().isEqualTo("REDIS_AUTH_FILE: " + path + ": the file is empty" + used);
        Files.writeString(path, "al:");
        assertThat(newest()).isEqualTo(new Credentials("jo", "first"));
        assertThat(told).last().isEqualTo("REDIS_AUTH_FILE: " + path + ": it has no password" + used);
        Files.write(path, new byte[] {(byte) 0xff});
        assertThat(newest()).isEqualTo(new Credentials("jo", "first"));
        assertThat(told).last().isEqualTo("REDIS_AUTH_FILE: " + path + ": the file is not UTF-8" + used);
        assertThat(relief).isEmpty();
        Files.writeString(path, "al:second");
        assertThat(newest()).isEqualTo(new Credentials("al", "second"));
        Files.delete(path);
        assertThat(newest()).isEqualTo(new Credentials("al", "second"));
        assertThat(told).hasSize(5);
        assertThat(relief)
                .containsExactly(
                        "REDIS_AUTH_FILE: " + path + ": the file is in order again, and what is in it is used");
    }

    @Test
    void what_is_seen_once_may_be_half_written_and_changes_nothing() throws IOException {
        for (String half : List.of("", "al:sec", "")) {
            Files.writeString(path, half);
            file.look(told::add, relief::add);
            assertThat(file.newest()).isEqualTo(new Credentials("jo", "first"));
        }
        Files.writeString(path, "al:second");
        assertThat(newest()).isEqualTo(new Credentials("al", "second"));
        assertThat(told).isEmpty();
    }

    /** After two looks. */
    private Credentials newest() {
        file.look(told::add, relief::add);
        file.look(told::add, relief::add);
        return file.newest();
    }
}
