package dev.weir.admin;

import dev.weir.http.Authorization;
import dev.weir.http.Page;
import dev.weir.http.Question;
import dev.weir.http.Reply;
import dev.weir.socket.Seldom;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A page for who says the token. Of all others no body is held: it could take the room of those who have it. */
final class ForOperators implements Page {
    private static final Logger LOG = LoggerFactory.getLogger(ForOperators.class);
    private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);

    private final Page page;
    private final AdminToken token;
    private final String wish;
    private final Seldom warnings = new Seldom(BETWEEN_WARNINGS);

    /**
     * Guards a page.
     *
     * @param wish what is done there, as in {@code to reset counters}
     */
    ForOperators(Page page, AdminToken token, String wish) {
        this.page = page;
        this.token = token;
        this.wish = wish;
    }

    /** One more than a body may have tells that it has too many. */
    @Override
    public int mostBytes() {
        return page.mostBytes() + 1;
    }

    @Override
    public boolean reads(Authorization authorization) {
        return token.letsIn(authorization);
    }

    @Override
    public Reply answer(Question question) {
        if (!token.isSet()) {
            return Reply.text(403, "nobody may: ADMIN_TOKEN is not set\n");
        }
        if (!token.letsIn(question.authorization())) {
            warnings.tell(untold -> LOG.warn( // one who tries them all shall not fill the log
                    "{} wanted {} without the right token (since the last such line: {})",
                    question.from(),
                    wish,
                    untold));
            return Reply.text(401, "say the token: Authorization: Bearer ...\n").with("WWW-Authenticate", "Bearer");
        }
        return question.body().length > page.mostBytes()
                ? Reply.text(413, "a body may have " + page.mostBytes() + " bytes\n")
                : page.answer(question);
    }
}
