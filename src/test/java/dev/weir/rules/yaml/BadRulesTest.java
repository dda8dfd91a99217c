package dev.weir.rules.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.limit.Charge;
import dev.weir.rules.RulesException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each file (or folder of files) in bad/ is named for its mistake, and beside it stands what the operator is told. */
final class BadRulesTest {

    static List<Path> fixtures() throws IOException {
        return Fixtures.in("bad");
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void every_mistake_is_told_with_its_place_and_its_remedy(Path fixture) throws IOException {
        var files = Fixtures.files(fixture);
        var refusal = catchThrowableOfType(
                RulesException.class,
                () -> YamlRules.read(files, new YamlRules.Options(Fixtures.isMerged(fixture), Charge.ALWAYS)));

        assertThat(refusal).as("%s was taken for good", fixture).isNotNull();
        String told = refusal.mistakes().stream().map(mistake -> mistake + "\n").collect(Collectors.joining());
        assertThat(told).isEqualTo(Fixtures.expected(fixture));
    }
}
