package dev.weir.store.redis;

import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Merged;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The hash tags over which counters are spread, and the keys that they make.
 *
 * <p>A Redis Cluster places a key by CRC16 of what stands between the first braces. A few fixed tags, their slots spread
 * evenly, let one script call serve many counters and still use every node. Keys carry their tag in every topology, so
 * that a move to a cluster keeps the counters.
 */
public final class HashTags {
    private static final int SLOTS = 16_384;
    private static final int RADIX = 36;
    private static final byte LOCK = 'L';

    private final byte[][] prefixes;
    private final String[] tags;

    /**
     * Creates the tags.
     *
     * @param keyPrefix before every tag; without braces
     * @param count how many tags, a power of two
     */
    public HashTags(String keyPrefix, int count) {
        tags = tagsFor(count);
        prefixes = new byte[count][];
        for (int i = 0; i < count; i++) {
            prefixes[i] = (keyPrefix + tags[i]).getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Returns the number of the counter's tag. */
    int tagOf(CounterKey key) {
        return key.place() & (prefixes.length - 1);
    }

    /** Returns the number of the tag of the check's counter. */
    int tagOf(Check check) {
        return tagOf(check.key());
    }

    /**
     * Returns the first key in a tag.
     *
     * @param keys by their numbers from 0, of which some are in each tag
     */
    CounterKey firstIn(int tag, IntFunction<CounterKey> keys) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(keys)
                .filter(key -> tagOf(key) == tag)
                .findFirst()
                .orElseThrow();
    }

    /** Returns whether the counters of all these checks, of which there is at least one, have the same tag. */
    boolean areTogether(List<Merged> checks) {
        int first = tagOf(checks.getFirst().check());
        int i = 1;
        while (i < checks.size() && tagOf(checks.get(i).check()) == first) {
            i++;
        }
        return i == checks.size();
    }

    /** Returns how many tags there are. */
    int count() {
        return prefixes.length;
    }

    /** Returns the tag in its braces: a key of the slot that all counters of the tag live in. */
    String tag(int number) {
        return tags[number];
    }

    /** Returns all tags in their braces, by their numbers. */
    String[] all() {
        return tags.clone();
    }

    /** Returns the key under which Redis keeps the counter. */
    public byte[] redisKey(CounterKey key) {
        byte[] prefix = prefixes[tagOf(key)];
        byte[] bytes = key.bytes();
        byte[] whole = new byte[prefix.length + bytes.length];
        System.arraycopy(prefix, 0, whole, 0, prefix.length);
        System.arraycopy(bytes, 0, whole, prefix.length, bytes.length);
        return whole;
    }

    /** Returns the key under which Redis keeps the counter's lock: no counter's own, for those say how long they are. */
    public static byte[] lockKey(byte[] redisKey) {
        byte[] whole = Arrays.copyOf(redisKey, redisKey.length + 1);
        whole[redisKey.length] = LOCK;
        return whole;
    }

    /** The first short texts whose slots lie in the middle of each of {@code count} equal parts of the cluster. */
    private static String[] tagsFor(int count) {
        int part = SLOTS / count;
        String[] found = new String[count];
        int missing = count;
        for (int i = 0; missing > 0; i++) {
            String text = Integer.toString(i, RADIX);
            int slot = crc16(text.getBytes(StandardCharsets.US_ASCII)) % SLOTS;
            if (slot % part == part / 2 && found[slot / part] == null) {
                found[slot / part] = "{" + text + "}";
                missing--;
            }
        }
        return found;
    }

    /** CRC-16/XMODEM, as the Redis Cluster specification asks for. */
    static int crc16(byte[] bytes) {
        int crc = 0;
        for (byte b : bytes) {
            crc ^= (b & 0xFF) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ 0x1021;
            }
        }
        return crc & 0xFFFF;
    }
}
