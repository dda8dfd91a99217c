package dev.weir.rules.xds;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.inprocess.InProcessChannelBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is told of refusals, and what waits, while a control plane sends one bad set after the other. */
final class RefusalsTest {
    private static final Duration SILENCE = Duration.ofMinutes(1);
    private static final Duration REST = Duration.ofSeconds(1);

    private final List<Due> due = new ArrayList<>();
    private final RecordingXds listener = new RecordingXds();
    private final List<Stream> asked = new ArrayList<>();
    private final Refusals refusals = new Refusals(SILENCE, this::later, listener, asked::add);
    private final ManagedChannel channel =
            InProcessChannelBuilder.forName("nowhere").build();
    private final Stream stream =
            new Stream(channel, new Conversation(new XdsOptions.Node("weir", Map.of())), new NoOwner());

    @AfterEach
    void end() {
        channel.shutdownNow();
    }

    /** Each of a hundred and more left its response of megabytes behind, and filled the heap. */
    @Test
    void however_many_come_at_once_little_waits() {
        for (int i = 0; i < 1_000; i++) {
            hear("mistake " + i);
        }
        assertThat(waits()).as("what came meanwhile is no silence").containsExactly(REST);
        assertThat(listener.told()).containsExactly("refused [mistake 0]");
        pass(REST);
        assertThat(listener.told()).last().isEqualTo("refused [mistake 999]");
        assertThat(waits()).containsExactly(REST, SILENCE);
        pass(REST);
        assertThat(listener.told()).as("nothing came").hasSize(2);
        assertThat(waits()).containsExactly(SILENCE);
    }

    @Test
    void the_same_mistakes_are_told_once_in_whatever_order_they_come() {
        hear("a", "b");
        pass(REST);
        hear("b", "a");
        pass(REST);
        assertThat(listener.told()).containsExactly("refused [a, b]");
        hear("b");
        assertThat(listener.told()).as("one is mended").hasSize(2);
        refusals.end();
        hear("b");
        assertThat(listener.told()).as("at once, after a good set").hasSize(3);
    }

    @Test
    void a_good_set_leaves_nothing_to_say() {
        hear("a");
        hear("b");
        refusals.heard();
        refusals.end();
        assertThat(waits()).isEmpty();
        assertThat(listener.told()).hasSize(1);
        hear("c");
        hear("d");
        pass(REST);
        assertThat(listener.told()).as("and not b").containsExactly("refused [a]", "refused [c]", "refused [d]");
    }

    @Test
    void everything_is_asked_anew_where_nothing_comes_after_a_refusal() {
        hear("a");
        pass(REST);
        pass(SILENCE);
        assertThat(asked).containsExactly(stream);
        assertThat(waits()).isEmpty();
    }

    private void hear(String... mistakes) {
        refusals.heard();
        refusals.refuse(stream, "nonce", List.of(mistakes));
    }

    private Future<?> later(Duration wait, Runnable task) {
        var handle = new CompletableFuture<>();
        due.add(new Due(wait, task, handle));
        return handle;
    }

    private List<Duration> waits() {
        due.removeIf(one -> one.handle.isDone());
        return due.stream().map(Due::pause).toList();
    }

    /** Runs what waits so long. */
    private void pass(Duration wait) {
        for (var one : List.copyOf(due)) {
            if (one.pause.equals(wait) && one.handle.complete(null)) {
                one.task.run();
            }
        }
    }

    private record Due(Duration pause, Runnable task, CompletableFuture<Object> handle) {}
}
