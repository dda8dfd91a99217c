package dev.weir.logging;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Writes lines in their order from a thread of its own, so that nobody who has one waits for those who read them, and who may stand
 * still for good: a terminal after Ctrl-S, a pipe that nobody empties.
 *
 * <p>What has no room meanwhile is lost, and a line says how much that was, where it would have stood.
 *
 * <p>Safe for use by any thread.
 */
final class Lines {
    /** What may wait, some thousand lines of usual length, and one line beyond it, however long. As much may be with the writer. */
    static final int ROOM_BYTES = 1 << 20;

    /** After a failure to write. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** What a line takes beside its bytes. */
    private static final int HEAD_BYTES = 32;

    /** Lines that the writer has taken, how many were lost after the last of them, and how to say so. */
    private record Batch(List<byte[]> lines, long lost, LongFunction<byte[]> notice) {}

    private static final byte[] NEW_LINE = {'\n'};

    private final Supplier<OutputStream> stream;

    // Of the writer.
    private long unwritten; // what it could not write, before what it takes next
    private boolean isTorn; // the last line, of which a disk that became full may have taken the beginning

    // All below is guarded by this, which nobody holds who writes.
    private List<byte[]> waiting = new ArrayList<>();
    private int waitingBytes;
    private long lost;
    private LongFunction<byte[]> notice = _ -> new byte[0];
    private boolean isWriting;
    private boolean isBegun;

    /**
     * Creates an empty queue.
     *
     * @param stream asked anew for each line, since tests set another
     */
    Lines(Supplier<OutputStream> stream) {
        this.stream = stream;
    }

    /**
     * Has a line written, or loses it. Does not wait.
     *
     * @param notice the line that says how many were lost, should this be one of them
     */
    synchronized void add(byte[] line, LongFunction<byte[]> notice) {
        this.notice = notice;
        if (waitingBytes >= ROOM_BYTES) {
            lost++;
            return;
        }
        waiting.add(line);
        waitingBytes += HEAD_BYTES + line.length;
        if (!isBegun) { // a command that logs nothing needs no thread
            begin();
        }
        notifyAll();
    }

    private void begin() {
        try {
            Thread.ofPlatform().daemon().name("weir-log").start(this::write);
            isBegun = true;
        } catch (OutOfMemoryError _) {
            // no room for a thread: the line waits, and the next one tries again
        }
    }

    /** Waits until all lines are written, but no longer than {@code patience}. */
    synchronized void awaitWritten(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        try {
            while (isWriting || !waiting.isEmpty()) {
                long leftNanos = end - System.nanoTime();
                if (leftNanos <= 0) {
                    return;
                }
                TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // told to hurry
        }
    }

    private void write() {
        try {
            while (true) {
                try {
                    write(next());
                } catch (IOException | RuntimeException | VirtualMachineError e) {
                    isTorn |= e instanceof IOException; // the others, as a long line needs memory, write nothing
                    Thread.sleep(PAUSE); // the next lines say that others are missing
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // nobody does
        }
    }

    /** What it could not write is as what had no room. */
    private void write(Batch batch) throws IOException {
        long before = unwritten;
        unwritten += batch.lines().size() + batch.lost();
        if (isTorn) {
            write(NEW_LINE);
            isTorn = false;
        }
        if (before > 0) {
            write(batch.notice().apply(before));
            unwritten -= before;
        }
        for (byte[] line : batch.lines()) {
            write(line);
            unwritten--;
        }
        if (unwritten > 0) {
            write(batch.notice().apply(unwritten));
            unwritten = 0;
        }
    }

    /** Flushed line by line: short ones stay whole where others write to the same pipe. */
    private void write(byte[] line) throws IOException {
        var out = stream.get();
        out.write(line, 0, line.length);
        out.flush();
    }

    /** Takes all that waits: what is lost was lost after it, and before all that comes. */
    private synchronized Batch next() throws InterruptedException {
        isWriting = false;
        notifyAll();
        while (waiting.isEmpty()) {
            wait();
        }
        var batch = new Batch(waiting, lost, notice);
        waiting = new ArrayList<>();
        waitingBytes = 0;
        lost = 0;
        isWriting = true;
        return batch;
    }
}
