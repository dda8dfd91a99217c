package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Call;
import dev.weir.call.Head;
import dev.weir.call.Outcome;
import io.grpc.health.v1.HealthCheckRequest;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** That a question for health is told of once, whatever becomes of it. */
final class HealthCallsTest {
    private static final byte[] KNOWN =
            HealthCheckRequest.newBuilder().setService("known").build().toByteArray();

    private final NotedRequests noted = new NotedRequests();
    private final NotedOutcomes replies = new NotedOutcomes();

    private Call begin() {
        return new HealthCalls(Set.of("known"), noted).begin(new Head("/any", Head.NO_DEADLINE), replies);
    }

    @Test
    void one_that_is_given_up_before_it_is_answered_counts() {
        var call = begin();
        call.message(KNOWN);
        call.cancel();
        assertThat(replies.outcomes).isEmpty();
        assertThat(noted.heard).containsExactly("health");
    }

    @Test
    void until_there_is_a_message_nothing_was_asked() {
        begin().cancel();
        assertThat(noted.heard).isEmpty();
    }

    @Test
    void one_that_was_answered_counts_once_though_its_caller_leaves_before_the_answer_is_sent() {
        var call = begin();
        call.message(KNOWN);
        call.halfClose();
        call.cancel();
        assertThat(replies.outcomes).containsExactly(Outcome.OK);
        assertThat(noted.heard).containsExactly("health");
    }

    @Test
    void one_without_a_message_is_a_mistake_and_counts() {
        begin().halfClose();
        assertThat(replies.outcomes).containsExactly(new Outcome(Outcome.INTERNAL, "there was no message"));
        assertThat(noted.heard).containsExactly("health");
    }

    @Test
    void so_is_one_with_a_second_message() {
        var call = begin();
        call.message(KNOWN);
        call.message(KNOWN);
        assertThat(replies.outcomes)
                .containsExactly(new Outcome(Outcome.CANCELLED, "a call has one message, this one has more"));
        assertThat(noted.heard).containsExactly("health");
    }

    @Test
    void so_are_bytes_that_are_no_message() {
        begin().broken(new Outcome(Outcome.INTERNAL, "no message"));
        assertThat(replies.outcomes).as("it was told already").isEmpty();
        assertThat(noted.heard).containsExactly("health");
    }

    @Test
    void one_that_cannot_be_read_counts() {
        var call = begin();
        call.message(new byte[] {1, 2, 3});
        call.halfClose();
        assertThat(replies.outcomes).extracting(Outcome::code).containsExactly(Outcome.INTERNAL);
        assertThat(noted.heard).containsExactly("health");
    }
}
