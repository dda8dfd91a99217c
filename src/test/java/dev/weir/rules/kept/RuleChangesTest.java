package dev.weir.rules.kept;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.weir.limit.Charge;
import dev.weir.rules.Mistake;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import dev.weir.rules.watch.UnreadException;
import dev.weir.rules.yaml.YamlRules;
import dev.weir.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Operators put rules and delete them; what would not come into force is not kept. */
final class RuleChangesTest {
    private static final String ANN = "10.1.2.3";
    private static final String SHOP = domain("shop", 3);
    private static final String BANK = domain("bank", 5);

    private final FailingShelf shelf = new FailingShelf();
    private final KeptRules kept = new KeptRules(shelf, Duration.ofMillis(50));
    private final List<SourceFile> files = new ArrayList<>();
    private Instant now = Instant.EPOCH.plusNanos(123_456_000);
    private final RuleChanges changes = new RuleChanges(kept, (sources, _) -> read(sources), this::tryOut, () -> now);

    @Test
    void the_text_says_whose_rules_it_holds() {
        assertThat(put(SHOP)).isEqualTo(new Outcome.Kept("shop", 1, true, List.of()));
        assertThat(changes.kept().domains()).containsExactly(new KeptDomain("shop", SHOP, "1970-01-01T00:00:00Z", ANN));
        now = now.plusSeconds(60);
        assertThat(put(domain("shop", 4))).isEqualTo(new Outcome.Kept("shop", 60, false, List.of()));
        assertThat(put(BANK)).isEqualTo(new Outcome.Kept("bank", 61, true, List.of()));
        assertThat(changes.kept().domains())
                .extracting(KeptDomain::name, KeptDomain::since)
                .containsExactly(tuple("shop", "1970-01-01T00:01:00Z"), tuple("bank", "1970-01-01T00:01:00Z"));
    }

    @Test
    void who_wants_to_replace_nothing_does_not() {
        put(SHOP);
        assertThat(changes.put(domain("shop", 4).getBytes(UTF_8), false, ANN)).isEqualTo(new Outcome.Taken("shop"));
        assertThat(changes.put(BANK.getBytes(UTF_8), false, ANN))
                .isEqualTo(new Outcome.Kept("bank", 2, true, List.of()));
        assertThat(changes.kept().domain("shop").orElseThrow().text()).isEqualTo(SHOP);
    }

    @Test
    void what_is_deleted_is_gone_and_can_come_again() {
        put(SHOP);
        put(BANK);
        assertThat(changes.delete("shop")).isEqualTo(new Outcome.Kept("shop", 3, false, List.of()));
        assertThat(changes.delete("shop")).isEqualTo(new Outcome.Missing("shop"));
        assertThat(changes.kept().domains()).extracting(KeptDomain::name).containsExactly("bank");
        assertThat(put(SHOP)).isEqualTo(new Outcome.Kept("shop", 4, true, List.of()));
    }

    @Test
    void a_mistake_in_the_text_is_told_with_its_place() {
        assertThat(put("domain: shop\ndescriptors: 3\n")).asString().contains("body:2:14: ");
        assertThat(put("")).isInstanceOf(Outcome.Wrong.class);
        assertThat(put("descriptors: []\n")).isInstanceOf(Outcome.Wrong.class);
        assertThat(changes.put(SHOP.getBytes(UTF_16), true, ANN))
                .isEqualTo(new Outcome.Wrong(List.of(new Mistake("body", 0, 0, "is not UTF-8"))));
        assertThat(changes.kept()).isEqualTo(Revision.NONE);
    }

    @Test
    void a_mistake_in_the_files_hinders_too_for_then_nothing_would_come_into_force() {
        files.add(SourceFile.of("a.yaml", "domain: a\ndescriptors: 3\n".getBytes(UTF_8)));
        assertThat(put(SHOP)).asString().contains("a.yaml:2:14: ");
        files.clear();
        assertThat(put(SHOP)).isInstanceOf(Outcome.Kept.class);
    }

    @Test
    void mistakes_that_another_version_has_kept_can_be_taken_away_one_after_the_other() {
        var wrong = List.of(
                new KeptDomain("shop", "domain: shop\ndescriptors: 3\n", "", ANN),
                new KeptDomain("bank", "domain: bank\ndescriptors: 4\n", "", ANN),
                new KeptDomain("mall", "domain: mall\ndescriptors: 5\n", "", ANN));
        kept.replace(Revision.NONE, new Revision(7, "a", wrong));
        assertThat(put("domain: shop\ndescriptors: 9\n")).asString().contains("body:2:14: ");
        assertThat(put(domain("new", 3)))
                .as("it takes nothing away, and does no harm")
                .isInstanceOf(Outcome.Kept.class);
        assertThat(put(SHOP)).isInstanceOf(Outcome.Kept.class);
        assertThat(changes.delete("bank"))
                .isInstanceOfSatisfying(
                        Outcome.Kept.class,
                        bank -> assertThat(bank.left())
                                .extracting(Mistake::file)
                                .containsExactly("kept/mall"));
        files.add(SourceFile.of("a.yaml", "domain: a\ndescriptors: 3\n".getBytes(UTF_8)));
        assertThat(changes.delete("new")).as("files are another thing").isInstanceOf(Outcome.Wrong.class);
        files.clear();
        assertThat(changes.delete("mall"))
                .isInstanceOfSatisfying(
                        Outcome.Kept.class, mall -> assertThat(mall.left()).isEmpty());
        assertThat(changes.kept().domains()).extracting(KeptDomain::name).containsExactly("shop", "new");
    }

