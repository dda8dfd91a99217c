package dev.weir.store;

import dev.weir.limit.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What this replica may admit by itself while the counters that all replicas share cannot be asked: of each limit an equal part,
 * held by counters of its own.
 *
 * @param counters answer at once
 * @param replicas how many share each limit, this one included
 */
public record OwnShare(Store counters, IntSupplier replicas) {

    /** Returns this replica's part of a limit. */
    public Limit of(Limit limit) {
        return limit.share(replicas.getAsInt());
    }

    /**
     * Decides checks by its own counters, each with this replica's part of its limit.
     *
     * @return a reading for each check, or null if its counters cannot say it: they have no room
     */
    public @Nullable List<Reading> decide(List<Check> checks, Beyond beyond) {
        var parts = new ArrayList<Check>(checks.size());
        for (Check check : checks) {
            parts.add(check.under(of(check.limit())));
        }
        CompletableFuture<List<Reading>> answer =
                counters.decide(new Plan(parts, beyond)).toCompletableFuture();
        return answer.isDone() && !answer.isCompletedExceptionally() ? answer.join() : null;
    }
}
