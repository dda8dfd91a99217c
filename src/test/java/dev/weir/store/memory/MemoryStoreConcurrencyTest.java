package dev.weir.store.memory;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.StoreContract;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Threads that race for two counters get the answers of some order in which they came one by one, and no other.
 *
 * <p>First of all tests: Lincheck rewrites every class that is loaded, and later there are so many that it takes minutes.
 */
@Order(1)
public final class MemoryStoreConcurrencyTest {

    @Test
    void interleaved_calls_are_some_order_of_them() {
        interleavings(3).sequentialSpecification(OneByOne.class).check(Racing.class);
    }

    @Test
    void plans_that_name_the_same_counters_in_another_order_never_wait_for_each_other_in_a_ring() {
        interleavings(2).sequentialSpecification(OneByOne.class).check(Crossing.class);
    }

    /** What reads no shared memory, or only under the locks in question, is one step: then the locks are what is explored. */
    private static ModelCheckingOptions interleavings(int iterations) {
        return new ModelCheckingOptions()
                .iterations(iterations)
                .invocationsPerIteration(40)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .minimizeFailedScenario(false)
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(name -> name.equals(Trial.class.getName())
                                || name.equals(StoreContract.class.getName())
                                || name.startsWith(Limit.class.getPackageName() + "."))
                        .allMethods()
                        .treatAsAtomic());
    }

    @Test
    void three_threads_under_load_are_some_order_of_their_calls() {
        new StressOptions()
                .iterations(6)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsPerThread(3)
                .minimizeFailedScenario(false)
                .sequentialSpecification(OneByOne.class)
                .check(Racing.class);
    }

    /** The store under test. Two counters of four hits; time stands still. */
    @Param(name = "counter", gen = IntGen.class, conf = "0:1")
    @Param(name = "hits", gen = IntGen.class, conf = "1:3")
    public static final class Racing {
        private static final Limit FOUR = new Limit(
                Quota.per(Unit.MINUTE, OneByOne.LIMIT), new Algorithm.TokenBucket(OneByOne.LIMIT), Charge.ON_ADMIT, 0);

        private final MemoryStore store = new MemoryStore(() -> StoreContract.NOON_MICROS, 2, 1_000_000);

        @Operation
        public String hit(@Param(name = "counter") int counter, @Param(name = "hits") int hits) {
            return decide(Check.of(StoreContract.key("counter" + counter), FOUR, hits));
        }

        @Operation
        public String look(@Param(name = "counter") int counter) {
            return decide(Check.of(StoreContract.key("counter" + counter), FOUR, 0));
        }

        @Operation
        public String refund(@Param(name = "counter") int counter, @Param(name = "hits") int hits) {
            return decide(Check.refund(StoreContract.key("counter" + counter), FOUR, hits));
        }

        /** All or nothing, and in an order of counters that is not that of their locks. */
        @Operation
        public String both(@Param(name = "counter") int first, @Param(name = "hits") int hits) {
            return decide(
                    Check.of(StoreContract.key("counter" + first), FOUR, hits),
                    Check.of(StoreContract.key("counter" + (1 - first)), FOUR, 2));
        }

        private String decide(Check... checks) {
            var readings =
                    store.decide(Plan.of(List.of(checks))).toCompletableFuture().join();
            var text = new StringBuilder();
            readings.forEach(reading -> text.append(reading.isAdmitted() ? "in " : "out ")
                    .append(reading.remaining())
                    .append(' '));
            return text.toString();
        }
    }

    /** Only plans over both counters. */
    @Param(name = "first", gen = IntGen.class, conf = "0:1")
    public static final class Crossing {
        private final Racing racing = new Racing();

        @Operation
        public String both(@Param(name = "first") int first) {
            return racing.both(first, 1);
        }
    }

    /** The same, without locks, models or plans: what one thread would see. */
    public static final class OneByOne {
        static final int LIMIT = 4;

        private final int[] counts = new int[2];

        public String hit(int counter, int hits) {
            if (counts[counter] + hits > LIMIT) {
                return "out 0 ";
            }
            counts[counter] += hits;
            return in(counter);
        }

        public String look(int counter) {
            return in(counter);
        }

        public String refund(int counter, int hits) {
            counts[counter] = Math.max(0, counts[counter] - hits);
            return in(counter);
        }

        public String both(int first) {
            return both(first, 1);
        }

        public String both(int first, int hits) {
            int[] before = counts.clone();
            String[] told = {hit(first, hits), hit(1 - first, 2)};
            if (told[0].startsWith("out") || told[1].startsWith("out")) {
                System.arraycopy(before, 0, counts, 0, before.length);
                for (int i = 0; i < told.length; i++) {
                    told[i] = told[i].startsWith("in") ? in(i == 0 ? first : 1 - first) : told[i];
                }
            }
            return told[0] + told[1];
        }

        private String in(int counter) {
            return "in " + (LIMIT - counts[counter]) + " ";
        }
    }
}
