package dev.weir.store.redis;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Evaluation;
import dev.weir.limit.Quota;
import dev.weir.store.Check;
import dev.weir.store.Merged;
import dev.weir.store.StoreException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The two strings that go to plan.lua and come back from it; their layout is told at its head. */
final class Wire {
    private static final int CHECK_BYTES = 1 + 1 + 8 + 8 + 8 + 4;
    private static final byte REFUND = 1;
    private static final byte ANSWERED = 0;

    private Wire() {}

    /** Packs what the script must know of each check but its key. */
    static byte[] pack(List<Merged> checks) {
        ByteBuffer packed = ByteBuffer.allocate(checks.size() * CHECK_BYTES);
        for (Merged merged : checks) {
            Check check = merged.check();
            Quota quota = check.limit().quota();
            Algorithm algorithm = check.limit().algorithm();
            packed.put((byte) algorithm.number());
            packed.put(check.isRefund() ? REFUND : 0);
            packed.putLong(quota.windowMicros());
            packed.putLong(quota.hits());
            packed.putLong(check.hits());
            packed.putInt(merged.times());
        }
        return packed.array();
    }

    /** Redis before 7 says where in the script it happened, and begins the error itself with a dash. */
    private static String inRedisOwnWords(String error) {
        int end = error.startsWith("@user_script") ? error.indexOf(": -") : -1;
        return error.substring(end < 0 ? 0 : end + 3).strip();
    }

    /** Hands each check its part of the script's reply. */
    static void unpack(byte[] reply, List<Merged> checks) {
        ByteBuffer packed = ByteBuffer.wrap(reply);
        try {
            for (Merged merged : checks) {
                if (packed.get() == ANSWERED) {
                    merged.answered(
                            new Evaluation(packed.getInt(), packed.getLong(), packed.getLong(), packed.getLong(), 0));
                } else {
                    byte[] text = new byte[packed.getShort()];
                    packed.get(text);
                    merged.failed(new StoreException("Redis could not use a counter: "
                            + inRedisOwnWords(new String(text, StandardCharsets.UTF_8))));
                }
            }
        } catch (BufferUnderflowException e) {
            throw new StoreException("Redis answered " + reply.length + " bytes, which is too little", e);
        }
    }
}
