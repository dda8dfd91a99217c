package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Head;
import dev.weir.call.Outcome;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is passed on to grpc-java has a thread of its own, so that whoever passes it on waits for nothing. */
final class RelayTest {
    private static final MethodDescriptor<byte[], byte[]> METHOD = MethodDescriptor.newBuilder(
                    Bytes.INSTANCE, Bytes.INSTANCE)
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("slow/Method")
            .build();

    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private final LinkedBlockingQueue<String> threads = new LinkedBlockingQueue<>();

    @Test
    @Timeout(30)
    void who_passes_a_call_on_does_not_wait_for_its_service() throws IOException, InterruptedException {
        var relay = new Relay(List.of(() -> ServerServiceDefinition.builder("slow")
                .addMethod(METHOD, (_, _) -> {
                    threads.add(Thread.currentThread().getName());
                    awaitLeave();
                    return new ServerCall.Listener<>() {};
                })
                .build()));
        relay.start();
        var replies = new NotedOutcomes();
        var call = relay.begin(new Head("/slow/Method", Head.NO_DEADLINE), replies);
        call.message(new byte[1]);
        call.halfClose();
        assertThat(threads.take()).isEqualTo("weir-relay");
        assertThat(replies.outcomes).isEmpty();
        mayAnswer.countDown();
        relay.stop();
        assertThat(replies.outcomes)
                .as("told before it has stopped")
                .extracting(Outcome::code)
                .hasSize(1);
    }

    private void awaitLeave() {
        try {
            mayAnswer.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
