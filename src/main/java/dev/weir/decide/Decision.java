package dev.weir.decide;

import dev.weir.request.Verdict;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** A decision under way. */
public final class Decision {
    private static final CompletableFuture<Void> NOTHING_TO_ABANDON = CompletableFuture.completedFuture(null);

    private final CompletableFuture<?> work;
    private final CompletionStage<Verdict> verdict;

    Decision(CompletableFuture<?> work, CompletionStage<Verdict> verdict) {
        this.work = work;
        this.verdict = verdict;
    }

    static Decision of(Verdict verdict) {
        return new Decision(NOTHING_TO_ABANDON, CompletableFuture.completedFuture(verdict));
    }

    static Decision failed(RuntimeException failure) {
        return new Decision(NOTHING_TO_ABANDON, CompletableFuture.failedFuture(failure));
    }

    /** Returns the verdict, when it is there. */
    public CompletionStage<Verdict> verdict() {
        return verdict;
    }

    /** Says that nobody waits any more: what was not sent to the store yet is not counted. */
    public void abandon() {
        work.completeExceptionally(new Abandoned());
    }

    /** Returns what went wrong with a stage, without what carried it through those that depend on it. */
    public static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /**
     * Returns what carries a failure to whoever waits for the verdict. A stage would wrap what its function throws all the same, in an
     * exception with a stack trace, and under an outage or in an overload there is one for each request.
     */
    static CompletionException carried(RuntimeException failure) {
        return new Carried(failure);
    }

    private static final class Carried extends CompletionException {
        Carried(RuntimeException failure) {
            super(failure.getMessage(), failure);
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }

    /** What {@link CompletableFuture#cancel} would make for each, with a stack trace: in an outage callers leave by the thousand. */
    private static final class Abandoned extends CancellationException {
        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }
}
