package dev.weir.admin;

import dev.weir.http.Page;
import dev.weir.http.Question;
import dev.weir.http.Reply;
import dev.weir.rules.Mistake;
import dev.weir.rules.kept.KeptDomain;
import dev.weir.rules.kept.Outcome;
import dev.weir.rules.kept.Revision;
import dev.weir.rules.kept.RuleChanges;
import dev.weir.store.StoreException;
import dev.weir.words.Unseen;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /rules}: the rules that are kept in the store. GET tells of which domains there are some, or shows those of {@code ?domain};
 * PUT and POST keep those of the domain that the body names, POST only if there are none yet; DELETE keeps those of {@code ?domain} no
 * more. The log tells who changed what, at any level.
 *
 * <p>201 for the first rules of a domain; 400 for what would not come into force, with each mistake in a line; 404 where there are none
 * and 409 where there are some; 507 where there is no room; 503 if the store does not answer or
 * refuses, or the files of this replica cannot be read.
 */
final class RulesPage implements Page {
    private static final Logger LOG = LoggerFactory.getLogger(RulesPage.class);
    private static final String DOMAIN = "domain";
    private static final int MOST_BYTES = 1 << 20;

    private final RuleChanges changes;

    private RulesPage(RuleChanges changes) {
        this.changes = changes;
    }

    /**
     * Returns the page for who has the token.
     *
     * @param changes null where no rules are kept
     */
    static Page of(@Nullable RuleChanges changes, AdminToken token) {
        return changes == null
                ? _ -> Reply.text(404, "no rules are kept in the store: RULES_IN_STORE is not true\n")
                : new ForOperators(
                        new OneParameter(DOMAIN, "domain=...", new OneAtATime(new RulesPage(changes))),
                        token,
                        "to see or change rules");
    }

    @Override
    public int mostBytes() {
        return MOST_BYTES;
    }

    @Override
    public Reply answer(Question question) {
        return switch (question.method()) {
            case "GET", "HEAD" -> shown(question.parameters().get(DOMAIN));
            case "PUT" -> put(question, true);
            case "POST" -> put(question, false);
            case "DELETE" -> deleted(question);
            default ->
                Reply.text(405, "get, put, post or delete rules\n").with("Allow", "GET, HEAD, PUT, POST, DELETE");
        };
    }

    private Reply shown(@Nullable String domain) {
        Revision kept;
        try {
            kept = changes.kept();
        } catch (StoreException outage) {
            return Reply.text(503, outage.getMessage() + "\n");
        }
        if (domain != null) {
            return kept.domain(domain)
                    .map(known -> Reply.text(200, known.text()))
                    .orElseGet(() -> missing(domain));
        }
        String lines = kept.domains().stream().map(RulesPage::line).collect(Collectors.joining());
        return Reply.text(200, "revision " + kept.number() + "\n" + lines);
    }

    private static String line(KeptDomain domain) {
        return "%s: put %s by %s\n".formatted(CounterWords.plain(domain.name()), domain.since(), domain.from());
    }

    private Reply put(Question question, boolean mayReplace) {
        return question.parameters().isEmpty()
                ? changed(() -> changes.put(question.body(), mayReplace, question.from()), "puts", question.from())
                : Reply.text(400, "the body names the domain, and nothing stands in the query\n");
    }

    private Reply deleted(Question question) {
        String domain = question.parameters().get(DOMAIN);
        return domain == null
                ? Reply.text(400, "say whose rules: ?domain=...\n")
                : changed(() -> changes.delete(domain), "deletes", question.from());
    }

    private static Reply changed(Supplier<Outcome> change, String deed, String from) {
        Outcome outcome;
        try {
            outcome = change.get();
        } catch (StoreException outage) {
            return Reply.text(503, outage.getMessage() + "; nothing is changed\n");
        }
        return switch (outcome) {
            case Outcome.Kept kept -> {
                String domain = name(kept.domain());
                LOG.info("{} {} the rules of {} in the store (revision {})", from, deed, domain, kept.revision());
                yield Reply.text(
                        kept.isFirst() ? 201 : 200,
                        kept.left().isEmpty()
                                ? "%s: revision %d, in force in a moment\n".formatted(domain, kept.revision())
                                : "%s: revision %d, in force when these are gone as well:\n%s"
                                        .formatted(domain, kept.revision(), lines(kept.left())));
            }
            case Outcome.Wrong wrong -> Reply.text(400, lines(wrong.mistakes()));
            case Outcome.Unread unread ->
                Reply.text(
                        503,
                        "the rule files of this replica cannot be read; nothing is changed\n"
                                + lines(unread.reasons()));
            case Outcome.Unknown unknown -> {
                String domain = name(unknown.domain());
                LOG.warn(
                        "{} {} the rules of {}, and nobody knows whether it is done: {}",
                        from,
                        deed,
                        domain,
                        unknown.reason());
                yield Reply.text(
                        503, domain + ": " + unknown.reason() + "; nobody knows whether it is done: look again\n");
            }
            case Outcome.Missing missing -> missing(missing.domain());
            case Outcome.Taken taken ->
                Reply.text(409, name(taken.domain()) + ": rules of this domain are kept already; PUT replaces them\n");
            case Outcome.TooMuch much ->
                Reply.text(507, "all that is kept may have " + much.mostBytes() + " bytes; delete some\n");
            case Outcome.Overtaken _ -> Reply.text(503, "others change rules at the same time; try again\n");
        };
    }

    private static String lines(List<Mistake> mistakes) {
        return mistakes.stream()
                .map(mistake -> Unseen.shown(mistake.toString()) + "\n")
                .collect(Collectors.joining());
    }

    /** Whole, a name can have a million characters, and each would be written into the log at each change. */
    private static String name(String domain) {
        return CounterWords.plain(Mistake.quoted(domain));
    }

    private static Reply missing(String domain) {
        return Reply.text(404, name(domain) + ": no rules of this domain are kept in the store\n");
    }
}
