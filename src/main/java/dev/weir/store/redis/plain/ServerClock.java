package dev.weir.store.redis.plain;

import java.util.List;
import java.util.function.Function;
import org.redisson.client.handler.State;
import org.redisson.client.protocol.RedisCommand;
import org.redisson.client.protocol.RedisStrictCommand;
import org.redisson.client.protocol.decoder.MultiDecoder;

/**
 * How the clock is asked by which Redis counts.
 *
 * @param command answers microseconds since the Unix epoch
 * @param parameters of the command, given a key of the slot that is asked
 */
public record ServerClock(RedisCommand<Long> command, Function<String, Object[]> parameters) {
    private static final long MICROS_A_SECOND = 1_000_000;
    private static final Object[] NONE = {};

    /** Returns Redis's own clock. */
    public static ServerClock production() {
        return new ServerClock(new RedisStrictCommand<>("TIME", new SecondsAndMicros()), _ -> NONE);
    }

    private static final class SecondsAndMicros implements MultiDecoder<Long> {
        @Override
        public Long decode(List<Object> parts, State state) {
            return Long.parseLong(parts.get(0).toString()) * MICROS_A_SECOND
                    + Long.parseLong(parts.get(1).toString());
        }
    }
}
