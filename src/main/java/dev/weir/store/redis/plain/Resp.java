package dev.weir.store.redis.plain;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** What of Redis's protocol (RESP 2) plain calls need: lines that are whole when they are read. */
final class Resp {
    private static final byte[] INCRBY = "*3\r\n$6\r\nINCRBY\r\n$".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SET = "*6\r\n$3\r\nSET\r\n$".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BY_ONE = "\r\n$1\r\n1\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte END = '\n';
    private static final int RADIX = 10;

    private Resp() {}

    /** Writes a SET that begins a counter which does not exist, and does nothing to one that does. */
    static void begin(ByteBuf out, byte[] key, long state, long lifeMillis) {
        out.writeBytes(SET);
        key(out, key);
        String value = Long.toString(state);
        String life = Long.toString(lifeMillis);
        out.writeCharSequence(
                "\r\n$" + value.length() + "\r\n" + value + "\r\n$2\r\nNX\r\n$2\r\nPX\r\n$" + life.length() + "\r\n"
                        + life + "\r\n",
                StandardCharsets.US_ASCII);
    }

    private static void key(ByteBuf out, byte[] key) {
        decimal(out, key.length);
        out.writeByte('\r').writeByte('\n').writeBytes(key);
    }

    /** Returns about how many bytes {@link #increment} writes. */
    static int sizeOf(byte[] key) {
        return INCRBY.length + key.length + 2 * BY_ONE.length;
    }

    /** Writes an INCRBY. */
    static void increment(ByteBuf out, byte[] key, long by) {
        out.writeBytes(INCRBY);
        key(out, key);
        if (by == 1) { // most ask for one
            out.writeBytes(BY_ONE);
            return;
        }
        String number = Long.toString(by);
        out.writeCharSequence("\r\n$" + number.length() + "\r\n" + number + "\r\n", StandardCharsets.US_ASCII);
    }

    private static void decimal(ByteBuf out, int number) {
        if (number >= RADIX) {
            decimal(out, number / RADIX);
        }
        out.writeByte('0' + number % RADIX);
    }

    /**
     * Reads a number and the end of its line.
     *
     * @throws NumberFormatException if there is something else
     */
    static long number(ByteBuf in) {
        byte next = in.readByte();
        boolean isNegative = next == '-';
        if (isNegative) {
            next = in.readByte();
        }
        long number = 0;
        for (; next != '\r'; next = in.readByte()) {
            if (next < '0' || next > '9') {
                throw new NumberFormatException("no digit: " + next);
            }
            number = RADIX * number + (next - '0');
        }
        var _ = in.readByte();
        return isNegative ? -number : number;
    }

    /** Reads a text and the end of its line. */
    static String line(ByteBuf in) {
        int length = in.bytesBefore(END) - 1;
        String text = in.toString(in.readerIndex(), length, StandardCharsets.UTF_8);
        in.skipBytes(length + 2);
        return text;
    }
}
