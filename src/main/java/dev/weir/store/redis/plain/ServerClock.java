package dev.weir.store.redis.plain;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;

/**
 * How the clock is asked by which Redis counts, and how long Redis keeps what is written: clock.lua without the script.
 *
 * @param command of RESP, given a key of the slot that is asked; answered as TIME is, or with microseconds since the Unix epoch
 *     as a text
 * @param lifetime given the microseconds for which a state matters, the milliseconds after which Redis may tidy it up
 */
public record ServerClock(Function<String, byte[]> command, LongUnaryOperator lifetime) {
    private static final byte[] TIME = "*1\r\n$4\r\nTIME\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final long MICROS_A_SECOND = 1_000_000;
    private static final long MICROS_A_MILLI = 1_000;
    private static final long SLACK_MILLIS = 1_000;

    /** Returns Redis's own clock. */
    public static ServerClock production() {
        return new ServerClock(_ -> TIME, micros -> Math.ceilDiv(micros, MICROS_A_MILLI) + SLACK_MILLIS);
    }

    /** Reads the reply, of which the first byte was read. */
    static long micros(byte kind, ByteBuf in) {
        if (kind == '$') {
            return text(in);
        }
        if (kind != '*' || Resp.number(in) != 2) {
            throw new NumberFormatException("no time");
        }
        var _ = in.readByte();
        long seconds = text(in);
        var _ = in.readByte();
        long micros = text(in);
        if (micros < 0 || micros >= MICROS_A_SECOND) { // Envoy's redis_proxy says those since the epoch
            throw new NumberFormatException("no microseconds of a second");
        }
        return seconds * MICROS_A_SECOND + micros;
    }

    private static long text(ByteBuf in) {
        if (Resp.number(in) < 1) {
            throw new NumberFormatException("an empty text");
        }
        return Resp.number(in);
    }
}
