package dev.weir.rules.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Charge;
import dev.weir.rules.RulesException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each file (or folder of files) in remarked/ is right, and named for what is hardly meant in it; beside it stands what is told. */
final class RemarkedRulesTest {

    static List<Path> fixtures() throws IOException {
        return Fixtures.in("remarked");
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void what_is_hardly_meant_is_told_with_its_place_and_its_remedy(Path fixture) throws IOException, RulesException {
        var rules = YamlRules.read(
                Fixtures.files(fixture), new YamlRules.Options(Fixtures.isMerged(fixture), Charge.ALWAYS));

        String told = rules.remarks().stream().map(remark -> remark + "\n").collect(Collectors.joining());
        assertThat(told).isEqualTo(Fixtures.expected(fixture));
    }
}
