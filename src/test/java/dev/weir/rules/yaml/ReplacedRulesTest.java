package dev.weir.rules.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.limit.Charge;
import dev.weir.rules.Mistake;
import dev.weir.rules.Rule;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A text stands in place of what files say of its domain. */
final class ReplacedRulesTest {
    private static final SourceFile SHOP = SourceFile.of("shop.yaml", domain("shop", "user", "address"));
    private static final SourceFile BANK = SourceFile.of("bank.yaml", domain("bank", "account"));
    private static final SourceFile INSTEAD = new SourceFile("kept/shop", domain("shop", "token"), true);

    @Test
    void nothing_of_the_file_is_left_and_that_is_remarked() throws RulesException {
        RuleSet rules = read(SHOP, BANK, INSTEAD);
        assertThat(rules.domainNames()).containsExactly("bank", "shop");
        assertThat(rules.rules()).extracting(Rule::path).containsExactly("bank.account", "shop.token");
        assertThat(rules.rules()).extracting(Rule::number).containsExactly(0, 1);
        assertThat(rules.remarks())
                .extracting(Mistake::toString)
                .containsExactly("shop.yaml: the domain `shop` is not in force as it stands here:"
                        + " rules were put in its place (GET /rules)");
    }

    @Test
    void it_need_not_replace_anything() throws RulesException {
        RuleSet rules = read(INSTEAD, BANK);
        assertThat(rules.rules()).extracting(Rule::path).containsExactly("bank.account", "shop.token");
        assertThat(rules.remarks()).isEmpty();
    }

    @Test
    void a_mistake_in_what_is_replaced_is_one_all_the_same() {
        var broken = SourceFile.of("shop.yaml", "domain: shop\ndescriptors: 3\n".getBytes(UTF_8));
        assertThatThrownBy(() -> read(broken, INSTEAD)).hasMessageStartingWith("shop.yaml:2:14: ");
        var twice = SourceFile.of("twice.yaml", SHOP.content());
        assertThatThrownBy(() -> read(SHOP, twice, INSTEAD)).hasMessageStartingWith("twice.yaml:1:1: ");
    }

    @Test
    void what_stayed_the_same_is_taken_from_the_set_before() throws RulesException {
        RuleSet first = read(BANK, INSTEAD);
        RuleSet second = YamlRules.read(List.of(BANK, INSTEAD), options(), first);
        assertThat(second.rules()).isEqualTo(first.rules());
    }

    private static byte[] domain(String name, String... keys) {
        var text = new StringBuilder("domain: " + name + "\ndescriptors:\n");
        for (String key : keys) {
            text.append("  - { key: %s, rate_limit: { unit: hour, requests_per_unit: 3 } }\n".formatted(key));
        }
        return text.toString().getBytes(UTF_8);
    }

    private static RuleSet read(SourceFile... files) throws RulesException {
        return YamlRules.read(List.of(files), options());
    }

    private static YamlRules.Options options() {
        return new YamlRules.Options(false, Charge.ALWAYS);
    }
}
