package dev.weir.store.redis;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Evaluation;
import dev.weir.limit.Limit;
import dev.weir.store.Beyond;
import dev.weir.store.Check;
import dev.weir.store.Merged;
import dev.weir.store.Plan;
import dev.weir.store.Role;
import dev.weir.store.StoreException;
import dev.weir.store.redis.failure.FailureWords;
import dev.weir.store.redis.plain.ShortWay;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The two strings that go to batch.lua and come back from it; their layout is told at its head. */
final class Wire {
    private static final int PLAIN_BYTES = 8 + 8;
    private static final int FULL_BYTES = 5 + 8 + 8 + 8 + 8 + 4 + 8 + 8 + 2 + 2 + 1;
    private static final byte PLAIN = 0;
    private static final byte FULL = 1;
    private static final byte ANSWERED = 0;
    private static final byte NOT_CHARGED = 2;
    private static final long FAILED = -1;

    private Wire() {}

    /** Returns the keys of all checks: of the counter, and of its lock if it can have one. */
    static List<Object> keys(List<Merged> checks, HashTags tags) {
        var keys = new ArrayList<Object>(checks.size());
        for (Merged merged : checks) {
            byte[] key = tags.redisKey(merged.check().key());
            keys.add(key);
            if (merged.check().limit().blockSeconds() > 0) {
                keys.add(HashTags.lockKey(key));
            }
        }
        return keys;
    }

    /** Packs what the script must know of each check but its keys. */
    static byte[] pack(List<Merged> checks) {
        int plain = 0;
        for (Merged merged : checks) {
            plain += merged.isPlain() ? 1 : 0;
        }
        boolean isMixed = plain < checks.size();
        int kinds = isMixed ? checks.size() : 0;
        ByteBuffer packed = ByteBuffer.allocate(kinds + plain * PLAIN_BYTES + (checks.size() - plain) * FULL_BYTES);
        for (Merged merged : checks) {
            boolean isPlain = !isMixed || merged.isPlain();
            if (isMixed) {
                packed.put(isPlain ? PLAIN : FULL);
            }
            if (isPlain) {
                packed.putLong(merged.check().limit().quota().windowMicros());
                packed.putLong(merged.hits());
            } else {
                packFull(merged, packed);
            }
        }
        return packed.array();
    }

    /** Packs looks that give a counter of no window one, and with it an expiry; one that is gone begins, with no hits. */
    static byte[] packPlainLooks(List<Check> checks) {
        ByteBuffer packed = ByteBuffer.allocate(checks.size() * PLAIN_BYTES);
        for (Check check : checks) {
            packed.putLong(check.limit().quota().windowMicros()).putLong(0);
        }
        return packed.array();
    }

    /** Returns whether Redis could use the counter with that number of those that {@link #packPlainLooks} has packed. */
    static boolean isSeen(byte[] reply, int number) {
        return ByteBuffer.wrap(reply).getLong((number + 1) * Long.BYTES) != FAILED; // behind the instant
    }

    private static void packFull(Merged merged, ByteBuffer packed) {
        Check check = merged.check();
        Limit limit = check.limit();
        packed.put((byte) limit.algorithm().number());
        packed.put((byte) (!check.isRefund() ? 0 : check.chargedAt() == Check.NO_INSTANT ? 1 : 2));
        packed.put(numberOf(limit.charge()));
        packed.put(numberOf(check.role()));
        packed.put((byte) (limit.algorithm() instanceof Algorithm.SlidingWindow(int parts) ? parts : 1));
        packed.putLong(limit.quota().windowMicros());
        packed.putLong(limit.quota().hits());
        packed.putLong(limit.capacity());
        packed.putLong(check.hits());
        packed.putInt(merged.times());
        packed.putLong(limit.blockMicros());
        packed.putLong(Math.max(0, check.chargedAt()));
        packed.putShort((short) check.descriptor());
        Plan plan = merged.planFromHere();
        packed.putShort((short) (plan == null ? 0 : plan.checks().size()));
        packed.put(plan == null ? 0 : numberOf(plan.beyond()));
    }

    private static byte numberOf(Charge charge) {
        return switch (charge) {
            case ALWAYS -> 0;
            case ON_ADMIT -> 1;
            case DRAIN -> 2;
        };
    }

    private static byte numberOf(Role role) {
        return switch (role) {
            case ENFORCING -> 0;
            case QUOTA -> 1;
            case SHADOW -> 2;
        };
    }

    private static byte numberOf(Beyond beyond) {
        return switch (beyond) {
            case NOTHING -> 0;
            case SOME_QUOTA_PASSES -> 1;
            case REFUSED -> 2;
        };
    }

    /** Redis before 7 says where in the script it happened, and begins the error itself with a dash. */
    private static String inRedisOwnWords(String error) {
        int end = error.startsWith("@user_script") ? error.indexOf(": -") : -1;
        return error.substring(end < 0 ? 0 : end + 3).strip();
    }

    /**
     * Hands each check its part of the script's reply.
     *
     * @param shortWay learns which counters can take hits without the script
     * @param sentNanos when the call was sent
     */
    static void unpack(byte[] reply, List<Merged> checks, ShortWay shortWay, long sentNanos) {
        ByteBuffer packed = ByteBuffer.wrap(reply);
        try {
            long now = packed.getLong();
            shortWay.told(now, sentNanos, System.nanoTime());
            List<Merged> failed = List.of();
            for (Merged merged : checks) {
                boolean isAnswered =
                        merged.isPlain() ? counted(packed, merged, now, shortWay, sentNanos) : decided(packed, merged);
                if (!isAnswered) {
                    failed = failed.isEmpty() ? new ArrayList<>() : failed;
                    failed.add(merged);
                }
            }
            for (Merged merged : failed) {
                byte[] text = new byte[packed.getShort()];
                packed.get(text);
                merged.fail(StoreException.ofAnswer("Redis could not use a counter: "
                        + FailureWords.answered(inRedisOwnWords(new String(text, StandardCharsets.UTF_8)))));
            }
        } catch (BufferUnderflowException _) {
            throw StoreException.ofAnswer("Redis answered " + reply.length + " bytes, which is too little");
        }
    }

    /** The script has counted, and the model knows what that means for a counter that stood there. */
    private static boolean counted(ByteBuffer packed, Merged merged, long now, ShortWay shortWay, long sentNanos) {
        long before = packed.getLong();
        if (before == FAILED) {
            shortWay.avoid(merged.check().key(), sentNanos);
            return false;
        }
        shortWay.counted(merged.check(), merged.counted(before, now), now, sentNanos);
        return true;
    }

    private static boolean decided(ByteBuffer packed, Merged merged) {
        byte kind = packed.get();
        if (kind != ANSWERED && kind != NOT_CHARGED) {
            return false;
        }
        int admitted = packed.getInt();
        long left = packed.getLong();
        long reset = packed.getLong();
        long retry = packed.getLong();
        long slack = Integer.toUnsignedLong(packed.getInt());
        long at = packed.getLong();
        merged.answer(new Evaluation(admitted, left, reset, slack, retry, at, kind == ANSWERED));
        return true;
    }
}
