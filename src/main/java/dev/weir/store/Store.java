package dev.weir.store;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Keeps counters and decides plans on them. Called from event loops: no method blocks, but {@link #close}. */
public interface Store extends AutoCloseable {

    /**
     * Decides a plan in one step and counts it. Whoever does not wait any more cancels what is returned; what was not sent by then
     * is not counted.
     *
     * @return a reading for each check, in the plan's order; or a {@link StoreException}, and then it is unknown what
     *     was counted beside what it {@link StoreException#readings tells} of, unless it {@link StoreException#isUnasked says} that nothing was; or a
     *     {@link StoreBusyException}, and then nothing was
     */
    CompletionStage<List<Reading>> decide(Plan plan);

    /**
     * Forgets the check's counter, and the lock on it: who hits it next is the first. Other replicas may remember for up to a
     * second that it refuses.
     *
     * @return whether there was one; or a {@link StoreException}: if the store was asked and has not answered, it is unknown whether it
     *     is forgotten
     */
    CompletionStage<Boolean> forget(Check check);

    /** Returns how many parts there are of which one can be lost while the others answer. */
    default int parts() {
        return 1;
    }

    /** Returns the part in which the check's counter lives, from 0. */
    default int partOf(Check check) {
        return 0;
    }

    /**
     * Returns whether anything was heard of a part since then, an answer that came too late for its plan included.
     *
     * @param nanos by {@link System#nanoTime}
     */
    default boolean hasAnsweredSince(int part, long nanos) {
        return false;
    }

    /**
     * Returns why the check's counter should not be asked together with those of other parts at this moment: it lives in a part that
     * is silent, or decides nothing in time, and would hold them up; null if it may be.
     */
    default @Nullable StoreException silenceOf(Check check) {
        return null;
    }

    /** Asks parts that decide nothing whether they do so again, if it is time to, by a plan for whose answer nobody waits. */
    default void knock(Plan plan) {}

    /** Returns a stage that completes, once, when the store has answered for the first time. */
    CompletionStage<Void> firstReached();

    /** Returns whether the store can be expected to answer at this moment. */
    boolean isReachable();

    @Override
    void close();

    /** A store in front of another one: what it does not do itself, that one does. */
    abstract class Layer implements Store {
        /** The other one. */
        protected final Store next;

        /** Stands in front of a store. */
        protected Layer(Store next) {
            this.next = next;
        }

        @Override
        public CompletionStage<Boolean> forget(Check check) {
            return next.forget(check);
        }

        @Override
        public int parts() {
            return next.parts();
        }

        @Override
        public int partOf(Check check) {
            return next.partOf(check);
        }

        @Override
        public boolean hasAnsweredSince(int part, long nanos) {
            return next.hasAnsweredSince(part, nanos);
        }

        @Override
        public @Nullable StoreException silenceOf(Check check) {
            return next.silenceOf(check);
        }

        @Override
        public void knock(Plan plan) {
            next.knock(plan);
        }

        @Override
        public CompletionStage<Void> firstReached() {
            return next.firstReached();
        }

        @Override
        public boolean isReachable() {
            return next.isReachable();
        }

        @Override
        public void close() {
            next.close();
        }
    }
}
