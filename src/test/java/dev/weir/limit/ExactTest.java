package dev.weir.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shared arithmetic against numbers of any size. */
final class ExactTest {
    private static final BigInteger MAX = BigInteger.valueOf(Exact.MAX);
    private static final long LARGEST_DIVISOR = 1L << 49;

    @Test
    void agrees_on_every_edge() {
        var edges = edges(Exact.MAX);
        for (long a : edges) {
            for (long b : edges) {
                for (long c : edges(LARGEST_DIVISOR)) {
                    if (c > 0) {
                        agrees(a, b, c, "edges");
                    }
                }
            }
        }
    }

    /** 0, 1, the powers of two and their neighbours, what the digits of the long division are made of, and the largest. */
    private static List<Long> edges(long most) {
        var edges = new ArrayList<>(List.of(0L, 3L, 8_190L, 700_000L, Quota.MAX_HITS, 86_400_000_000L));
        for (int bit = 0; bit <= 53; bit++) {
            for (long near = -1; near <= 1; near++) {
                edges.add((1L << bit) + near);
            }
        }
        return edges.stream().filter(edge -> edge <= most).distinct().toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void agrees_on_numbers_of_any_length(long seed) {
        var random = new SplittableRandom(seed);
        for (int step = 0; step < 100_000; step++) {
            long a = random.nextLong(2L << random.nextInt(53)) & Exact.MAX;
            long b = random.nextLong(2L << random.nextInt(53)) & Exact.MAX;
            long c = 1 + random.nextLong(1L << random.nextInt(50));
            agrees(a, b, c, "seed " + seed + ", step " + step);
        }
    }

    /** As the models ask: time by hits by window, or window by hits by limit; results on both sides of 2^53. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void agrees_on_what_the_models_ask(long seed) {
        var random = new SplittableRandom(seed);
        for (int step = 0; step < 100_000; step++) {
            long window = 1_000_000 * (1 + random.nextLong(Quota.MAX_WINDOW_SECONDS));
            long limit = 1 + random.nextLong(Quota.MAX_HITS);
            String place = "seed " + seed + ", step " + step;
            agrees(random.nextLong(Exact.MAX), limit, window, place);
            agrees(window, random.nextLong(Quota.MAX_HITS), limit, place);
            agrees(window, random.nextLong(Quota.MAX_HITS), 1 + random.nextLong(40), place);
        }
    }

    @Test
    void what_is_too_large_is_the_largest_with_nothing_over() {
        assertThat(Exact.share(Exact.MAX, Exact.MAX, 1)).isEqualTo(new Exact.Share(Exact.MAX, 0));
        assertThat(Exact.share(Exact.MAX, 2, 3).over()).isEqualTo(Exact.MAX * 2 % 3);
        assertThat(Exact.share(1L << 52, 2, 1)).isEqualTo(new Exact.Share(Exact.MAX, 0));
        assertThat(Exact.share(Exact.MAX, 1, 1)).isEqualTo(new Exact.Share(Exact.MAX, 0));
        assertThat(Exact.quotientUp(1L << 52, 3, 2)).isEqualTo(3L << 51);
    }

    private static void agrees(long a, long b, long c, String place) {
        BigInteger[] exact =
                BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)).divideAndRemainder(BigInteger.valueOf(c));
        boolean isTooLarge = exact[0].compareTo(MAX) > 0;
        long whole = isTooLarge ? Exact.MAX : exact[0].longValueExact();
        long over = isTooLarge ? 0 : exact[1].longValueExact();
        String what = place + ": " + a + " * " + b + " / " + c;
        Exact.Share share = Exact.share(a, b, c);
        if (share.whole() != whole || share.over() != over) {
            assertThat(share).as(what).isEqualTo(new Exact.Share(whole, over));
        }
        long up = whole + (over > 0 ? 1 : 0);
        if (Exact.quotient(a, b, c) != whole || Exact.quotientUp(a, b, c) != up) {
            assertThat(List.of(Exact.quotient(a, b, c), Exact.quotientUp(a, b, c)))
                    .as(what)
                    .isEqualTo(List.of(whole, up));
        }
    }
}
