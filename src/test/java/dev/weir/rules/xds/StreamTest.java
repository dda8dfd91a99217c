package dev.weir.rules.xds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What becomes of the connection of a stream. */
final class StreamTest {
    private final BrokenChannel channel = new BrokenChannel();

    @Test
    void a_stream_that_cannot_be_opened_leaves_no_connection_behind() {
        var conversation = new Conversation(new XdsOptions.Node("weir", Map.of()));
        var stream = new Stream(channel, conversation, new NoOwner());
        assertThatThrownBy(stream::open).hasMessage("made for this test");
        assertThat(channel.isShutdown()).isTrue();
    }

    /** Takes no call. */
    private static final class BrokenChannel extends ManagedChannel {
        private boolean isShutdown;

        @Override
        public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
            throw new IllegalStateException("made for this test");
        }

        @Override
        public String authority() {
            return "nowhere";
        }

        @Override
        public ManagedChannel shutdown() {
            return shutdownNow();
        }

        @Override
        public ManagedChannel shutdownNow() {
            isShutdown = true;
            return this;
        }

        @Override
        public boolean isShutdown() {
            return isShutdown;
        }

        @Override
        public boolean isTerminated() {
            return isShutdown;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return isShutdown;
        }
    }
}
