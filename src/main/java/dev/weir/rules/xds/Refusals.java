package dev.weir.rules.xds;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is said of sets that are refused, until a good one comes: the first refusal at once, and then one in a second, for control
 * planes may answer each with what was refused, or with something else that is wrong, at once and without end; some send without
 * waiting for any answer. Of those that come within the second the last is refused: the nonce of one before it is of no use to anybody.
 *
 * <p>Of the thread of the client.
 */
final class Refusals {
    private static final Duration BETWEEN_TWO = Duration.ofSeconds(1);

    private final Duration silence;
    private final Timer timer;
    private final XdsListener listener;
    private final Consumer<Stream> asker;

    private Set<String> told = Set.of();
    private @Nullable Refusal waiting;
    private @Nullable Future<?> rest; // since the last one was said
    private @Nullable Future<?> question;

    /** Runs things later, on the thread of the client. */
    @FunctionalInterface
    interface Timer {
        Future<?> later(Duration wait, Runnable task);
    }

    /**
     * Begins with nothing refused.
     *
     * @param silence how long nothing may come after a refusal until everything is asked for anew
     * @param listener is told of each refusal whose mistakes are not those told before
     * @param asker asks for everything anew where this stream says nothing
     */
    Refusals(Duration silence, Timer timer, XdsListener listener, Consumer<Stream> asker) {
        this.silence = silence;
        this.timer = timer;
        this.listener = listener;
        this.asker = asker;
    }

    /** Without the response: one of megabytes may come again and again. */
    private record Refusal(Stream on, String nonce, List<String> mistakes) {}

    /** Hears that a response came. */
    void heard() {
        cancel(question);
        question = null;
    }

    /** Refuses a response, now or when the last refusal is a second old. */
    void refuse(Stream on, String nonce, List<String> mistakes) {
        waiting = new Refusal(on, nonce, mistakes);
        if (rest == null) {
            say();
        }
    }

    /** Hears that a set was good: what was refused before it matters no more. */
    void end() {
        cancel(rest);
        rest = null;
        waiting = null;
        told = Set.of();
    }

    private void say() {
        rest = null;
        var refusal = waiting;
        if (refusal == null) {
            return;
        }
        waiting = null;
        rest = timer.later(BETWEEN_TWO, this::say);
        // Control planes that keep resources in a map send them, and so the mistakes, in any order.
        var mistakes = Set.copyOf(refusal.mistakes());
        if (!mistakes.equals(told)) {
            told = mistakes;
            listener.refused(refusal.mistakes());
        }
        refusal.on().refuse(refusal.nonce(), refusal.mistakes());
        awaitWord(refusal.on());
    }

    /**
     * A refusal names the version accepted before. A control plane that goes back to just that one has nothing to send, and so
     * nobody learns that what it wants is in force. Without a version it says what it wants.
     */
    private void awaitWord(Stream of) {
        cancel(question);
        question = timer.later(silence, () -> asker.accept(of));
    }

    private static void cancel(@Nullable Future<?> due) {
        if (due != null) {
            due.cancel(false);
        }
    }
}
