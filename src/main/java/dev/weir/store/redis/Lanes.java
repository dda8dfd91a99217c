package dev.weir.store.redis;

import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A queue of its own for each hash tag of a cluster. A node that is slow or gone then holds up the plans of its own
 * counters only; in one queue its batches would soon take all turns.
 */
final class Lanes {
    private final HashTags tags;
    private final Dispatcher[] byTag;

    /**
     * Creates the lanes.
     *
     * @param dispatcher makes one for a tag
     */
    Lanes(HashTags tags, Supplier<Dispatcher> dispatcher) {
        this.tags = tags;
        this.byTag = Stream.generate(dispatcher).limit(tags.count()).toArray(Dispatcher[]::new);
    }

    /** Queues a plan, in parts where its counters are in several tags. */
    CompletableFuture<List<Reading>> decide(Plan plan) {
        List<Check> checks = plan.checks();
        int first = tags.tagOf(checks.getFirst().key());
        for (int i = 1; i < checks.size(); i++) {
            if (tags.tagOf(checks.get(i).key()) != first) {
                return decideInParts(checks);
            }
        }
        return submit(first, plan);
    }

    private CompletableFuture<List<Reading>> submit(int tag, Plan plan) {
        var pending = new PendingPlan(plan);
        byTag[tag].submit(pending);
        return pending.answer();
    }

    private CompletableFuture<List<Reading>> decideInParts(List<Check> checks) {
        var parts = new @Nullable Part[byTag.length];
        var whole = new Whole(checks.size());
        for (int i = 0; i < checks.size(); i++) {
            int tag = tags.tagOf(checks.get(i).key());
            Part part = parts[tag];
            if (part == null) {
                part = new Part();
                parts[tag] = part;
            }
            part.checks.add(checks.get(i));
            part.positions.add(i);
        }
        for (int tag = 0; tag < parts.length; tag++) {
            Part part = parts[tag];
            if (part != null) {
                whole.await(submit(tag, Plan.of(part.checks)), part.positions);
            }
        }
        return whole.answer;
    }

    /** The checks of one tag, and where they stand in the plan. */
    private static final class Part {
        private final List<Check> checks = new ArrayList<>();
        private final List<Integer> positions = new ArrayList<>();
    }

    /** Puts the readings of the parts back into the plan's order; the first failure is that of the plan. */
    private static final class Whole {
        private final CompletableFuture<List<Reading>> answer = new CompletableFuture<>();
        private final Reading[] readings;
        // Orders the writes to readings, made on different threads, before the read by whoever counts down to zero.
        private final AtomicInteger missing;

        Whole(int size) {
            readings = new Reading[size];
            missing = new AtomicInteger(size);
        }

        void await(CompletableFuture<List<Reading>> part, List<Integer> positions) {
            var _ = part.whenComplete((partReadings, failure) -> {
                if (failure != null) {
                    answer.completeExceptionally(failure);
                    return;
                }
                for (int i = 0; i < positions.size(); i++) {
                    readings[positions.get(i)] = partReadings.get(i);
                }
                if (missing.addAndGet(-positions.size()) == 0) {
                    answer.complete(Arrays.asList(readings));
                }
            });
            // Nobody waits for a part any more when the plan has failed or its caller has gone: it shall not be sent
            // then.
            var _ = answer.whenComplete((_, _) -> part.cancel(false));
        }
    }
}
