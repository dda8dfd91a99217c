package dev.weir.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Authorization;
import dev.weir.http.Page;
import dev.weir.http.Question;
import dev.weir.http.Reply;
import dev.weir.limit.Charge;
import dev.weir.logging.HeardLog;
import dev.weir.rules.Mistake;
import dev.weir.rules.kept.FailingShelf;
import dev.weir.rules.kept.KeptRules;
import dev.weir.rules.kept.RuleChanges;
import dev.weir.rules.watch.Loader;
import dev.weir.rules.watch.UnreadException;
import dev.weir.rules.yaml.YamlRules;
import dev.weir.store.StoreException;
import dev.weir.words.Unseen;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rules are put, looked at and deleted over HTTP. No files lie below them. */
final class RulesPageTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final Instant THEN = Instant.EPOCH;
    private static final Map<String, String> NO_QUERY = Map.of();
    private static final Loader LOADER =
            (sources, _) -> YamlRules.read(sources, new YamlRules.Options(false, Charge.ALWAYS));

    @RegisterExtension
    private final HeardLog log = HeardLog.of(RulesPage.class);

    private final FailingShelf shelf = new FailingShelf();
    private final Page page = page(shelf);

    @Test
    void what_is_put_is_shown_until_it_is_deleted() {
        assertThat(asked("GET", NO_QUERY, "").body()).isEqualTo("revision 0\n");
        Reply first = asked("PUT", NO_QUERY, domain("shop", 3));
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.body()).isEqualTo("shop: revision 1, in force in a moment\n");
        Reply second = asked("PUT", NO_QUERY, domain("shop", 4));
        assertThat(second.status()).isEqualTo(200);
        assertThat(asked("GET", NO_QUERY, "").body())
                .isEqualTo("revision 2\nshop: put 1970-01-01T00:00:00Z by 10.1.2.3\n");
        assertThat(asked("GET", named("shop"), "").body()).isEqualTo(domain("shop", 4));
        assertThat(asked("HEAD", named("shop"), "").status()).isEqualTo(200);
        Reply deleted = asked("DELETE", named("shop"), "");
        assertThat(deleted.status()).isEqualTo(200);
        assertThat(deleted.body()).isEqualTo("shop: revision 3, in force in a moment\n");
        for (String method : new String[] {"GET", "DELETE"}) {
            Reply gone = asked(method, named("shop"), "");
            assertThat(gone.status()).isEqualTo(404);
            assertThat(gone.body()).isEqualTo("shop: no rules of this domain are kept in the store\n");
        }
        assertThat(log.lines())
                .containsExactly(
                        "INFO 10.1.2.3 puts the rules of shop in the store (revision 1)",
                        "INFO 10.1.2.3 puts the rules of shop in the store (revision 2)",
                        "INFO 10.1.2.3 deletes the rules of shop in the store (revision 3)");
    }

    @Test
    void who_posts_replaces_nothing() {
        assertThat(asked("POST", NO_QUERY, domain("shop", 3)).status()).isEqualTo(201);
        Reply taken = asked("POST", NO_QUERY, domain("shop", 4));
        assertThat(taken.status()).isEqualTo(409);
        assertThat(taken.body()).isEqualTo("shop: rules of this domain are kept already; PUT replaces them\n");
    }

    @Test
    void mistakes_are_told_each_in_a_line_and_nothing_is_kept() {
        Reply wrong = asked("PUT", NO_QUERY, "domain: shop\ndescriptors:\n  - { kye: user }\n  - { kye: user }\n");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.body().lines())
                .hasSizeGreaterThan(1)
                .allMatch(line -> line.startsWith("body:"))
                .first()
                .asString()
                .contains("did you mean `key`?");
        assertThat(asked("PUT", named("shop"), domain("shop", 3)).status())
                .as("the body says whose they are")
                .isEqualTo(400);
        assertThat(asked("DELETE", NO_QUERY, "").body()).isEqualTo("say whose rules: ?domain=...\n");
        assertThat(asked("PATCH", NO_QUERY, "").status()).isEqualTo(405);
        assertThat(asked("GET", Map.of("domian", "shop"), "").status()).isEqualTo(400);
        for (String method : new String[] {"GET", "DELETE"}) {
            Reply twice = asked(method, Map.of("", "domain=shop&domain=x"), "");
            assertThat(twice.status()).isEqualTo(400);
            assertThat(twice.body()).isEqualTo("in the query stands ?domain=... once, or nothing\n");
        }
        assertThat(asked("GET", NO_QUERY, "").body()).isEqualTo("revision 0\n");
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void a_name_pretends_nothing() {
        String odd = "\"a\\n10.9.9.9 deletes all\"";
        assertThat(asked("PUT", NO_QUERY, domain(odd, 3)).body())
                .isEqualTo("a\\u{a}10.9.9.9 deletes all: revision 1, in force in a moment\n");
        assertThat(asked("GET", NO_QUERY, "").body().lines()).hasSize(2);
        assertThat(asked("DELETE", named("a\n10.9.9.9 deletes all"), "").status())
                .isEqualTo(200);
        assertThat(log.lines()).hasSize(2).noneMatch(line -> line.contains("\n"));
    }

    @Test
    void neither_does_a_mistake_that_quotes_the_body() {
        Reply wrong = asked("PUT", NO_QUERY, "domain: shop\ndescriptors:\n  - { \"ke\\e[2J\\u202ey\": user }\n");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.body()).contains("ke\\u{1b}[2J\\u{202e}y");
        assertThat(wrong.body().lines())
                .allMatch(line -> line.startsWith("body:") && line.codePoints().noneMatch(Unseen::is));
    }

    @Test
    void a_name_without_end_does_not_fill_the_log() {
        String endless = "d".repeat(700_000);
        String told = "d".repeat(200) + "...";
        assertThat(asked("PUT", NO_QUERY, domain(endless, 3)).body())
                .isEqualTo(told + ": revision 1, in force in a moment\n");
        assertThat(asked("POST", NO_QUERY, domain(endless, 3)).body()).startsWith(told + ": rules of this domain");
        assertThat(asked("GET", NO_QUERY, "").body())
                .as("whole, to be deleted by it")
                .contains(endless);
        assertThat(asked("DELETE", named(endless), "").status()).isEqualTo(200);
        assertThat(log.lines())
                .containsExactly(
                        "INFO 10.1.2.3 puts the rules of " + told + " in the store (revision 1)",
                        "INFO 10.1.2.3 deletes the rules of " + told + " in the store (revision 2)");
    }

    @Test
    void there_is_an_end_to_what_is_kept() {
        String long1 = "# " + "x".repeat((1 << 20) - 400) + "\n";
        assertThat(asked("PUT", NO_QUERY, long1 + domain("a", 1)).status()).isEqualTo(201);
        assertThat(asked("PUT", NO_QUERY, long1 + domain("b", 1)).status()).isEqualTo(201);
        Reply much = asked("PUT", NO_QUERY, long1 + domain("c", 1));
        assertThat(much.status()).isEqualTo(507);
        assertThat(much.body()).isEqualTo("all that is kept may have 2097152 bytes; delete some\n");
        assertThat(asked("PUT", NO_QUERY, "#" + "x".repeat(1 << 20)).status()).isEqualTo(413);
    }

    @Test
    void a_store_that_does_not_answer_is_told_and_whether_it_may_be_done() {
        shelf.fail(StoreException.ofUnasked("Redis was not reached yet"));
        Reply unasked = asked("PUT", NO_QUERY, domain("shop", 3));
        assertThat(unasked.status()).isEqualTo(503);
        assertThat(unasked.body()).isEqualTo("Redis was not reached yet; nothing is changed\n");
        assertThat(asked("GET", NO_QUERY, "").status()).isEqualTo(503);
        shelf.fail(null);
        shelf.loseAnswers();
        Reply unsure = asked("PUT", NO_QUERY, domain("shop", 3));
        assertThat(unsure.status()).isEqualTo(503);
        assertThat(unsure.body())
                .isEqualTo("shop: the store did not answer; nobody knows whether it is done: look again\n");
        assertThat(log.lines())
                .containsExactly(
                        "WARN 10.1.2.3 puts the rules of shop, and nobody knows whether it is done: the store did not answer");
    }

    @Test
    void files_that_cannot_be_read_are_told_as_a_failure_of_the_service() {
        var blind = page(shelf, _ -> {
            throw new UnreadException(List.of(new Mistake("/data", 0, 0, "there is no such directory")));
        });
        Reply unread = asked(blind, "PUT", NO_QUERY, domain("shop", 3));
        assertThat(unread.status()).isEqualTo(503);
        assertThat(unread.body()).isEqualTo("""
                the rule files of this replica cannot be read; nothing is changed
                /data: there is no such directory
                """);
        assertThat(asked("GET", NO_QUERY, "").body()).isEqualTo("revision 0\n");
    }

    @Test
    void nobody_without_the_token_sees_or_changes_any() {
        var stranger = new Question("GET", NO_QUERY, new Authorization(""), "10.1.2.3", new byte[0]);
        assertThat(page.answer(stranger).status()).isEqualTo(401);
        assertThat(RulesPage.of(null, new AdminToken(TOKEN)).answer(stranger).status())
                .as("where none are kept")
                .isEqualTo(404);
    }

    private Reply asked(String method, Map<String, String> query, String body) {
        return asked(page, method, query, body);
    }

    private static Reply asked(Page page, String method, Map<String, String> query, String body) {
        return page.answer(
                new Question(method, query, new Authorization("Bearer " + TOKEN), "10.1.2.3", body.getBytes(UTF_8)));
    }

    private static Map<String, String> named(String domain) {
        return Map.of("domain", domain);
    }

    private static Page page(FailingShelf shelf) {
        return page(shelf, above -> LOADER.load(above, null));
    }

    private static Page page(FailingShelf shelf, RuleChanges.Trial trial) {
        var changes = new RuleChanges(new KeptRules(shelf, Duration.ofMillis(50)), LOADER, trial, () -> THEN);
        return RulesPage.of(changes, new AdminToken(TOKEN));
    }

    private static String domain(String name, int limit) {
        return """
                domain: %s
                descriptors:
                  - { key: user, rate_limit: { unit: hour, requests_per_unit: %d } }
                """.formatted(name, limit);
    }
}
