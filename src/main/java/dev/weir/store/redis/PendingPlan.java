package dev.weir.store.redis;

import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Queued;
import dev.weir.store.Reading;
import dev.weir.store.StoreException;
import dev.weir.store.Turnstile;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A plan on its way: collects the readings of its checks, which may come with several calls, and then completes. */
final class PendingPlan implements Queued {
    private final Plan plan;
    private final Answer answer = new Answer();
    private final Reading[] readings; // each null until it comes
    private @Nullable StoreException failure;
    private boolean isAsked; // some check was answered, or failed otherwise than unasked: it may have been counted
    // Orders the writes to these three, made on different threads, before the read by whoever counts down to zero.
    private final AtomicInteger missing;
    private final Consumer<PendingPlan> scattered;
    private final long @Nullable [] instants;
    private final boolean isUrgent;
    private volatile boolean isInSteps;
    private boolean isTorn; // written before the answer, and read after it
    private Turnstile<PendingPlan>.@Nullable Visit visit;
    private @Nullable PendingPlan whole;
    private Consumer<List<Reading>> late = _ -> {};

    private PendingPlan(Plan plan, Consumer<PendingPlan> scattered, boolean keepsInstants, boolean isUrgent) {
        this.plan = plan;
        this.readings = new Reading[plan.checks().size()];
        this.missing = new AtomicInteger(readings.length);
        this.scattered = scattered;
        this.instants = keepsInstants ? new long[readings.length] : null;
        this.isUrgent = isUrgent;
    }

    /**
     * Creates a plan that waits for its answer.
     *
     * @param scattered takes it over if its checks cannot go together
     */
    PendingPlan(Plan plan, Consumer<PendingPlan> scattered) {
        this(plan, scattered, false, false);
    }

    /** Creates a plan that waits for its answer and lets nobody go before it who came later. */
    static PendingPlan urgent(Plan plan, Consumer<PendingPlan> scattered) {
        return new PendingPlan(plan, scattered, false, true);
    }

    /** Creates a plan that waits for its answer, and goes in steps from the beginning. */
    static PendingPlan inSteps(Plan plan) {
        return new PendingPlan(
                plan,
                _ -> {
                    throw new IllegalStateException("it never goes in one call");
                },
                false,
                false);
    }

    /** Creates a part of a scattered plan, which can be given back: its own checks go together, as far as is known. */
    static PendingPlan withInstants(Plan plan) {
        return new PendingPlan(plan, PendingPlan::tear, true, false);
    }

    /** Creates what gives a part of a scattered plan back: nobody goes before it who came later. */
    static PendingPlan givingBack(Plan plan) {
        return new PendingPlan(plan, PendingPlan::tear, true, true);
    }

    /** Tells a visit what becomes of this plan. */
    void visit(Turnstile<PendingPlan>.Visit its) {
        visit = its;
        var _ = answer.handle((_, failure) -> { // whenComplete would wrap each failure, with a stack trace
            if (failure == null && !answer.isOverruled) {
                its.answered();
            } else {
                its.ended();
            }
            return its;
        });
    }

    /**
     * Makes this plan a part of a whole: where it is answered too late, the whole counts as late. Nobody waits for a part any more when
     * the whole has failed or its caller has gone, and then it shall not be sent.
     *
     * @param whenLate takes readings for which nobody waits any more
     */
    void partOf(PendingPlan its, Consumer<List<Reading>> whenLate) {
        whole = its;
        visit = its.visit;
        late = whenLate;
        var _ = its.answer.handle((_, _) -> isOver() || answer.completeExceptionally(new Gone()));
    }

    private void tear() {
        isTorn = true;
        answer.completeExceptionally(new StoreException("the checks of one place do not go together"));
    }

    /** Returns whether its checks turned out to be in several places: it was not decided then. */
    boolean isTorn() {
        return isTorn;
    }

