package dev.weir.limit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The pictures of the page on counting are what the models do: all of the same arrivals, ten hits in ten seconds. */
final class AdmissionPicturesTest {
    private static final Path FOLDER = Path.of("docs", "pictures");
    private static final long MILLI = 1_000;
    private static final Quota TEN_IN_TEN_SECONDS = new Quota(10, 10);

    static Stream<Arguments> pictures() {
        return Stream.of(
                Arguments.of("fixed_window", "fixed_window", new Algorithm.FixedWindow()),
                Arguments.of("sliding_window", "sliding_window", new Algorithm.SlidingWindow(1)),
                Arguments.of("sliding_parts", "sliding_window, precision 2s", new Algorithm.SlidingWindow(5)),
                Arguments.of("sliding_log", "sliding_log", new Algorithm.SlidingLog()),
                Arguments.of("token_bucket", "token_bucket", new Algorithm.TokenBucket(10)),
                Arguments.of("leaky_bucket", "leaky_bucket, burst 5", new Algorithm.LeakyBucket(5)),
                Arguments.of("gcra", "gcra, burst 1", new Algorithm.Gcra(1)));
    }

    @ParameterizedTest
    @MethodSource("pictures")
    void a_picture_shows_what_the_model_does(String file, String name, Algorithm algorithm) throws Exception {
        var limit = new Limit(TEN_IN_TEN_SECONDS, algorithm, Charge.ON_ADMIT, 0);
        String drawn = new AdmissionPicture(limit, arrivals()).svg(name + ": 10 hits in 10 s");
        Path picture = FOLDER.resolve(file + ".svg");
        if (Boolean.getBoolean("docs.write")) {
            Files.createDirectories(FOLDER);
            Files.writeString(picture, drawn, UTF_8);
        }
        assertThat(Files.readString(picture, UTF_8))
                .as("%s is not what the model does; draw it anew with `make docs`", picture)
                .isEqualTo(drawn);
    }

    /** A calm beginning, a rush around a boundary, too much for long, silence, one more rush, and a calm end. */
    private static long[] arrivals() {
        return Stream.of(
                        every(2_000, 500, 7_000),
                        every(150, 8_600, 9_990),
                        every(150, 10_050, 11_600),
                        every(400, 13_000, 24_000),
                        every(125, 30_500, 32_400),
                        every(1_500, 33_500, 40_000))
                .flatMapToLong(Arrays::stream)
                .toArray();
    }

    private static long[] every(long millis, long from, long to) {
        return LongStream.iterate(from, at -> at < to, at -> at + millis)
                .map(at -> at * MILLI)
                .toArray();
    }
}
