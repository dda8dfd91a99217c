package dev.weir.testing;

/** How often certain bytes have passed a {@link TcpProxy} on their way to the server since somebody began to watch. */
public final class Sightings {
    private final Gate gate;
    final String fragment;
    long count; // guarded by the gate

    Sightings(Gate gate, String fragment) {
        this.gate = gate;
        this.fragment = fragment;
    }

    /** Returns how often they have passed. */
    public long count() {
        return gate.look(() -> count);
    }

    /** Waits until they have been handed to the server {@code times} times. */
    public void await(long times) throws InterruptedException {
        if (!gate.awaitAtLeast(times, () -> count)) {
            throw new AssertionError("'%s' passed %d times, not %d".formatted(fragment, count(), times));
        }
    }

    /** Counts {@code fragment} in {@code seen}, where it ends behind {@code fresh}; an empty one is in any bytes once. */
    static int occurrences(String fragment, String seen, int fresh) {
        if (fragment.isEmpty()) {
            return 1;
        }
        int count = 0;
        int at = seen.indexOf(fragment, Math.max(0, fresh - fragment.length() + 1));
        while (at >= 0) {
            count++;
            at = seen.indexOf(fragment, at + fragment.length());
        }
        return count;
    }
}