    /** Returns the instant at which a check's hits were counted, of a plan that keeps them and was answered. */
    long instant(int position) {
        return instants == null ? Check.NO_INSTANT : instants[position];
    }

    @Override
    public Plan plan() {
        return plan;
    }

    @Override
    public boolean isUrgent() {
        return isUrgent;
    }

    CompletableFuture<List<Reading>> answer() {
        return answer;
    }

    /** Returns whether nobody waits any more: the deadline has passed, or the caller has gone. */
    @Override
    public boolean isOver() {
        return answer.isDone();
    }

    @Override
    public void answered(int position, Reading reading, long at) {
        readings[position] = reading;
        asked();
        if (instants != null) {
            instants[position] = at;
        }
        if (visit != null && isOver()) {
            visit.answeredTooLate();
        }
        come();
    }

    /** The others are waited for: what lies elsewhere shall be counted, though this plan fails. */
    @Override
    public void failed(int position, StoreException reason) {
        failure = reason;
        if (!reason.isUnasked()) {
            asked();
        }
        come();
    }

    /** A part completes afterwards, and what completes the whole comes after all of its parts. */
    private void asked() {
        isAsked = true;
        if (whole != null) {
            whole.isAsked = true;
        }
    }

    private void come() {
        if (missing.decrementAndGet() > 0) {
            return;
        }
        if (failure != null) {
            fail(failure);
        } else if (!answer.complete(Arrays.asList(readings))) {
            late.accept(Arrays.asList(readings));
        }
    }

    @Override
    public void scattered() {
        scattered.accept(this);
    }

    /** Sends each check by itself, of a plan in which none waits for another. */
    void sendEach(Consumer<Queued> send) {
        for (int i = 0; i < readings.length; i++) {
            send.accept(Queued.Part.of(plan.checks().get(i), this, i, false));
        }
    }

    /**
     * Answers the plan with readings that came in parts.
     *
     * @return whether somebody waited for them
     */
    boolean complete(Reading[] inOrder) {
        return answer.complete(Arrays.asList(inOrder));
    }

    /** Answers the plan with these readings when its time is up: it is decided, and others that are truer may still come. */
    void decided(Reading[] inOrder) {
        answer.known = List.of(inOrder);
    }

    /** Returns where the readings of a plan that goes in steps are kept: each means what it says, also if there is no next step. */
    Reading[] readingsInSteps() {
        isInSteps = true;
        return readings;
    }

    /** Fails the plan as one of its parts has failed. If another part came to a counter, the plan must not say that nothing was asked. */
    void fail(Throwable ofPart) {
        Throwable cause =
                ofPart instanceof CompletionException && ofPart.getCause() != null ? ofPart.getCause() : ofPart;
        boolean isInPart = isAsked && cause instanceof StoreException told && told.isUnasked();
        answer.completeExceptionally(isInPart ? new StoreException(String.valueOf(cause.getMessage())) : cause);
    }

    /** What is decided together is so when the last reading has come: what the first says may be dropped as another refuses. */
    private StoreException withReadings(StoreException told) {
        boolean isEachDecided = readings.length > 1 && (isInSteps || plan.isIndependent());
        return told.withReadings(isEachDecided ? Arrays.asList(readings.clone()) : List.of());
    }

    /** Whoever fails it, as its time is up, is overruled by what is known, and tells of what is known in part. */
    private final class Answer extends CompletableFuture<List<Reading>> {
        private volatile @Nullable List<Reading> known;
        private volatile boolean isOverruled;

        @Override
        public boolean completeExceptionally(Throwable failure) {
            List<Reading> all = known;
            if (all == null) {
                return super.completeExceptionally(
                        failure instanceof StoreException told ? withReadings(told) : failure);
            }
            isOverruled = true;
            return complete(all);
        }
    }

    /** What {@link CompletableFuture#cancel} would make for each part, with a stack trace: in an outage plans fail by the thousand. */
    private static final class Gone extends CancellationException {
        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }
}
