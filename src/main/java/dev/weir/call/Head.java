package dev.weir.call;

/**
 * What a caller says before the first message.
 *
 * @param path of the method: {@code /service/method}
 * @param deadlineNanos by {@link System#nanoTime()}, after which the caller does not wait; {@link #NO_DEADLINE} without one
 * @param trace is told of the steps of the call
 */
public record Head(String path, long deadlineNanos, Trace trace) {
    /** The deadline of those who wait as long as it takes. A real one may be this number by chance; it is then not kept. */
    public static final long NO_DEADLINE = Long.MAX_VALUE;

    /** Creates the head of a call that nobody follows. */
    public Head(String path, long deadlineNanos) {
        this(path, deadlineNanos, Trace.NONE);
    }
}
