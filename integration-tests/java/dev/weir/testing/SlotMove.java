package dev.weir.testing;

import java.util.List;
import java.util.stream.Stream;

/** A slot of a {@link RedisCluster} on its way from one node to another, step by step. */
public final class SlotMove {
    private static final int KEYS_AT_ONCE = 100;
    private static final String WITHIN_MILLIS = "5000";

    private final int slot;
    private final RedisServer from;
    private final RedisServer to;
    private final Runnable settle;

    SlotMove(int slot, RedisServer from, RedisServer to, Runnable settle) {
        this.slot = slot;
        this.from = from;
        this.to = to;
        this.settle = settle;
    }

    /** Moves keys until {@code most} have gone or none is left; keys that come to life meanwhile do so at the new node. */
    public void moveKeys(int most) {
        int left = most;
        while (left > 0) {
            List<String> keys = keysAtSource(Math.min(left, KEYS_AT_ONCE));
            if (keys.isEmpty()) {
                return;
            }
            moveKeys(keys);
            left -= keys.size();
        }
    }

    /** Moves these keys. */
    public void moveKeys(List<String> keys) {
        var words = Stream.of("MIGRATE", to.host(), Integer.toString(to.namedPort()), "", "0", WITHIN_MILLIS, "KEYS");
        from.command(Stream.concat(words, keys.stream()).toArray(String[]::new));
    }

    /** Returns keys of the slot that have not gone yet, {@code most} of them at most. */
    public List<String> keysAtSource(int most) {
        String[] words = {"CLUSTER", "GETKEYSINSLOT", Integer.toString(slot), Integer.toString(most)};
        if (from.command(words) instanceof List<?> keys) {
            return keys.stream().map(String::valueOf).toList();
        }
        throw new AssertionError("Redis lists no keys of slot " + slot);
    }

    /** Tells both nodes that the slot belongs to the new one; no key may be left at the old one. */
    public void finish() {
        settle.run();
    }
}
