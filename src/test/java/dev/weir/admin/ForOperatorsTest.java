package dev.weir.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Authorization;
import dev.weir.http.Page;
import dev.weir.http.Question;
import dev.weir.http.Reply;
import dev.weir.logging.HeardLog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who says the token sees the page behind it, which says back what it is given. */
final class ForOperatorsTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final String BEARER = "Bearer " + TOKEN;

    @RegisterExtension
    private final HeardLog log = HeardLog.of(ForOperators.class);

    private final Page page = guarded(TOKEN);

    @ParameterizedTest
    @ValueSource(strings = {"", TOKEN, "Bearer", "Bearer ", "Bearer 0123456789abcde", BEARER + "0", "Basic " + TOKEN})
    void without_the_token_nobody_is_let_in(String authorization) {
        Reply reply = page.answer(question(authorization, ""));
        assertThat(page.reads(new Authorization(authorization))).isFalse();
        assertThat(new ForPeople(page).reads(new Authorization(authorization))).isFalse();
        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.headers()).isEqualTo(Map.of("WWW-Authenticate", "Bearer"));
        assertThat(log.lines())
                .containsExactly("WARN 10.1.2.3 wanted to echo without the right token (since the last such line: 1)");
    }

    @ParameterizedTest
    @ValueSource(strings = {BEARER, "bearer " + TOKEN, "BEARER   " + TOKEN + " "})
    void the_scheme_is_written_as_one_likes(String authorization) {
        assertThat(page.reads(new Authorization(authorization))).isTrue();
        assertThat(new ForPeople(page).reads(new Authorization(authorization))).isTrue();
        assertThat(page.answer(question(authorization, "hello")).body()).isEqualTo("hello");
    }

    @Test
    void who_tries_one_token_after_the_other_fills_no_log() {
        for (int i = 0; i < 100; i++) {
            page.answer(question("Bearer " + i, ""));
        }
        assertThat(log.lines()).hasSize(1);
    }

    @Test
    void where_no_token_is_set_nobody_is_let_in() {
        for (String authorization : List.of("", "Bearer ", BEARER)) {
            Reply reply = guarded("").answer(question(authorization, ""));
            assertThat(reply.status()).isEqualTo(403);
            assertThat(reply.body()).isEqualTo("nobody may: ADMIN_TOKEN is not set\n");
        }
    }

    @Test
    void one_byte_too_many_is_seen_and_refused() {
        assertThat(page.mostBytes()).isEqualTo(9);
        assertThat(new ForPeople(page).mostBytes()).isEqualTo(9);
        assertThat(page.answer(question(BEARER, "12345678")).status()).isEqualTo(200);
        assertThat(page.answer(question(BEARER, "123456789")).status()).isEqualTo(413);
    }

    private static Page guarded(String token) {
        Page echo = new Page() {
            @Override
            public Reply answer(Question question) {
                return Reply.text(200, new String(question.body(), StandardCharsets.UTF_8));
            }

            @Override
            public int mostBytes() {
                return 8;
            }
        };
        return new ForOperators(echo, new AdminToken(token), "to echo");
    }

    private static Question question(String authorization, String body) {
        return new Question(
                "POST", Map.of(), new Authorization(authorization), "10.1.2.3", body.getBytes(StandardCharsets.UTF_8));
    }
}
