package dev.weir.rules.yaml;

import dev.weir.limit.Charge;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Rules of a test, written as an operator writes them. */
public final class WrittenRules {
    private WrittenRules() {}

    /** Returns the rules of one file. */
    public static RuleSet read(String text) {
        try {
            var file = SourceFile.of("shop.yaml", text.getBytes(StandardCharsets.UTF_8));
            return YamlRules.read(List.of(file), new YamlRules.Options(false, Charge.ALWAYS));
        } catch (RulesException e) {
            throw new AssertionError(e);
        }
    }
}
