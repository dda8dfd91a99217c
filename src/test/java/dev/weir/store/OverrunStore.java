package dev.weir.store;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Queue;
import java.util.stream.IntStream;

/** A model of a store that takes one batch after the other, in a time of its own, and of callers who come evenly. */
final class OverrunStore {
    static final long PATIENCE_NANOS = 15_000_000;
    private static final long BATCH_NANOS = 100_000;
    private static final long WAY_NANOS = 100_000;
    private static final int TURNS = 2;
    private static final Limit LIMIT = Limit.fixedWindow(Quota.per(Unit.MINUTE, 10));

    private final WaitingPlans waiting = new WaitingPlans(_ -> 0, 1, new WaitingRoom());
    private final Queue<Sent> underWay = new ArrayDeque<>();
    private final int checksOfPlan;
    private final long checkNanos;
    private long now;
    private long storeIsFree;
    private long nextArrival;
    private long plans;
    private long inTime;
    private long late;

    /**
     * Creates an idle store.
     *
     * @param checksOfPlan of each plan, every one of its own counter
     * @param checkNanos of the store for a check
     */
    OverrunStore(int checksOfPlan, long checkNanos) {
        this.checksOfPlan = checksOfPlan;
        this.checkNanos = checkNanos;
    }

    /**
     * What became of plans.
     *
     * @param inTime answered while their callers waited
     * @param late answered for nobody
     */
    record Account(long inTime, long late) {}

    private record Sent(Batch batch, long sent, long answered) {}

    /** Returns how many plans the store can take in some time, without the batches' own cost. */
    long plansIn(long nanos) {
        return nanos / (checkNanos * checksOfPlan);
    }

    /**
     * Goes on for some time.
     *
     * @param times how many times as many plans come as the store can take
     */
    Account run(double times, long nanos) {
        inTime = 0;
        late = 0;
        long interval = (long) (checkNanos * checksOfPlan / times);
        long end = now + nanos;
        nextArrival = Math.max(nextArrival, now);
        while (now < end) {
            Sent first = underWay.peek();
            if (first != null && first.answered <= nextArrival) {
                now = first.answered;
                underWay.remove();
                waiting.learn(first.batch, now - first.sent, now);
                first.batch.fail(new StoreException("an answer as good as any"));
            } else {
                now = nextArrival;
                nextArrival += interval;
                waiting.add(new Caller(plan(), now));
            }
            send();
        }
        return new Account(inTime, late);
    }

    /** The store stands still for some time, as if somebody else had all of it. */
    void stall(long nanos) {
        storeIsFree = Math.max(storeIsFree, now) + nanos;
    }

    private Plan plan() {
        long number = plans++;
        return Plan.of(IntStream.range(0, checksOfPlan)
                .mapToObj(i -> Check.of(StoreContract.key("counter " + number + " " + i), LIMIT, 1))
                .toList());
    }

    private void send() {
        while (!waiting.isEmpty() && underWay.size() < waiting.turns(TURNS)) {
            for (Batch batch : waiting.drain(new ArrayList<>())) {
                storeIsFree = Math.max(storeIsFree, now + WAY_NANOS)
                        + BATCH_NANOS
                        + batch.checks().size() * checkNanos;
                underWay.add(new Sent(batch, now, storeIsFree + WAY_NANOS));
            }
        }
    }

    private final class Caller implements Queued {
        private final Plan plan;
        private final long came;
        private int missing;

        Caller(Plan plan, long came) {
            this.plan = plan;
            this.came = came;
            this.missing = plan.checks().size();
        }

        @Override
        public Plan plan() {
            return plan;
        }

        @Override
        public boolean isUrgent() {
            return false;
        }

        @Override
        public boolean isOver() {
            return now - came >= PATIENCE_NANOS;
        }

        @Override
        public void answered(int position, Reading reading, long at) {
            throw new AssertionError("the model's answers are failures");
        }

        @Override
        public void failed(int position, StoreException failure) {
            if (--missing > 0) {
                return;
            }
            if (isOver()) {
                late++;
            } else {
                inTime++;
            }
        }

        @Override
        public void scattered() {
            throw new AssertionError("there is one place");
        }
    }
}
