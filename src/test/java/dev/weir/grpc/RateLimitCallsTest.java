package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Head;
import dev.weir.call.Outcome;
import dev.weir.call.Replies;
import dev.weir.decide.Answering;
import dev.weir.decide.Bounds;
import dev.weir.decide.DeafListener;
import dev.weir.decide.Decider;
import dev.weir.rules.RuleSet;
import dev.weir.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A call that is turned away, without a transport. */
final class RateLimitCallsTest {
    private final HeldStore store = new HeldStore(new MemoryStore(() -> 30_000_000, 100, Long.MAX_VALUE));
    private final List<Outcome> outcomes = new ArrayList<>();
    private final Replies replies = new Replies() {
        @Override
        public void answer(byte[] message) {
            throw new AssertionError("a verdict");
        }

        @Override
        public void send(byte[] message, Runnable written) {
            throw new AssertionError("a message");
        }

        @Override
        public void close(Outcome outcome) {
            outcomes.add(outcome);
        }

        @Override
        public void ready() {}
    };

    private static RuleSet noRules() {
        throw new AssertionError("rules were looked at");
    }

    @Test
    void who_is_turned_away_is_told_so_unread_and_uncounted() {
        store.hold();
        var decider = new Decider(
                RateLimitCallsTest::noRules, store, new Bounds(1, 1, 1), Answering.PLAIN, new DeafListener());
        var call = new RateLimitCalls(decider, 100, new DeafCalls()).begin(new Head("/any", Head.NO_DEADLINE), replies);
        call.message(new byte[] {1, 2, 3});
        assertThat(call.isGated()).isTrue();
        call.turnAway();
        assertThat(store.held()).isZero();
        assertThat(outcomes)
                .containsExactly(new Outcome(
                        Outcome.RESOURCE_EXHAUSTED,
                        "the rate limit service has more requests than it can answer in time; nothing was counted"));
    }
}
