package dev.weir.store;

import dev.weir.limit.Limit;
import java.nio.ByteBuffer;
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
 * @param replicas how many share each limit, this one included; 0 while nobody knows
 */
public record OwnShare(Store counters, IntSupplier replicas) {

    /**
     * What its own counters have decided.
     *
     * @param limits of each check this replica's part
     * @param readings one for each check
     */
    public record Decided(List<Limit> limits, List<Reading> readings) {}

    /** Returns whether anybody knows how large the parts are. */
    public boolean isKnown() {
        return replicas.getAsInt() > 0;
    }

    /**
     * Decides checks by its own counters, each with this replica's part of its limit.
     *
     * @return null if they cannot say it: nobody knows how large the part is, or there is no room
     */
    public @Nullable Decided decide(List<Check> checks, Beyond beyond) {
        int sharing = replicas.getAsInt();
        if (sharing < 1) {
            return null;
        }
        var limits = new ArrayList<Limit>(checks.size());
        var parts = new ArrayList<Check>(checks.size());
        for (Check check : checks) {
            Limit part = check.limit().share(sharing);
            limits.add(part);
            parts.add(check.on(keyOf(check, part), part));
        }
        CompletableFuture<List<Reading>> answer =
                counters.decide(new Plan(parts, beyond)).toCompletableFuture();
        return answer.isDone() && !answer.isCompletedExceptionally() ? new Decided(limits, answer.join()) : null;
    }

    /** A key says which window its counter is of, and a part may have another. */
    private static CounterKey keyOf(Check check, Limit part) {
        long windowSeconds = part.quota().windowSeconds();
        if (windowSeconds == check.limit().quota().windowSeconds()) {
            return check.key();
        }
        byte[] whole = check.key().bytes();
        byte[] bytes = ByteBuffer.allocate(whole.length + Long.BYTES)
                .put(whole)
                .putLong(windowSeconds)
                .array();
        return new CounterKey(bytes, bytes.length);
    }
}
