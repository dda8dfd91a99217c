package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.rules.RuleSet;
import dev.weir.rules.watch.RulesSource;
import dev.weir.settings.Settings;
import dev.weir.testing.Eventually;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of the other parts when one cannot end. */
final class EngineTest {
    @Test
    void rules_that_cannot_end_keep_nothing_else_from_ending() throws Exception {
        Set<Path> before = Pollers.open();
        var engine = new Engine(Settings.read(Map.of()), (_, _) -> Wiring.Rules.of(new LastingSource()), () -> {});
        assertThatThrownBy(engine::close).hasMessage("the rules do not end");
        Eventually.await("the threads end", () -> before.containsAll(Pollers.open()));
    }

    @Test
    void the_latest_ends_first_and_the_first_failure_carries_the_others() {
        var ended = new ArrayList<String>();
        var ends = new Engine.Ends();
        var earlier = new IllegalStateException("earlier");
        var _ = ends.begun("first", ended::add);
        var _ = ends.begun(earlier, EngineTest::fail);
        var _ = ends.begun("third", ended::add);
        var _ = ends.begun(new IllegalStateException("later"), EngineTest::fail);
        assertThatThrownBy(ends::close).hasMessage("later").hasSuppressedException(earlier);
        assertThat(ended).containsExactly("third", "first");
        ends.close();
        assertThat(ended).as("each once").hasSize(2);
    }

    private static void fail(IllegalStateException failure) {
        throw failure;
    }

    private static final class LastingSource implements RulesSource {
        @Override
        public void start() {
            throw new AssertionError("nobody starts it");
        }

        @Override
        public @Nullable RuleSet inForce() {
            return null;
        }

        @Override
        public boolean hasSpoken() {
            return false;
        }

        @Override
        public void close() {
            throw new IllegalStateException("the rules do not end");
        }
    }
}
