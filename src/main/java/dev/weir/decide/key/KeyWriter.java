package dev.weir.decide.key;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Limit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.rules.Rule;
import dev.weir.store.CounterKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes counter keys, in which no value can pretend to be structure.
 *
 * <pre>
 *     key  = text of the domain, two texts for each entry, algorithm (1 byte), window in seconds (4 bytes),
 *            for a window in several parts their number (1 byte)
 *     text = kind (1 byte), length (2 bytes), that many bytes
 *     kind = 0 the text itself, 1 a pattern that its values share, 2 a hash of a text beyond 256 bytes
 * </pre>
 *
 * <p>Every text says its length before it says anything else, and the algorithm how long the tail is, so two keys are
 * equal only if all their parts are; {@link KeyReader} reads them back. Texts beyond 256 bytes stand there as the first
 * 128 bits of their SHA-256, for which nobody can find a second text: callers choose values. The limit is not part of the
 * key: rules change, counts go on.
 */
public final class KeyWriter {
    static final int LONGEST_TEXT = 256;
    static final int LONGEST_TAIL = 6;

    static final byte EXACT = 0;
    static final byte SHARED = 1;
    static final byte HASHED = 2;

    private static final int HASH_BYTES = 16;
    private static final int TEXT_HEAD = 3;

    private byte[] bytes;
    private int length;

    private KeyWriter(byte[] bytes, int length) {
        this.bytes = bytes;
        this.length = length;
    }

    /**
     * Returns the key of the counter for a descriptor under a limit.
     *
     * @param rule whose shared patterns stand for their values; null for a limit that the caller sent along
     * @param isAtomic whether all counters of the domain live in one place
     */
    public static CounterKey write(
            String domain, Descriptor descriptor, @Nullable Rule rule, Limit limit, boolean isAtomic) {
        List<Entry> entries = descriptor.entries();
        var writer = new KeyWriter(new byte[likelySize(domain, entries, limit)], 0);
        writer.text(EXACT, domain);
        int domainLength = writer.length;
        for (int level = 0; level < entries.size(); level++) {
            Entry entry = entries.get(level);
            writer.text(EXACT, entry.key());
            String pattern = rule == null ? null : rule.sharedPattern(level, entry.value());
            if (pattern == null) {
                writer.text(EXACT, entry.value());
            } else {
                writer.text(SHARED, pattern);
            }
        }
        int identity = isAtomic ? domainLength : writer.length;
        writer.tail(limit);
        return new CounterKey(writer.written(), identity);
    }

    /**
     * Returns the key of the counter for the same descriptor under another limit. All but its tail is there already.
     *
     * @param key of the counter under {@code its}
     */
    public static CounterKey beside(CounterKey key, Limit its, Limit limit, boolean isAtomic) {
        byte[] written = key.bytes();
        int head = written.length - tailSize(its);
        var writer = new KeyWriter(Arrays.copyOf(written, head + tailSize(limit)), head);
        writer.tail(limit);
        return new CounterKey(writer.bytes, isAtomic ? firstTextLength(written) : head);
    }

    private static int firstTextLength(byte[] written) {
        return TEXT_HEAD + (Byte.toUnsignedInt(written[1]) << 8 | Byte.toUnsignedInt(written[2]));
    }

    /** Returns the size of the key of most descriptors: of those whose texts are short ASCII, with no shared pattern. */
    private static int likelySize(String domain, List<Entry> entries, Limit limit) {
        int size = TEXT_HEAD + likelySize(domain) + tailSize(limit);
        for (int i = 0; i < entries.size(); i++) { // indexed: an iterator for each key would be garbage
            Entry entry = entries.get(i);
            size += 2 * TEXT_HEAD + likelySize(entry.key()) + likelySize(entry.value());
        }
        return size;
    }

    private static int likelySize(String text) {
        return Math.min(LONGEST_TEXT, text.length());
    }

    private byte[] written() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }

    private void text(byte kind, String text) {
        int size = text.length();
        // Most texts are short ASCII and need no encoder: each character is its byte.
        if (size <= LONGEST_TEXT) {
            reserve(TEXT_HEAD + size);
            int start = length + TEXT_HEAD;
            int i = 0;
            while (i < size && text.charAt(i) < 0x80) {
                bytes[start + i] = (byte) text.charAt(i);
                i++;
            }
            if (i == size) {
                head(kind, size);
                length += size;
                return;
            }
        }
        encoded(kind, hasHalves(text) ? units(text) : text.getBytes(StandardCharsets.UTF_8));
    }

    /** Half of a surrogate pair has no UTF-8, and Java would write a question mark. No caller over the wire can send one. */
    private static boolean hasHalves(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                boolean isPair = i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
                if (!isPair) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    /** Returns each char as the three bytes that UTF-8 has for its number, or would have: no text without halves has them all. */
    private static byte[] units(String text) {
        var units = new byte[3 * text.length()];
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            units[3 * i] = (byte) (0xE0 | (unit >> 12));
            units[3 * i + 1] = (byte) (0x80 | (unit >> 6 & 0x3F));
            units[3 * i + 2] = (byte) (0x80 | (unit & 0x3F));
        }
        return units;
    }

    private void encoded(byte kind, byte[] text) {
        if (text.length <= LONGEST_TEXT) {
            append(kind, text, text.length);
        } else {
            append(HASHED, sha256(kind, text), HASH_BYTES);
        }
    }

    private void append(byte kind, byte[] text, int size) {
        reserve(TEXT_HEAD + size);
        head(kind, size);
        System.arraycopy(text, 0, bytes, length, size);
        length += size;
    }

    private void head(byte kind, int size) {
        bytes[length++] = kind;
        bytes[length++] = (byte) (size >>> 8);
        bytes[length++] = (byte) size;
    }

    private void tail(Limit limit) {
        reserve(tailSize(limit));
        bytes[length++] = (byte) limit.algorithm().number();
        long seconds = limit.quota().windowSeconds();
        for (int shift = 24; shift >= 0; shift -= 8) {
            bytes[length++] = (byte) (seconds >>> shift);
        }
        int parts = parts(limit);
        if (parts > 1) {
            bytes[length++] = (byte) parts;
        }
    }

    private static int tailSize(Limit limit) {
        return parts(limit) > 1 ? LONGEST_TAIL : LONGEST_TAIL - 1;
    }

    private static int parts(Limit limit) {
        return limit.algorithm() instanceof Algorithm.SlidingWindow(int parts) ? parts : 1;
    }

    private void reserve(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }

    /** The kind goes into the hash too: a long shared pattern and the same long text are different counters. */
    private static byte[] sha256(byte kind, byte[] text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(kind);
            return digest.digest(text);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
