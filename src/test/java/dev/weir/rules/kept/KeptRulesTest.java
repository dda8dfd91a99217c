package dev.weir.rules.kept;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.logging.HeardLog;
import dev.weir.rules.SourceFile;
import dev.weir.rules.watch.Overlay.Laid;
import dev.weir.store.Shelf.Standing;
import dev.weir.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two replicas look at one shelf, from which things are lost. */
final class KeptRulesTest {
    private static final Duration PATIENCE = Duration.ofMillis(50);
    private static final KeptDomain SHOP = new KeptDomain("shop", "domain: shop\n", "2026-01-01T00:00:00Z", "10.1.2.3");
    private static final KeptDomain BANK = new KeptDomain("bank", "domain: bänk\n", "2026-01-02T00:00:00Z", "10.1.2.4");

    @RegisterExtension
    private final HeardLog log = HeardLog.of(KeptRules.class);

    private final FailingShelf shelf = new FailingShelf();
    private final KeptRules here = new KeptRules(shelf, PATIENCE);
    private final KeptRules there = new KeptRules(shelf, PATIENCE);

    @Test
    void nothing_is_kept_at_first() {
        assertThat(here.look()).isEqualTo(Laid.NOTHING);
        assertThat(here.now()).isEqualTo(Revision.NONE);
    }

    @Test
    void what_was_seen_first_is_in_force_when_who_looks_says_so() {
        keep(SHOP);
        there.inForce(Laid.NOTHING); // rules of files alone
        assertThat(there.now().number()).as("this is for others").isEqualTo(1);
        assertThat(there.firstInForce().toCompletableFuture()).isNotDone();
        Laid laid = there.look();
        there.look();
        assertThat(there.firstInForce().toCompletableFuture()).isNotDone();
        there.inForce(laid);
        assertThat(there.firstInForce().toCompletableFuture()).isDone();
    }

    @Test
    void where_nothing_is_kept_the_rules_of_files_will_do() {
        here.inForce(Laid.NOTHING);
        assertThat(here.firstInForce().toCompletableFuture()).as("who knows").isNotDone();
        here.look();
        assertThat(here.firstInForce().toCompletableFuture()).isDone();
    }

    @Test
    void where_nothing_is_kept_nobody_waits_for_files_that_are_wrong() {
        here.look();
        assertThat(here.firstInForce().toCompletableFuture()).isDone();
    }

    @Test
    void who_has_lost_all_goes_on_above_those_who_have_not() {
        Revision old = keep(SHOP);
        there.look();
        var anew = Revision.NONE.with(BANK, Instant.ofEpochSecond(100));
        shelf.becomes(anew.standing());
        assertThat(there.look().origin()).endsWith("(revision 100)");
        assertThat(old.with(BANK, Instant.ofEpochSecond(100)).number()).isEqualTo(100);
        assertThat(anew.with(SHOP, Instant.ofEpochSecond(7)).number())
                .as("a clock that was set back")
                .isEqualTo(101);
    }

    @Test
    void a_name_in_mistakes_is_in_one_line() {
        var odd = new KeptDomain("a\n\u0000/é1", "", "", "");
        assertThat(odd.source().name()).isEqualTo("kept/a???é1");
    }

    @Test
    void a_name_that_fills_the_text_does_not_stand_whole_in_each_of_its_mistakes() {
        var endless = new KeptDomain("d".repeat(700_000), "", "", "");
        assertThat(endless.source().name()).isEqualTo("kept/" + "d".repeat(200) + "...");
    }

    @Test
    void what_is_kept_here_is_seen_there() {
        keep(SHOP);
        keep(BANK);
        Laid laid = there.look();
        assertThat(laid.origin()).isEqualTo("2 domains kept in the store (revision 2)");
        assertThat(laid.sources()).extracting(SourceFile::name).containsExactly("kept/shop", "kept/bank");
        assertThat(laid.sources()).allMatch(SourceFile::isInPlace);
        assertThat(laid.sources())
                .extracting(source -> new String(source.content(), StandardCharsets.UTF_8))
                .containsExactly("domain: shop\n", "domain: bänk\n");
        assertThat(there.look()).as("nothing has changed").isSameAs(laid);
        assertThat(there.now().domains()).containsExactly(SHOP, BANK);
    }

    @Test
    void what_was_made_from_an_older_revision_is_not_kept() {
        Revision old = there.now();
        keep(SHOP);
        assertThat(there.replace(old, old.with(BANK, Instant.EPOCH))).isFalse();
        assertThat(there.now().domains()).containsExactly(SHOP);
    }

