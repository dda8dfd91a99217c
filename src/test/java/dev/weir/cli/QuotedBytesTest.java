package dev.weir.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Bytes in the quotes of redis-cli; that a real Redis reads them back is shown by CommandLineIT. */
final class QuotedBytesTest {

    @Test
    void what_is_plain_stands_as_it_is() {
        assertThat(QuotedBytes.of("{4n} ~a=b_c|$(x)`".getBytes(UTF_8))).isEqualTo("\"{4n} ~a=b_c|$(x)`\"");
    }

    @Test
    void all_else_is_escaped_quotes_of_both_kinds_too() {
        assertThat(QuotedBytes.of("\0\n\"'\\\u007fü".getBytes(UTF_8)))
                .isEqualTo("\"\\x00\\x0a\\x22\\x27\\x5c\\x7f\\xc3\\xbc\"");
    }

    @Test
    void nothing_but_plain_ascii_and_no_single_quote_is_ever_printed() {
        var all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        assertThat(QuotedBytes.of(all)).matches("[ -~&&[^']]+");
    }
}
