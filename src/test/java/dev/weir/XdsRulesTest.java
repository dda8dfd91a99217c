package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Charge;
import dev.weir.rules.RuleSet;
import dev.weir.rules.watch.RulesListener;
import dev.weir.rules.xds.Backoff;
import dev.weir.rules.xds.XdsListener;
import dev.weir.rules.xds.XdsOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is told of the sets that a control plane pushes. */
final class XdsRulesTest {
    private static final XdsOptions OPTIONS = new XdsOptions(
            "127.0.0.1:1",
            new XdsOptions.Node("weir", Map.of()),
            Map.of(),
            0,
            null,
            Duration.ofSeconds(1),
            Backoff.even(Duration.ofSeconds(1), 0),
            Backoff.even(Duration.ofSeconds(1), 0),
            Duration.ofMinutes(1),
            new XdsOptions.Reading(false, Charge.ALWAYS, 100));

    private final List<String> told = new ArrayList<>();

    @Test
    void a_version_is_the_control_planes_affair_and_fills_no_log() throws StartException {
        try (var rules = new XdsRules(OPTIONS, new Listener())) {
            rules.accepted(new XdsListener.Accepted(RuleSet.of(List.of()), 2, "\u001b[31m7\n"));
            rules.accepted(new XdsListener.Accepted(RuleSet.of(List.of()), 1, "v".repeat(200_000)));
        }
        assertThat(told)
                .containsExactly(
                        "2 resources, \" [31m7 \" of the control plane",
                        "1 resource, \"" + "v".repeat(200) + "...\" of the control plane");
    }

    /** Keeps what comes into force. */
    private final class Listener implements RulesListener {
        @Override
        public void loaded(Loaded loaded) {
            told.add(loaded.origin());
        }

        @Override
        public void failed(Failed failed) {
            throw new AssertionError(failed);
        }

        @Override
        public void passedOver(String reason) {
            throw new AssertionError(reason);
        }
    }
}
