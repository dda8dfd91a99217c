package dev.weir.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each key is drawn as often as its law says. */
final class KeysTest {
    private static final int DRAWS = 400_000;

    /** Of a sum of squared standard deviations over n keys: mean n, deviation sqrt(2n); five of these are no chance. */
    private static final double FIVE_DEVIATIONS = 5;

    @ParameterizedTest
    @CsvSource({"10, 0.5, 1", "10, 1.0, 2", "50, 1.1, 3", "50, 2.0, 4", "1000, 0.8, 5", "2, 3.5, 6", "1, 1.0, 7"})
    void zipf_draws_by_rank_to_the_power_of_the_exponent(int count, double exponent, long seed) {
        double[] weights = IntStream.rangeClosed(1, count)
                .mapToDouble(rank -> Math.pow(rank, -exponent))
                .toArray();
        isLaw(new ZipfKeys(count, exponent), weights, seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void uniform_draws_each_as_often_as_any_other(long seed) {
        isLaw(new Keys.Uniform(100), IntStream.range(0, 100).mapToDouble(_ -> 1).toArray(), seed);
    }

    @Test
    void a_million_keys_of_zipf_stay_within_their_number() {
        var keys = new ZipfKeys(1_000_000, 1.1);
        var random = new SplittableRandom(9);
        int[] drawn = IntStream.range(0, DRAWS).map(_ -> keys.draw(random)).toArray();
        assertThat(IntStream.of(drawn)).as("seed 9").allMatch(number -> number >= 0 && number < 1_000_000);
        assertThat(IntStream.of(drawn).distinct().count()).as("seed 9").isBetween(50_000L, 200_000L);
    }

    @Test
    void the_same_seed_draws_the_same_keys() {
        var keys = new ZipfKeys(1_000, 1.1);
        var one = new SplittableRandom(4);
        var other = new SplittableRandom(4);
        assertThat(IntStream.range(0, 100).map(_ -> keys.draw(one)))
                .containsExactlyElementsOf(IntStream.range(0, 100)
                        .map(_ -> keys.draw(other))
                        .boxed()
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void an_exponent_is_above_0(double exponent) {
        assertThatThrownBy(() -> new ZipfKeys(10, exponent)).hasMessageContaining("exponent");
    }

    private static void isLaw(Keys keys, double[] weights, long seed) {
        var random = new SplittableRandom(seed);
        int[] counts = new int[weights.length];
        for (int i = 0; i < DRAWS; i++) {
            counts[keys.draw(random)]++;
        }
        double sum =
                IntStream.range(0, weights.length).mapToDouble(i -> weights[i]).sum();
        double chiSquared = IntStream.range(0, weights.length)
                .mapToDouble(i -> {
                    double expected = DRAWS * weights[i] / sum;
                    return (counts[i] - expected) * (counts[i] - expected) / expected;
                })
                .sum();
        assertThat(chiSquared)
                .as("seed %d", seed)
                .isLessThan(weights.length + FIVE_DEVIATIONS * Math.sqrt(2.0 * weights.length));
    }
}
