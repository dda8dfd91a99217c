package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Call;
import dev.weir.call.Head;
import dev.weir.call.Outcome;
import dev.weir.call.Trace;
import dev.weir.decide.Answering;
import dev.weir.decide.Bounds;
import dev.weir.decide.Decider;
import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.rules.Domain;
import dev.weir.rules.RateLimit;
import dev.weir.rules.RuleNode;
import dev.weir.rules.RuleSet;
import dev.weir.store.memory.MemoryStore;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How a call ends, without a transport; and that whatever becomes of a request is told once, and the call with it. */
final class RateLimitCallsTest {
    private static final int MAX_BYTES = 100;

    private final HeldStore store = new HeldStore(new MemoryStore(() -> 30_000_000, 100, Long.MAX_VALUE));
    private final NotedRequests noted = new NotedRequests();
    private final NotedOutcomes replies = new NotedOutcomes();

    private static @Nullable RuleSet unlooked() {
        throw new AssertionError("rules were looked at");
    }

    private RateLimitCalls calls(Supplier<@Nullable RuleSet> rules) {
        var decider = new Decider(rules, store, null, new Bounds(10, 10, 10), Answering.PLAIN, noted);
        return new RateLimitCalls(decider, MAX_BYTES, noted);
    }

    private Call begin(Supplier<@Nullable RuleSet> rules) {
        return calls(rules).begin(new Head("/any", Head.NO_DEADLINE), replies);
    }

    private Call begin() {
        return begin(RateLimitCallsTest::unlooked);
    }

    private void assertEnded(int code, String message, String request) {
        assertThat(replies.outcomes).containsExactly(new Outcome(code, message));
        assertThat(noted.heard).containsExactly(request, "called");
    }

    @Test
    void who_is_turned_away_is_told_so_unread_and_uncounted() {
        store.hold();
        var call = begin(() -> RuleSet.of(List.of()));
        call.message(new byte[] {1, 2, 3}); // no request
        assertThat(call.isGated()).isTrue();
        call.turnAway();
        assertThat(store.held()).isZero();
        assertEnded(
                Outcome.RESOURCE_EXHAUSTED,
                "the rate limit service has more requests than it can answer in time; nothing was counted",
                "turned away");
    }

    @Test
    void who_is_turned_away_is_read_and_answered_where_a_rule_says_what() {
        store.hold();
        var denied = begin(RateLimitCallsTest::denying);
        denied.message(ServedPort.question("ann"));
        denied.turnAway();
        assertThat(store.held()).as("asked of the store").isZero();
        assertThat(replies.outcomes).containsExactly(Outcome.OK);
        assertThat(noted.heard).containsExactly("decided", "called");

        replies.outcomes.clear();
        noted.heard.clear();
        var unreadable = begin(RateLimitCallsTest::denying);
        unreadable.message(new byte[] {1, 2, 3});
        unreadable.turnAway();
        assertThat(replies.outcomes).extracting(Outcome::code).containsExactly(3);

        replies.outcomes.clear();
        noted.heard.clear();
        var undenied = begin(RateLimitCallsTest::denying);
        undenied.message(ServedPort.question("path", "/"));
        undenied.turnAway();
        assertThat(replies.outcomes).extracting(Outcome::code).containsExactly(Outcome.RESOURCE_EXHAUSTED);
        assertThat(noted.heard).containsExactly("turned away", "called");
    }

    private static RuleSet denying() {
        var limit = RateLimit.of(Limit.fixedWindow(Quota.per(Unit.MINUTE, 1)));
        var flags = new RuleNode.Flags(false, false, false, false, false, FailurePolicy.DENY);
        var denied = new RuleNode("user", "", limit, flags, Map.of(), List.of());
        var undecided = new RuleNode("path", "", limit, RuleNode.Flags.NONE, Map.of(), List.of());
        return RuleSet.of(List.of(Domain.of("edge", List.of(denied, undecided))));
    }

    @Test
    void a_request_is_decided() {
        var call = begin(() -> RuleSet.of(List.of()));
        call.message(ServedPort.question("ann"));
        call.halfClose();
        assertThat(replies.outcomes).containsExactly(Outcome.OK);
        assertThat(noted.heard).containsExactly("decided", "called");
    }

