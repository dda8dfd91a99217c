package dev.weir.store.layer;

import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreBusyException;
import dev.weir.store.StoreException;
import dev.weir.upkeep.Upkeep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds every wait for the store behind it, and has nobody wait for one that is silent ({@link Silence}).
 *
 * <p>All plans have the same time, so they run out in the order in which they came: a queue and one thread that sleeps
 * until its head is due serve them, where a timer would sort. Most plans are answered long before they are due, so it wakes
 * about once in each timeout. It does so when there is none as well, for whatever comes meanwhile is due later: a request that
 * had to wake it would pay for that, and under a low load that was one of a hundred. Who brings a plan takes away what is
 * answered in front of it: thousands that wait for the thread would be copied by each collection until then (decision 25).
 * Behind a plan without answer that does not help, so where the time is long, the thread looks through all of them now and then.
 * It sleeps for a millisecond at least, or a fifteenth of a shorter time: where thousands run out in a second, those of a
 * millisecond do so together (decision 38).
 *
 * <p>Who makes it forget a counter is an operator, and waits for what time it takes.
 *
 * <p>If the thread itself wakes much too late, this process stood still (a pause of the garbage collector, a machine that
 * gave its time to others), and the answer may lie unread in the socket. Then plans get a moment more, once in a timeout and
 * none of them twice: what is our own fault shall not be told as the store's.
 */
public final class DeadlineStore extends Store.Layer {
    private static final Logger LOG = LoggerFactory.getLogger(DeadlineStore.class);

    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long TIDY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int NAPS_IN_TIMEOUT = 15;

    private final Duration timeout;
    private final long timeoutNanos;
    private final long napNanos;
    private final Silence silence;
    private final StoreException silent;
    private final StoreException partUndecided;
    private final StoreException closed; // made beforehand: the heap may be full when it is told
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final Upkeep upkeep = new Upkeep(this::lookAtHead, DeadlineStore::tellOfDefect);
    private final Thread watch;
    private long lastGrace; // of the watch
    private volatile boolean isClosed;

    /**
     * Wraps a store.
     *
     * @param next who really answers
     * @param timeout how long a plan may take, above zero
     */
    public DeadlineStore(Store next, Duration timeout) {
        super(next);
        this.timeout = timeout;
        this.timeoutNanos = timeout.toNanos();
        this.napNanos = Math.min(NAP_NANOS, timeoutNanos / NAPS_IN_TIMEOUT);
        this.lastGrace = System.nanoTime() - timeoutNanos;
        this.silence = new Silence(next.parts(), next::hasAnsweredSince);
        String forSomeTime = "has decided nothing for some time (STORE_TIMEOUT is " + timeout.toMillis()
                + " ms) and is only asked now and then until it does";
        this.silent = StoreException.ofUnasked("the store " + forSomeTime);
        this.partUndecided = new StoreException("a part of the store " + forSomeTime);
        this.closed = new StoreException("the store is closed");
        this.watch = Thread.ofPlatform().daemon().name("weir-deadline").start(this::watch);
    }

    @Override
    public CompletionStage<List<Reading>> decide(Plan plan) {
        boolean isAnyUndecided = silence.isAny();
        if (isAnyUndecided && !mayAsk(plan.checks())) {
            return CompletableFuture.failedFuture(silent);
        }
        CompletionStage<List<Reading>> answer = next.decide(plan);
        CompletableFuture<List<Reading>> future = answer.toCompletableFuture();
        if (!future.isDone()) {
            dropAnswered();
            waiting.add(new Waiting(System.nanoTime() + timeoutNanos, plan.checks(), future));
            if (isClosed) { // the watch may have looked for the last time
                failWaiting();
            }
        } else if (isAnyUndecided) {
            learn(plan.checks(), future); // it may have been the try
        }
        return answer;
    }

    @Override
    public @Nullable StoreException silenceOf(Check check) {
        return silence.isAny() && silence.decidesNothing(next.partOf(check)) ? partUndecided : null;
    }

    /** At each part by itself: what becomes of a plan over several does not say which has answered. */
    @Override
    public void knock(Plan plan) {
        long now = System.nanoTime();
        Map<Integer, List<Check>> due = new HashMap<>();
        for (Check check : plan.checks()) {
            int part = next.partOf(check);
            if (silence.decidesNothing(part) && silence.isTimeToTry(part, now)) {
                due.computeIfAbsent(part, _ -> new ArrayList<>()).add(check);
            }
        }
        due.forEach((part, checks) -> {
            var _ = decide(new Plan(checks, plan.beyond()));
            silence.ask(part, now);
        });
    }

    /** What has just been answered may have ended the silence. A plan asks all of its parts, or none. */
    private boolean mayAsk(List<Check> checks) {
        dropAnswered();
        long now = System.nanoTime();
        for (int i = 0; i < checks.size(); i++) { // indexed: an iterator for each plan would be garbage
            if (!silence.mayAsk(next.partOf(checks.get(i)), now)) {
                return false;
            }
        }
        for (int i = 0; i < checks.size(); i++) {
            silence.ask(next.partOf(checks.get(i)), now);
        }
        return true;
    }

