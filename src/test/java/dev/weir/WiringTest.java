package dev.weir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Charge;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import dev.weir.rules.yaml.YamlRules;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WiringTest {
    private static final long HEAP = 192L << 20;

    @ParameterizedTest
    @CsvSource({"PT0.015S, PT10S", "PT20S, PT40S", "PT1M, PT2M"})
    void who_waits_over_http_waits_longer_than_the_store_may_take(Duration storeTimeout, Duration patience) {
        assertThat(Wiring.patience(storeTimeout)).isEqualTo(patience);
    }

    @Test
    void the_over_limit_memory_takes_a_twentieth_of_the_heap_or_what_is_set_and_never_more_than_a_quarter() {
        assertThat(StoreWiring.overLimitBytes(OptionalLong.empty(), HEAP)).isEqualTo(HEAP / 20);
        assertThat(StoreWiring.overLimitBytes(OptionalLong.of(0), HEAP)).isZero();
        assertThat(StoreWiring.overLimitBytes(OptionalLong.of(1 << 20), HEAP)).isEqualTo(1 << 20);
        assertThat(StoreWiring.overLimitBytes(OptionalLong.of(1L << 40), HEAP)).isEqualTo(HEAP / 4);
    }

    @Test
    void a_reload_has_pauses_and_the_first_set_of_a_start_has_none() throws RulesException {
        var pauses = new AtomicInteger();
        var loader = Wiring.loader(new YamlRules.Options(false, Charge.ALWAYS), pauses::incrementAndGet);
        var files = List.of(SourceFile.of("shop.yaml", ruleFile(1_000)));

        RuleSet first = loader.load(files, null);
        assertThat(pauses).hasValue(0);

        var _ = loader.load(files, first);
        assertThat(pauses).hasPositiveValue();
    }

    private static byte[] ruleFile(int rules) {
        return IntStream.range(0, rules)
                .mapToObj("  - {key: user, value: u%d}%n"::formatted)
                .collect(Collectors.joining("", "domain: shop\ndescriptors:\n", ""))
                .getBytes(UTF_8);
    }
}
