package dev.weir.decide.key;

import dev.weir.store.CounterKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Reads counter keys for people; {@link KeyWriter} says how they are written. */
public final class KeyReader {
    private KeyReader() {}

    /**
     * What a key says.
     *
     * @param domain the domain
     * @param entries the descriptor's entries, {@code key=value} each
     * @param algorithm the number of the algorithm
     * @param windowSeconds the window
     * @param windowParts how many parts the window has, mostly 1
     */
    public record Parts(String domain, List<String> entries, int algorithm, long windowSeconds, int windowParts) {}

    /** Returns what the key says. */
    public static Parts read(CounterKey key) {
        var bytes = ByteBuffer.wrap(key.bytes());
        String domain = text(bytes);
        List<String> entries = new ArrayList<>();
        // Behind an entry, which has six bytes at least, there is the tail.
        while (bytes.remaining() > KeyWriter.LONGEST_TAIL) {
            entries.add(text(bytes) + "=" + text(bytes));
        }
        int algorithm = bytes.get();
        long windowSeconds = Integer.toUnsignedLong(bytes.getInt());
        int windowParts = bytes.hasRemaining() ? bytes.get() : 1;
        return new Parts(domain, List.copyOf(entries), algorithm, windowSeconds, windowParts);
    }

    private static String text(ByteBuffer bytes) {
        byte kind = bytes.get();
        var text = new byte[Short.toUnsignedInt(bytes.getShort())];
        bytes.get(text);
        return switch (kind) {
            case KeyWriter.HASHED -> "(hash " + HexFormat.of().formatHex(text) + " of a long text)";
            case KeyWriter.SHARED -> new String(text, StandardCharsets.UTF_8) + " (one counter for all that fit)";
            default -> new String(text, StandardCharsets.UTF_8);
        };
    }
}
