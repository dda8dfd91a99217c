package dev.weir.decide;

import dev.weir.store.CounterKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Reads counter keys for people; {@link KeyWriter} says how they are written. */
public final class KeyReader {
    private static final int TAIL = 5;

    private KeyReader() {}

    /**
     * What a key says.
     *
     * @param domain the domain
     * @param entries the descriptor's entries, {@code key=value} each
     * @param algorithm the number of the algorithm
     * @param windowSeconds the window
     */
    public record Parts(String domain, List<String> entries, int algorithm, long windowSeconds) {}

    /** Returns what the key says. */
    public static Parts read(CounterKey key) {
        var bytes = ByteBuffer.wrap(key.bytes());
        String domain = text(bytes);
        List<String> entries = new ArrayList<>();
        while (bytes.remaining() > TAIL) {
            entries.add(text(bytes) + "=" + text(bytes));
        }
        return new Parts(domain, List.copyOf(entries), bytes.get(), Integer.toUnsignedLong(bytes.getInt()));
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
