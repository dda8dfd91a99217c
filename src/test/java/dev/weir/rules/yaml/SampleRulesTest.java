package dev.weir.rules.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.Rule;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The sample rules in descriptors/: they load as {@code make run} loads them, and show all there is. */
final class SampleRulesTest {

    @Test
    void the_edge_is_what_the_envoy_demo_expects() throws Exception {
        var edge = samples().rules().stream()
                .filter(rule -> rule.path().startsWith("edge."))
                .map(rule -> rule.path() + ": " + quota(rule).hits() + " per "
                        + quota(rule).unit())
                .toList();

        assertThat(edge)
                .containsExactly(
                        "edge.path_/login: 5 per MINUTE",
                        "edge.path_/api/*: 100 per MINUTE",
                        "edge.remote_address: 50 per SECOND",
                        "edge.tier_free.user: 10 per MINUTE",
                        "edge.tier_gold.user: 1000 per MINUTE",
                        "edge.peer: 200 per SECOND");
    }

    @Test
    void the_api_shares_one_counter() throws Exception {
        var edge = samples().domain("edge");
        assertThat(edge).isNotNull();
        var rule = edge.match(Descriptor.of(new Entry("path", "/api/cart")));

        assertThat(rule).isNotNull();
        assertThat(rule.sharedPattern(0, "/api/cart")).isEqualTo("/api/*");
    }

    @Test
    void every_unit_is_shown() throws Exception {
        Set<Unit> shown = samples().rules().stream()
                .flatMap(rule -> rule.limits().stream())
                .map(named -> named.limit().quota().unit())
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());

        assertThat(shown).containsExactlyInAnyOrder(Unit.values());
    }

    @Test
    void every_algorithm_and_every_charge_is_shown() throws Exception {
        var limits = samples().rules().stream()
                .flatMap(rule -> rule.limits().stream())
                .map(NamedLimit::limit)
                .toList();

        assertThat(limits.stream().map(limit -> limit.algorithm().getClass()).distinct())
                .hasSameSizeAs(Algorithm.class.getPermittedSubclasses());
        assertThat(limits.stream().map(Limit::charge).distinct()).containsExactlyInAnyOrder(Charge.values());
    }

    @Test
    void every_word_is_shown() throws IOException {
        String text = sources().stream()
                .map(file -> new String(file.content(), UTF_8))
                .collect(Collectors.joining());

        assertThat(Arrays.stream(Word.values()).map(Word::text))
                .allSatisfy(word -> assertThat(text).contains(word + ":"));
    }

    @Test
    void there_is_nothing_to_remark_on_them() throws Exception {
        assertThat(samples().rules()).flatExtracting(Rule::replaces).isNotEmpty();
        assertThat(samples().remarks()).isEmpty();
    }

    private static Quota quota(Rule rule) {
        return rule.limits().getFirst().limit().quota();
    }

    private static RuleSet samples() throws IOException, RulesException {
        return YamlRules.read(sources(), new YamlRules.Options(false, Charge.ALWAYS));
    }

    private static List<SourceFile> sources() throws IOException {
        try (Stream<Path> paths = Files.list(Path.of("descriptors"))) {
            return paths.sorted().map(SampleRulesTest::source).toList();
        }
    }

    private static SourceFile source(Path path) {
        try {
            return SourceFile.of(path.toString(), Files.readAllBytes(path));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