    @Test
    void files_that_cannot_be_read_are_no_mistake_of_who_puts_rules() {
        var reason = new Mistake("/data", 0, 0, "there is no such directory");
        var blind = new RuleChanges(
                kept,
                (sources, _) -> read(sources),
                _ -> {
                    throw new UnreadException(List.of(reason));
                },
                () -> now);
        assertThat(blind.put(SHOP.getBytes(UTF_8), true, ANN)).isEqualTo(new Outcome.Unread(List.of(reason)));
        assertThat(changes.kept()).isEqualTo(Revision.NONE);
    }

    @Test
    void two_at_once_do_not_undo_each_other() {
        shelf.beforeReplace(() -> assertThat(other().put(BANK.getBytes(UTF_8), true, ANN))
                .isEqualTo(new Outcome.Kept("bank", 1, true, List.of())));
        assertThat(put(SHOP)).isEqualTo(new Outcome.Kept("shop", 2, true, List.of()));
        assertThat(changes.kept().domains()).extracting(KeptDomain::name).containsExactly("bank", "shop");
    }

    @Test
    void there_is_room_for_two_million_bytes() {
        for (int i = 0; i < 2; i++) {
            assertThat(put(domain("long" + i, 3) + "# " + "é".repeat(500_000))).isInstanceOf(Outcome.Kept.class);
        }
        assertThat(put(domain("long2", 3) + "# " + "x".repeat(200_000))).isEqualTo(new Outcome.TooMuch(2 << 20));
        assertThat(put(SHOP)).isInstanceOf(Outcome.Kept.class);
        assertThat(changes.delete("long0")).isInstanceOf(Outcome.Kept.class);
        assertThat(put(domain("long2", 3) + "# " + "x".repeat(200_000))).isInstanceOf(Outcome.Kept.class);
    }

    @Test
    void a_store_that_fails_is_told() {
        shelf.fail(new StoreException("Redis is away"));
        assertThatThrownBy(() -> put(SHOP)).isInstanceOf(StoreException.class).hasMessage("Redis is away");
        assertThatThrownBy(changes::kept).isInstanceOf(StoreException.class);
    }

    @Test
    void one_whose_answer_is_lost_may_have_kept_them() {
        shelf.loseAnswers();
        assertThat(put(SHOP)).isEqualTo(new Outcome.Unknown("shop", "the store did not answer"));
        assertThat(changes.kept().number()).isEqualTo(1);
    }

    @Test
    void one_that_refuses_has_not() {
        shelf.beforeReplace(() -> shelf.fail(StoreException.ofAnswer("READONLY")));
        assertThatThrownBy(() -> put(SHOP))
                .isInstanceOf(StoreException.class)
                .hasMessage("the key edge:weir:rules: READONLY");
        shelf.fail(null);
        assertThat(changes.kept()).isEqualTo(Revision.NONE);
    }

    @Test
    void who_is_overtaken_ten_times_gives_up() {
        var others = new AtomicInteger();
        overtake(others);
        assertThat(put(SHOP)).isEqualTo(new Outcome.Overtaken());
        assertThat(others).hasValue(10);
        assertThat(changes.kept().domain("shop")).isEmpty();
    }

    private void overtake(AtomicInteger others) {
        shelf.beforeReplace(() -> {
            other().put(domain("bank", others.incrementAndGet()).getBytes(UTF_8), true, ANN);
            overtake(others);
        });
    }

    @Test
    void a_name_that_cannot_be_written_down_is_refused() {
        assertThat(put(domain("\"s\\ud800x\"", 3))).asString().contains("half a character");
    }

    private Outcome put(String text) {
        return changes.put(text.getBytes(UTF_8), true, ANN);
    }

    private RuleChanges other() {
        return new RuleChanges(
                new KeptRules(shelf, Duration.ofMillis(50)), (sources, _) -> read(sources), this::tryOut, () -> now);
    }

    private void tryOut(List<SourceFile> above) throws RulesException {
        List<SourceFile> all = new ArrayList<>(files);
        all.addAll(above);
        var _ = read(all);
    }

    private static RuleSet read(List<SourceFile> sources) throws RulesException {
        return YamlRules.read(sources, new YamlRules.Options(false, Charge.ALWAYS));
    }

    private static String domain(String name, int limit) {
        return """
                domain: %s
                descriptors:
                  - { key: user, rate_limit: { unit: hour, requests_per_unit: %d } }
                """.formatted(name, limit);
    }
}
