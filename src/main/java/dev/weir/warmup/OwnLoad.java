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
import java.util.concurrent.TimeUnit;

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
    private static final long SETTLED_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int SETTLED_ROUNDS = 100;
    private static final int LONGEST = 3;

    public OwnLoad {
        messages = List.copyOf(messages);
    }

    /**
     * Asks, and longer where answers are still slow by then: up to three times as long.
     *
     * @param length for how long at least
     * @return how many questions were answered
     * @throws IOException if a connection cannot be had, or breaks
     * @throws InterruptedException if this thread shall not wait any longer
     */
    public long run(Duration length) throws IOException, InterruptedException {
        long start = System.nanoTime();
        List<Future<Long>> all = new ArrayList<>();
        var threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().daemon().name("weir-warm-up-", 1).factory());
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                Callable<Long> caller = () -> askFrom(start, length.toNanos());
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
    private long askFrom(long start, long length) throws IOException {
        List<byte[]> questions = messages.stream().map(Frames::data).toList();
        try (var caller = new Caller(address, path)) {
            List<byte[]> some = new ArrayList<>(MOST_AT_ONCE);
            int next = 0;
            int quick = 0;
            long now = System.nanoTime();
            for (int round = 0; isToGoOn(now - start, length, quick); round++) {
                for (int i = 0; i <= round % MOST_AT_ONCE; i++) {
                    some.add(questions.get(next++ % questions.size()));
                }
                caller.ask(some);
                some.clear();
                long asked = now;
                now = System.nanoTime();
                quick = now - asked < SETTLED_NANOS ? quick + 1 : 0;
            }
            return caller.answered();
        }
    }

    /**
     * Returns whether there is another round.
     *
     * @param nanos since the start
     * @param length wanted, in nanoseconds
     * @param quick how many of the last rounds in a row were answered quickly
     */
    static boolean isToGoOn(long nanos, long length, int quick) {
        return nanos < length || (nanos < LONGEST * length && quick < SETTLED_ROUNDS);
    }
}
