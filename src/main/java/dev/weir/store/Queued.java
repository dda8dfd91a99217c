package dev.weir.store;

import java.util.List;

/** What waits to be sent: a plan whose checks go together, or one check of a plan. */
public interface Queued extends Batch.Receiver {
    /** Returns the checks to send. */
    Plan plan();

    /** Returns whether nobody goes before it who came later. */
    boolean isUrgent();

    /**
     * One check of a plan, by itself.
     *
     * @param whole gets its answer
     * @param position of the check in the whole plan
     * @param isOwed whether it must be sent though nobody waits any more
     */
    record Part(Batch.Receiver whole, int position, Plan plan, boolean isOwed) implements Queued {
        /** Returns a check that goes by itself. */
        public static Part of(Check check, Batch.Receiver whole, int position, boolean isOwed) {
            return new Part(whole, position, Plan.of(List.of(check)), isOwed);
        }

        @Override
        public boolean isUrgent() {
            return isOwed;
        }

        @Override
        public boolean isOver() {
            return !isOwed && whole.isOver();
        }

        @Override
        public void answered(int alone, Reading reading, long at) {
            whole.answered(position, reading, at);
        }

        @Override
        public void failed(int alone, StoreException failure) {
            whole.failed(position, failure);
        }

        @Override
        public void scattered() {
            throw new IllegalStateException("one check is always in one place");
        }
    }
}