    /**
     * Removes the head that it saw, and not what may be there by then. What ends a silence is told before it is gone, perhaps
     * by two at once: who finds it gone would be refused between. What may begin one is told once.
     */
    private void dropAnswered() {
        Waiting head = waiting.peek();
        while (head != null && head.future.isDone()) {
            boolean isAnswer = isAnswer(head.future);
            if (isAnswer) {
                learn(head.checks, head.future);
            }
            if (waiting.remove(head) && !isAnswer) {
                learn(head.checks, head.future);
            }
            head = waiting.peek();
        }
    }

    private static boolean isAnswer(CompletableFuture<List<Reading>> ended) {
        if (!ended.isCompletedExceptionally()) {
            return true;
        }
        return !ended.isCancelled() && ended.exceptionNow() instanceof StoreException failure && failure.isAnswer();
    }

    /** Which of several parts has not answered nobody says, but of those that have; the others that do soon answer another plan. */
    private void learn(List<Check> checks, CompletableFuture<List<Reading>> ended) {
        List<@Nullable Reading> some = readingsOf(ended);
        int last = -1;
        for (int i = 0; i < checks.size(); i++) { // indexed: as above
            int part = next.partOf(checks.get(i));
            if (!some.isEmpty() && some.get(i) != null) {
                silence.answered(part);
            } else if (part != last) { // a plan is one of eight, however many of its checks share a part
                learn(part, ended);
            }
            last = part;
        }
    }

    private static List<@Nullable Reading> readingsOf(CompletableFuture<List<Reading>> ended) {
        return ended.isCompletedExceptionally()
                        && !ended.isCancelled()
                        && ended.exceptionNow() instanceof StoreException told
                ? told.readings()
                : List.of();
    }

    private void learn(int part, CompletableFuture<List<Reading>> ended) {
        if (!ended.isCompletedExceptionally()) {
            silence.answered(part);
        } else if (!ended.isCancelled()) { // who gives up is no witness
            switch (ended.exceptionNow()) {
                case StoreException failure when failure.isShutOut() -> silence.unanswered(part, System.nanoTime());
                case StoreException failure when failure.isAnswer() -> silence.answered(part);
                case StoreException failure when failure.isUnasked() -> silence.takeBack(part, System.nanoTime());
                case StoreBusyException _ -> silence.takeBack(part, System.nanoTime());
                default -> silence.unanswered(part, System.nanoTime());
            }
        }
    }

    private void watch() {
        while (!isClosed) {
            if (!upkeep.step()) {
                LockSupport.parkNanos(this, TIDY_NANOS);
            }
        }
        failWaiting();
    }

    private static void tellOfDefect(Throwable defect) {
        LOG.error("a defect in the watch over plans that wait for the store", defect);
    }

    private void lookAtHead() {
        dropAnswered();
        Waiting head = waiting.peek();
        if (head == null) {
            LockSupport.parkNanos(this, Math.min(timeoutNanos, TIDY_NANOS));
        } else {
            long now = System.nanoTime();
            long left = head.due - now;
            if (left > TIDY_NANOS) {
                LockSupport.parkNanos(this, TIDY_NANOS);
                waiting.removeIf(this::isAnswered);
            } else if (left > 0) {
                LockSupport.parkNanos(this, Math.max(left, napNanos));
            } else if (head.due - lastGrace > 0 && deservesGrace(-left - napNanos, now - lastGrace, timeoutNanos)) {
                LockSupport.parkNanos(this, GRACE_NANOS);
                lastGrace = System.nanoTime();
            } else {
                // Completing the store's own stage also tells it that nobody waits any more.
                head.future.completeExceptionally(
                        new StoreException("the store did not answer within " + timeout.toMillis() + " ms"));
            }
        }
    }

    /** What the store behind has not answered by its end it never will: what stands in front of it has not even been sent. */
    private void failWaiting() {
        for (Waiting left = waiting.poll(); left != null; left = waiting.poll()) {
            left.future.completeExceptionally(closed);
        }
    }

    /**
     * Returns whether a plan was answered and may be taken away. One that failed it takes away itself: of two who do, one learns
     * of that ({@link #dropAnswered}).
     */
    private boolean isAnswered(Waiting plan) {
        if (!plan.future.isDone()) {
            return false;
        }
        boolean isAnswer = isAnswer(plan.future);
        if (isAnswer || waiting.remove(plan)) {
            learn(plan.checks, plan.future);
        }
        return isAnswer;
    }

    /**
     * Returns whether this process stood still, and was not forgiven for it within the last timeout.
     *
     * @param late how long after its time, and a nap, the plan is met
     */
    static boolean deservesGrace(long late, long sinceLastGrace, long timeout) {
        return late > STALL_NANOS && sinceLastGrace >= timeout;
    }

    /** While the store behind it closes, which may take a second, plans run out as ever; what is left then fails. */
    @Override
    public void close() {
        try {
            next.close();
        } finally {
            isClosed = true;
            LockSupport.unpark(watch);
        }
    }

    private record Waiting(long due, List<Check> checks, CompletableFuture<List<Reading>> future) {}
}
