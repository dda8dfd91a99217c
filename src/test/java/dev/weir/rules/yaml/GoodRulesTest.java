package dev.weir.rules.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Charge;
import dev.weir.rules.RulesException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each file (or folder of files) in good/ is named for what it shows, and beside it stand the rules that it says. */
final class GoodRulesTest {

    static List<Path> fixtures() throws IOException {
        return Fixtures.in("good");
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void a_file_says_what_it_seems_to_say(Path fixture) throws IOException, RulesException {
        var rules = YamlRules.read(
                Fixtures.files(fixture), new YamlRules.Options(Fixtures.isMerged(fixture), Charge.ALWAYS));

        assertThat(Shown.text(rules)).isEqualTo(Fixtures.expected(fixture));
    }
}