    @Test
    void a_call_without_a_message_is_a_mistake() {
        begin().halfClose();
        assertEnded(3, "there was no message", "refused: there was no message");
    }

    @Test
    void a_message_that_is_too_large_is_a_mistake() {
        var call = begin();
        call.message(new byte[MAX_BYTES + 1]);
        call.halfClose();
        String mistake = "a message may hold 100 bytes (MAX_MESSAGE_BYTES), this one holds 101";
        assertEnded(3, mistake, "refused: " + mistake);
    }

    @Test
    void one_that_is_as_large_as_may_be_is_read() {
        var call = begin();
        call.message(new byte[MAX_BYTES]);
        call.halfClose();
        assertThat(replies.outcomes)
                .singleElement()
                .extracting(Outcome::message)
                .asString()
                .startsWith("the message is no RateLimitRequest: ");
    }

    @Test
    void a_second_message_is_a_mistake() {
        var call = begin();
        call.message(new byte[1]);
        call.message(new byte[1]);
        String mistake = "a call has one message, this one has more";
        assertEnded(1, mistake, "refused: " + mistake);
    }

    @Test
    void bytes_that_are_no_message_are_a_mistake() {
        begin().broken(new Outcome(Outcome.INTERNAL, "no message"));
        assertThat(replies.outcomes).as("it was told already").isEmpty();
        assertThat(noted.heard).containsExactly("refused: no message", "called");
    }

    @Test
    void without_rules_a_request_fails() {
        var call = begin(() -> null);
        call.message(ServedPort.question("ann"));
        call.halfClose();
        assertThat(replies.outcomes).extracting(Outcome::code).containsExactly(9);
        assertThat(noted.heard).containsExactly("without rules", "called");
    }

    @Test
    void a_defect_is_told_to_its_caller_in_no_more_words_than_he_needs() {
        var call = begin(() -> {
            throw new IllegalStateException("a defect");
        });
        call.message(ServedPort.question("ann"));
        call.halfClose();
        assertEnded(Outcome.INTERNAL, "a defect of the rate limit service, see its log", "failed");
    }

    /** Who answers it answers a whole batch. */
    @Test
    void a_defect_in_the_midst_of_an_answer_is_told_likewise_and_does_not_reach_who_answers() {
        replies.atAnswer = () -> {
            throw new IllegalStateException("a defect");
        };
        var call = begin(() -> RuleSet.of(List.of()));
        call.message(ServedPort.question("ann"));
        call.halfClose();
        assertThat(replies.outcomes)
                .containsExactly(new Outcome(Outcome.INTERNAL, "a defect of the rate limit service, see its log"));
        assertThat(noted.heard).containsExactly("decided", "failed", "called");
    }

    @Test
    void so_is_one_before_it_is_asked() {
        var broken = new Trace() {
            @Override
            public void asked(String domain, int descriptors) {
                throw new IllegalStateException("a defect");
            }
        };
        var call = calls(RateLimitCallsTest::unlooked).begin(new Head("/any", Head.NO_DEADLINE, broken), replies);
        call.message(ServedPort.question("ann"));
        call.halfClose();
        assertEnded(Outcome.INTERNAL, "a defect of the rate limit service, see its log", "failed");
    }

    @Test
    void a_request_that_is_given_up_before_it_is_asked_counts_as_given_up() {
        var call = begin();
        call.message(ServedPort.question("ann"));
        call.cancel();
        assertThat(noted.heard).containsExactly("abandoned", "called");
    }

    @Test
    void a_request_that_is_given_up_while_the_store_is_asked_counts_as_given_up() {
        store.hold();
        var call = begin(ServedPort::rules);
        call.message(ServedPort.question("ann"));
        call.halfClose();
        assertThat(noted.heard).isEmpty();
        call.cancel();
        assertThat(store.abandoned()).isEqualTo(1);
        assertThat(noted.heard).containsExactly("abandoned", "called");
    }

    @Test
    void a_call_that_is_given_up_without_a_message_was_no_request() {
        begin().cancel();
        assertThat(noted.heard).isEmpty();
    }
}
