package dev.weir.grpc;

import dev.weir.call.Call;
import dev.weir.call.Calls;
import dev.weir.call.Head;
import dev.weir.call.Outcome;
import dev.weir.call.Replies;
import dev.weir.linux.Niceness;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Hands calls byte for byte to a grpc-java server in this process: what is seldom called need not be fast, and its services
 * come from grpc-java. Their callers' metadata stays here, because none of them reads any.
 *
 * <p>It has a thread of its own, which steps back behind all others: an answer of reflection has 40 KB, and thousands of callers at once would
 * have the event loops make them while requests wait.
 */
final class Relay implements Calls {
    /** Each holds kilobytes in grpc-java for as long as its caller likes, and one connection may have thousands of calls. */
    private static final int MOST_OPEN = 1_000;

    /**
     * Of a message: what is asked for by name is asked for in some hundred bytes. The last one of each call is held as long as
     * the call, so all that may be open together must leave room to others.
     */
    static final int MAX_BYTES = 2 << 10;

    /** What asks reflection which services there are, and others for nothing that they know: field 7, a text of one letter. */
    private static final byte[] LISTING = {0x3a, 1, '*'};

    private static final int IDLE_SECONDS = 10;

    private static final Outcome TOO_MANY =
            new Outcome(Outcome.RESOURCE_EXHAUSTED, "too many calls of this kind are open: " + MOST_OPEN);

    private final AtomicInteger open = new AtomicInteger();
    private final String name = InProcessServerBuilder.generateName();
    private final Map<String, MethodDescriptor<?, ?>> methods = new HashMap<>();
    private final Server server;
    private final Executor thread = thread();
    private final ManagedChannel channel =
            InProcessChannelBuilder.forName(name).executor(thread).build();

    /**
     * Creates a relay that answers nothing yet.
     *
     * @param services that are called
     */
    Relay(List<BindableService> services) {
        var builder = InProcessServerBuilder.forName(name).executor(thread);
        services.forEach(builder::addService);
        server = builder.build();
        for (ServerServiceDefinition service : server.getServices()) {
            service.getMethods()
                    .forEach(method -> methods.put(
                            method.getMethodDescriptor().getFullMethodName(), method.getMethodDescriptor()));
        }
    }

    /** Ends while nobody calls. */
    private static Executor thread() {
        var executor = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                work -> Thread.ofPlatform().daemon().name("weir-relay").unstarted(() -> {
                    Niceness.stepBack();
                    work.run();
                }));
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    void start() throws IOException {
        server.start();
    }

    /**
     * Asks for something once. The first call of a kind loads its classes, some of them on the event loop of its caller, and all others
     * there would wait for that: 45 to 320 ms.
     *
     * @param path without its first slash
     */
    void warmUp(String path) {
        ClientCall<byte[], byte[]> call = channel.newCall(method(path), CallOptions.DEFAULT);
        call.start(new ClientCall.Listener<>() {}, new Metadata());
        call.request(1);
        call.sendMessage(LISTING);
        call.halfClose();
    }

    private static MethodDescriptor<byte[], byte[]> method(String path) {
        return MethodDescriptor.newBuilder(Bytes.INSTANCE, Bytes.INSTANCE)
                .setType(MethodDescriptor.MethodType.UNKNOWN)
                .setFullMethodName(path)
                .build();
    }

    /** Ends what is under way. Waits until its callers have been told, for two seconds at most. */
    void stop() {
        channel.shutdownNow();
        server.shutdownNow();
        var told = new CountDownLatch(1);
        try {
            var _ = channel.awaitTermination(1, TimeUnit.SECONDS);
            thread.execute(told::countDown); // one thing after the other
            var _ = told.await(1, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // whoever ends it is told to hurry
        }
    }

    @Override
    public int maxBytes(int most) {
        return Math.min(most, MAX_BYTES);
    }

    @Override
    public Call begin(Head head, Replies replies) {
        if (open.incrementAndGet() > MOST_OPEN) {
            open.decrementAndGet();
            replies.close(TOO_MANY);
            return Ended.CALL;
        }
        String path = head.path().substring(1);
        ClientCall<byte[], byte[]> further = channel.newCall(method(path), CallOptions.DEFAULT);
        return new Passage(further, methods.get(path), replies, open::decrementAndGet).begin();
    }

    /**
     * A call that is passed on, one message at a time in each direction, as fast as the slower side takes them.
     *
     * <p>What is no message is not passed on: grpc-java would write a stack into the log for each.
     */
    private static final class Passage extends ClientCall.Listener<byte[]> implements Call {
        private final ClientCall<byte[], byte[]> further;
        private final @Nullable MethodDescriptor<?, ?> method;
        private final Replies replies;
        private final Runnable closed;
        private volatile @Nullable Outcome broken;

        Passage(
                ClientCall<byte[], byte[]> further,
                @Nullable MethodDescriptor<?, ?> method,
                Replies replies,
                Runnable closed) {
            this.further = further;
            this.method = method;
            this.replies = replies;
            this.closed = closed;
        }

        Passage begin() {
            further.start(this, new Metadata());
            further.request(1);
            return this;
        }

        @Override
        public void message(byte[] bytes) {
            if (isMessage(bytes)) {
                further.sendMessage(bytes);
            } else {
                further.cancel("what came is no message", null);
            }
        }

        private boolean isMessage(byte[] bytes) {
            if (method != null) {
                try {
                    var _ = method.parseRequest(new ByteArrayInputStream(bytes));
                } catch (StatusRuntimeException e) {
                    broken = Statuses.outcome(e.getStatus());
                }
            }
            return broken == null;
        }

        @Override
        public void halfClose() {
            if (broken == null) { // else it is cancelled already, and its end under way
                further.halfClose();
            }
        }

        @Override
        public void cancel() {
            further.cancel("the caller is gone", null);
        }

        @Override
        public boolean isReady() {
            return further.isReady();
        }

        @Override
        public void onMessage(byte[] bytes) {
            replies.send(bytes, () -> further.request(1));
        }

        @Override
        public void onReady() {
            replies.ready();
        }

        @Override
        public void onClose(Status status, @Nullable Metadata trailers) {
            closed.run();
            Outcome ours = broken;
            replies.close(ours == null ? Statuses.outcome(status) : ours);
        }
    }

    /** A call that was answered when it began. */
    private enum Ended implements Call {
        CALL;

        @Override
        public void message(byte[] bytes) {
            // Nobody reads it.
        }

        @Override
        public void halfClose() {
            // It has its answer.
        }

        @Override
        public void cancel() {
            // Nothing is under way.
        }
    }
}