    @Test
    void a_store_that_has_lost_everything_is_given_it_again() {
        keep(SHOP);
        keep(BANK);
        there.look();
        shelf.becomes(Standing.NOTHING);
        assertThat(there.look().sources()).hasSize(2);
        assertThat(new KeptRules(shelf, PATIENCE).now().domains())
                .as("seen by one who joins")
                .containsExactly(SHOP, BANK);
        assertThat(log.lines())
                .containsExactly("WARN the store has an older revision of the rules that are kept in it (0):"
                        + " revision 2 was put there again");
    }

    @Test
    void so_is_one_that_has_lost_the_last_change() {
        Revision first = keep(SHOP);
        keep(BANK);
        shelf.becomes(first.standing());
        there.look();
        here.look();
        assertThat(there.look().sources()).hasSize(2);
    }

    @Test
    void of_two_revisions_of_one_number_that_in_the_store_stays() {
        Revision first = keep(SHOP);
        there.look();
        keep(BANK);
        shelf.becomes(first.standing()); // and nobody has looked when somebody else changes them
        assertThat(there.replace(first, first.without("shop", Instant.EPOCH))).isTrue();
        assertThat(here.look().sources()).isEmpty();
        assertThat(there.look().sources()).isEmpty();
    }

    @Test
    void while_the_store_is_silent_what_was_seen_last_stays() {
        keep(SHOP);
        shelf.fail(new StoreException("Redis is away"));
        assertThat(here.look().sources()).hasSize(1);
        assertThat(here.look().sources()).hasSize(1);
        assertThat(log.lines())
                .as("told once")
                .containsExactly("WARN the rules that are kept in the store cannot be seen: Redis is away;"
                        + " those seen last stay in force");
        shelf.fail(new StoreException("the connection was closed"));
        here.look();
        assertThat(log.lines()).as("whatever comes next").hasSize(1);
        shelf.fail(null);
        here.look();
        assertThat(log.lines()).last().isEqualTo("INFO the rules that are kept in the store can be seen again");
        shelf.fail(new StoreException("Redis is away"));
        here.look();
        assertThat(log.lines()).as("and once again").hasSize(3);
    }

    @Test
    void before_the_store_was_reached_nothing_is_told() {
        shelf.fail(StoreException.ofUnasked("not reached yet"));
        here.inForce(Laid.NOTHING);
        assertThat(here.look()).isEqualTo(Laid.NOTHING);
        assertThat(log.lines()).isEmpty();
        assertThat(here.firstInForce().toCompletableFuture()).isNotDone();
    }

    @Test
    void what_somebody_else_has_put_there_is_told_and_left_there() {
        for (Standing foreign : new Standing[] {
            new Standing("mine", "[]"),
            new Standing("1-a", "mine"),
            new Standing("1-a", "null"),
            new Standing("1-a", ""),
            new Standing("1-a", "{}"),
            new Standing("1-a", "[1]"),
            new Standing("1-a", "[{"),
            new Standing("1-a", "[{\"name\": \"shop\"}]"),
            new Standing("0-ab", "[]"),
            new Standing("07-ab", "[]"),
            new Standing("", "mine")
        }) {
            shelf.becomes(foreign);
            var newcomer = new KeptRules(shelf, PATIENCE);
            newcomer.inForce(Laid.NOTHING);
            newcomer.look();
            boolean isSeen = newcomer.firstInForce().toCompletableFuture().isDone();
            assertThat(isSeen).as(foreign.toString()).isEqualTo(foreign.stamp().isEmpty());
        }
        assertThat(log.lines())
                .hasSize(10)
                .allMatch(line -> line.contains(
                        ": the key edge:weir:rules, where rules are kept, was not written by Weir; remove it; "));
    }

    @Test
    void a_later_version_may_say_more() {
        shelf.becomes(new Standing(
                "7-a1",
                "[{\"name\": \"shop\", \"text\": \"\", \"since\": \"\", \"from\": \"\", \"why\": [{}], \"how\": 1}]"));
        assertThat(here.now().number()).isEqualTo(7);
        assertThat(here.now().domains()).containsExactly(new KeptDomain("shop", "", "", ""));
    }

    private Revision keep(KeptDomain domain) {
        Revision before = here.now();
        Revision next = before.with(domain, Instant.EPOCH);
        assertThat(here.replace(before, next)).isTrue();
        return next;
    }
}
