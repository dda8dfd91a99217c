package dev.weir.warmup;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Asks a method of gRPC the same questions over and over for a while, over some connections, as callers will. What they run
 * through is loaded and compiled after that.
 *
 * @param address where the service listens
 * @param path of the method
 * @param messages that are asked in turn, one at least
 */
public record OwnLoad(InetSocketAddress address, String path, List<byte[]> messages) {
    private static final int CONNECTIONS = 2;
    private static final int MOST_AT_ONCE = 8;

    public OwnLoad {
        messages = List.copyOf(messages);
    }

    /**
     * Asks.
     *
     * @param length for how long
     * @return how many questions were answered
     * @throws IOException if a connection cannot be had, or breaks
     * @throws InterruptedException if this thread shall not wait any longer
     */
    public long run(Duration length) throws IOException, InterruptedException {
        long end = System.nanoTime() + length.toNanos();
        List<Future<Long>> all = new ArrayList<>();
        var threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().daemon().name("weir-warm-up-", 1).factory());
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                Callable<Long> caller = () -> askUntil(end);
                all.add(threads.submit(caller));
            }
            long answered = 0;
            for (Future<Long> caller : all) {
                answered += caller.get();
            }
            return answered;
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    /** Sometimes a question comes alone, and sometimes with others. */
    private long askUntil(long end) throws IOException {
        List<byte[]> questions = messages.stream().map(Frames::data).toList();
        try (var caller = new Caller(address, path)) {
            int next = 0;
            int burst = 0;
            List<byte[]> some = new ArrayList<>(MOST_AT_ONCE);
            while (System.nanoTime() - end < 0) {
                burst = burst % MOST_AT_ONCE + 1;
                for (int i = 0; i < burst; i++) {
                    some.add(questions.get(next++ % questions.size()));
                }
                caller.ask(some);
                some.clear();
            }
            return caller.answered();
        }
    }
}
