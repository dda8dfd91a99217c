package dev.weir.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SecretsTest {
    private final Secrets secrets = Secrets.among(List.of("weir", "open-sesame", "Bearer abcd", "", "x"));

    @Test
    void words_that_repeat_none_are_shown() {
        assertThat(secrets.leftOut("WRONGPASS invalid username-password pair"))
                .isEqualTo("WRONGPASS invalid username-password pair");
        assertThat(Secrets.among(List.of()).leftOut("open-sesame")).isEqualTo("open-sesame");
    }

    @Test
    void of_words_that_repeat_one_the_first_is_shown_unless_it_is_in_that() {
        assertThat(List.of("ERR bad AUTH weir x", "ERR AUTH 'open-sesame'", "ERR abcd", "ERR\nBearer abcd"))
                .allSatisfy(said -> assertThat(secrets.leftOut(said))
                        .isEqualTo("ERR (what else is said repeats a secret, and is left out)"));
        assertThat(secrets.leftOut("open-sesame?")).isEqualTo("(what else is said repeats a secret, and is left out)");
    }

    /** As gRPC tells of an answer that is plain HTTP. */
    @Test
    void of_several_lines_the_first_is_enough() {
        assertThat(secrets.firstLineOf("HTTP status code 401\ninvalid content-type: text/html\nopen-sesame"))
                .isEqualTo("HTTP status code 401");
        assertThat(secrets.firstLineOf("")).isEmpty();
    }

    @Test
    void what_begins_like_a_path_is_taken_for_one() {
        assertThat(List.of("/run/key.pem", "./key.pem", "../key.pem")).allMatch(Secrets::isPath);
        assertThat(List.of("open-sesame", "c2Vj/s3cr3t", "MIIE/x", ".../x", "")).noneMatch(Secrets::isPath);
    }

    @Test
    void it_does_not_tell_of_them_itself() {
        assertThat(secrets.toString()).isEqualTo("Secrets[4]");
    }
}
