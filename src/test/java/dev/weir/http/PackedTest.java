package dev.weir.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that hardly become shorter, so that what is held of them lies in several pieces. */
final class PackedTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5_000, 8_192, 20_000, 100_000})
    void what_was_written_is_read_packed_or_not_and_has_the_length_that_was_told(int length) throws IOException {
        var random = new SplittableRandom(length);
        var text = new StringBuilder();
        random.ints(length, 0x20, 0x2000).forEach(text::appendCodePoint);
        var packed = Packed.of(to -> to.write(text.toString()));
        byte[] held = packed.packed().readAllBytes();
        assertThat(held).hasSize(packed.bytes());
        assertThat(packed.plainBytes()).isEqualTo(text.toString().getBytes(UTF_8).length);
        try (var unpacked = new GZIPInputStream(packed.packed());
                var plain = packed.plain()) {
            assertThat(new String(unpacked.readAllBytes(), UTF_8)).isEqualTo(text.toString());
            assertThat(new String(plain.readAllBytes(), UTF_8)).isEqualTo(text.toString());
        }
    }
}
