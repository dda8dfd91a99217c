package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.RedisServer;
import dev.weir.testing.RedisVersion;
import dev.weir.testing.RedisVersions;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The script's products and quotients, in doubles, are those of numbers without bounds. */
final class ScriptArithmeticIT {
    private static final long SEED = 20_261_122;
    private static final int CALLS = 25;
    private static final int TRIPLES_OF_A_CALL = 4_000;
    private static final long MAX = (1L << 53) - 1;
    private static final long MAX_DIVISOR = 1L << 49;

    /** Takes packed a, b, c; returns for each a * b / c, what is over, and the quotient rounded up. */
    private static final String LOOP = """
            local replies, position = {}, 1
            while position <= #ARGV[1] do
              local a, b, c
              a, b, c, position = struct.unpack('>I8I8I8', ARGV[1], position)
              local whole, over = share(a, b, c)
              replies[#replies + 1] = struct.pack('>I8I8I8', whole, over, share_up(a, b, c))
            end
            return table.concat(replies)
            """;

    /** Windows, limits, powers of two and of ten, and their neighbours: where digits end and rounding begins. */
    private static final long[] EDGES = LongStream.concat(
                    LongStream.of(0, MAX, 1_000_000, 3_600_000_000L, 315_360_000_000_000L, 0xFFFF_FFFFL, 700_000),
                    LongStream.concat(
                            LongStream.rangeClosed(0, 52).map(bits -> 1L << bits),
                            LongStream.iterate(10, power -> power <= MAX, power -> power * 10)))
            .flatMap(number -> LongStream.of(number - 1, number, number + 1))
            .filter(number -> number >= 0 && number <= MAX)
            .distinct()
            .toArray();

    static List<RedisVersion> versions() {
        return RedisVersions.available();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void a_share_is_exact_or_the_largest_number(RedisVersion version) {
        var random = new SplittableRandom(SEED);
        try (var redis = RedisServer.start(version)) {
            for (int call = 0; call < CALLS; call++) {
                long[] numbers = new long[TRIPLES_OF_A_CALL * 3];
                for (int i = 0; i < numbers.length; i += 3) {
                    numbers[i] = number(random, MAX);
                    numbers[i + 1] = number(random, MAX);
                    numbers[i + 2] = Math.max(1, number(random, MAX_DIVISOR));
                }
                check(numbers, ask(redis, numbers));
            }
        }
    }

    /** Of any size, for even ones would all be large. */
    private static long number(SplittableRandom random, long most) {
        return random.nextInt(3) == 0
                ? Math.min(most, EDGES[random.nextInt(EDGES.length)])
                : random.nextLong(most >>> random.nextInt(50)) + 1;
    }

    private static ByteBuffer ask(RedisServer redis, long... numbers) {
        ByteBuffer packed = ByteBuffer.allocate(numbers.length * Long.BYTES);
        packed.asLongBuffer().put(numbers);
        Object reply = redis.command(
                "EVAL", Script.part("exact.lua") + LOOP, "0", new String(packed.array(), StandardCharsets.ISO_8859_1));
        return ByteBuffer.wrap(String.valueOf(reply).getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void check(long[] numbers, ByteBuffer reply) {
        assertThat(reply.remaining()).isEqualTo(numbers.length * Long.BYTES);
        for (int i = 0; i < numbers.length; i += 3) {
            BigInteger[] exact = BigInteger.valueOf(numbers[i])
                    .multiply(BigInteger.valueOf(numbers[i + 1]))
                    .divideAndRemainder(BigInteger.valueOf(numbers[i + 2]));
            boolean isTooLarge = exact[0].compareTo(BigInteger.valueOf(MAX)) > 0;
            long whole = isTooLarge ? MAX : exact[0].longValueExact();
            long over = isTooLarge ? 0 : exact[1].longValueExact();
            String what = "%d * %d / %d, seed %d".formatted(numbers[i], numbers[i + 1], numbers[i + 2], SEED);
            assertThat(reply.getLong()).as(what).isEqualTo(whole);
            assertThat(reply.getLong()).as("what is over of " + what).isEqualTo(over);
            assertThat(reply.getLong()).as("rounded up, " + what).isEqualTo(over == 0 ? whole : whole + 1);
        }
    }
}
