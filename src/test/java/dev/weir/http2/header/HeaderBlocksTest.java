package dev.weir.http2.header;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http2.message.Budget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Header blocks that are known again, beside Netty's reader, which reads each of them. */
final class HeaderBlocksTest {
    private static final long MAX_LIST_BYTES = 300;

    // RFC 7541, appendix A: POST, http and /; and the first place of the dynamic table.
    private static final String CALL = "838684";
    private static final int FIRST_OF_CALLER = 62;
    private static final String NAMELESS = "a header without a name";

    /** Sizes of the table: mostly all of it, or room for three headers, or none. */
    private static final List<String> TABLE_SIZES = List.of("3fe11f", "3fe11f", "3fe11f", "3f61", "20");

    private final HeaderBlocks blocks = new HeaderBlocks(MAX_LIST_BYTES, table());
    private @Nullable Http2Headers last;

    private static EarlyTable table() {
        return new EarlyTable(new Budget(EarlyTable.MOST_BYTES));
    }

    private Http2Headers read(String block) throws Http2Exception {
        ByteBuf bytes = hex(block);
        Http2Headers headers = blocks.decodeHeaders(1, bytes);
        assertThat(bytes.isReadable()).isFalse();
        return headers;
    }

    private static ByteBuf hex(String bytes) {
        return Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(bytes));
    }

    @Test
    void the_block_that_came_last_is_not_read_again() throws Http2Exception {
        var first = read(CALL);
        assertThat(read(CALL)).isSameAs(first);
        assertThat(first.method()).hasToString("POST");
        assertThat(read("828684")).isNotSameAs(first);
        assertThat(read(CALL)).isNotSameAs(first).isEqualTo(first);
    }

    @Test
    void a_block_that_adds_to_the_table_moves_what_others_point_to() throws Http2Exception {
        String adds = CALL + "4101" + "61"; // :authority a, which is then 62
        String points = CALL + "be";
        assertThat(read(adds).authority()).hasToString("a");
        assertThat(read(points).authority()).hasToString("a");
        assertThat(read(CALL + "4101" + "62").authority()).hasToString("b");
        assertThat(read(points).authority()).hasToString("b");
        assertThat(read(points)).isSameAs(read(points));
    }

    @Test
    void a_header_that_is_never_added_keeps_the_table() throws Http2Exception {
        String path = "8386" + "1401" + "2f"; // :path / as nginx's library sends it, which adds no path
        assertThat(read(path)).isSameAs(read(path));
        assertThat(read(path).path()).hasToString("/");
    }

    /** As an Envoy 1.40 sent them: its first call, and each after it. The path is spelled out every time. */
    @Test
    void an_envoy_is_known_from_its_third_call_on() throws Http2Exception {
        String path = "8304ab60b5773fa5d05b3b98855ec1a4b41a93257eecafb4692e735264ee2d9dcc42b1ba73db449b4692e735264f";
        String first = path
                + "4183f053598640027465864d833505b11f40899acac8b24d494f6a7f8210295f8b1d75d0620d263d4c4d6564408cf2b16aee"
                + "7f4b1aa496ca8747834d9697408bf2b4a7b3c0ec90b22d29ec870be25c0b89717f4096f2b16aee7f4b17cd65224b22d67659"
                + "26a4a7b52b528f023230";
        String later = path + "c486c3c2c1c0bfbe";
        var wide = new HeaderBlocks(8_192, table());
        assertThat(wide.decodeHeaders(1, hex(first)).get("grpc-timeout")).hasToString("20m");
        var second = wide.decodeHeaders(3, hex(later));
        assertThat(second.path()).hasToString("/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit");
        assertThat(second.get("grpc-timeout")).hasToString("20m");
        assertThat(wide.decodeHeaders(5, hex(later))).isSameAs(second);
    }

    @Test
    void a_length_is_read_each_time_because_nettys_codec_may_change_it() throws Http2Exception {
        String length = CALL + "0f0d" + "01" + "35";
        assertThat(read(length)).isNotSameAs(read(length));
    }

    @Test
    void a_new_bound_holds_for_a_known_block_too() throws Http2Exception {
        var _ = read(CALL);
        blocks.maxHeaderListSize(10, 100);
        assertThat(outcome(blocks, hex(CALL), 1)).startsWith("refused: Header size exceeded");
    }

    @Test
    void a_new_size_of_the_table_holds_once_the_caller_has_said_so() throws Http2Exception {
        var _ = read(CALL + "4101" + "61");
        blocks.maxHeaderTableSize(100);
        assertThat(outcome(blocks, hex(CALL + "be"), 1)).startsWith("said: ").contains(":authority=a");
        assertThat(outcome(blocks, hex("3f45" + CALL + "be"), 2))
                .startsWith("said: ")
                .contains(":authority=a");
        assertThat(outcome(blocks, hex("3f46" + CALL), 3))
                .startsWith("refused: HPACK - invalid max dynamic table size");
    }

    @Test
    void so_it_does_where_he_has_said_so_before() throws Http2Exception {
        var _ = read("20" + "3f45" + CALL + "4101" + "61");
        blocks.maxHeaderTableSize(100);
        assertThat(outcome(blocks, hex(CALL + "be"), 1)).startsWith("said: ").contains(":authority=a");
        assertThat(outcome(blocks, hex("3f46" + CALL), 2))
                .startsWith("refused: HPACK - invalid max dynamic table size");
    }

    @Test
    void a_larger_table_is_none_that_the_caller_may_have() throws Http2Exception {
        var _ = read("3fe11f" + CALL); // 4,096 bytes, before it has read ours
        blocks.maxHeaderTableSize(100);
        assertThat(outcome(blocks, hex("3f46" + CALL), 1))
                .startsWith("refused: a table of 101 bytes, larger than allowed, COMPRESSION_ERROR");
        assertThat(outcome(blocks, hex("203f45" + CALL), 2)).startsWith("said: ");
    }

    @ParameterizedTest
    @CsvSource({
        // block, bytes
        "838684, -1",
        "20, 0",
        "3e83, 30",
        "3f00, 31",
        "3fe107, 1024",
        "3fe1878000, 1024", // zeros in front
        "3fe18780808080808000, 1024", // as many as Netty reads
        "3fe11f20, 0",
        "203fe11f83, 4096",
        "833fe11f, -1", // in its midst
        "3fe1, -1", // cut off
        "3fffffffffffffffffff7f, 9223372036854775807",
    })
    void a_block_says_the_size_of_the_table_in_front(String block, long bytes) {
        assertThat(BlockForm.tableBytes(hex(block))).isEqualTo(bytes);
    }

    @Test
    void what_is_added_is_counted_in_each_of_its_forms() {
        String kept = "0001610162" + "1001610162" + "0f0f00" + "82" + "be" + "3f61";
        assertThat(BlockForm.added(hex(kept))).isZero();
        assertThat(BlockForm.added(hex(kept + "4001610162" + kept + "410161" + "7f000161" + "7e00")))
                .isEqualTo(4);
        assertThat(BlockForm.added(hex("40016101"))).as("cut off").isEqualTo(1);
    }

    @Test
    void a_header_that_is_added_under_a_name_of_a_table_is_walked_over_to_what_follows() {
        for (int name = 1; name < 0x3F; name++) {
            String added = "%02x0161".formatted(0x40 | name);
            assertThat(BlockForm.added(hex(added + "4001610162"))).as(added).isEqualTo(2);
            assertThat(BlockForm.of(hex(added + "400000"))).as(added).isEqualTo(BlockForm.ADDS_NAMELESS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0001610162", "10016101", "0f0f0161", "0001617f808000", "4001610162", "410161", "ff00"})
    void a_block_that_is_cut_off_may_have_changed_the_table(String header) {
        for (int end = 2; end < header.length(); end += 2) {
            String block = CALL + header.substring(0, end);
            assertThat(BlockForm.of(hex(block))).as(block).isEqualTo(BlockForm.CHANGES_TABLE);
        }
    }

    @Test
    void a_long_block_is_not_kept() throws Http2Exception {
        String many = CALL + "90".repeat(600);
        var wide = new HeaderBlocks(1 << 20, table());
        assertThat(wide.decodeHeaders(1, hex(many))).isNotSameAs(wide.decodeHeaders(1, hex(many)));
    }

    @Test
    void a_block_that_is_refused_may_have_moved_the_table() throws Http2Exception {
        String points = CALL + "be";
        var _ = read(CALL + "4101" + "61");
        var _ = read(points);
        assertThat(outcome(blocks, hex("4101" + "62" + "8c"), 1)).startsWith("refused: "); // adds, and is an answer's
        assertThat(read(points).authority()).hasToString("b");
    }

    /** Netty would take headers out of the table for ever that it loses when a table full of such is resized. */
    @ParameterizedTest
    @ValueSource(strings = {"400000", "408000", "40000161", "0f0000400000", "0001610162400000"})
    void a_header_without_a_name_is_not_added_to_the_table(String nameless) throws Http2Exception {
        var _ = read(CALL);
        assertThat(outcome(blocks, hex(CALL + nameless), 2)).contains(NAMELESS, "PROTOCOL_ERROR");
    }

    @Test
    void a_name_of_nothing_but_padding_is_none() {
        assertThat(outcome(blocks, hex(CALL + "4081ff00"), 1)).startsWith("refused: ");
    }

    @Test
    void a_long_text_is_walked_over_to_what_follows() {
        String text = "61".repeat(300);
        assertThat(BlockForm.of(hex("0001617fad01" + text))).isEqualTo(BlockForm.KEEPS_TABLE);
        assertThat(BlockForm.of(hex("0001617fad01" + text + "400000"))).isEqualTo(BlockForm.ADDS_NAMELESS);
        assertThat(BlockForm.of(hex("0001617fad01" + text + "40016100"))).isEqualTo(BlockForm.CHANGES_TABLE);
        assertThat(BlockForm.of(hex("0001617fffffffff7f"))).isEqualTo(BlockForm.CHANGES_TABLE);
        assertThat(BlockForm.of(hex("0001617fffffffffffffffff7f"))).isEqualTo(BlockForm.CHANGES_TABLE);
    }

    /** A number may be written with as many bytes as a long has room for, most of them zeros. */
    @Test
    void a_length_with_zeros_in_front_hides_nothing() throws Http2Exception {
        String padded = CALL + "0001617f808080808080808000" + "61".repeat(127);
        assertThat(read(padded).get("a")).hasSize(127);
        assertThat(outcome(blocks, hex(padded + "400000"), 2)).contains(NAMELESS);
    }

    @Test
    void many_headers_are_not_kept() throws Http2Exception {
        String many = CALL + "90".repeat(40);
        var wide = new HeaderBlocks(1 << 20, table());
        var first = wide.decodeHeaders(1, hex(many));
        assertThat(wide.isKnown(first)).isFalse();
        assertThat(wide.decodeHeaders(1, hex(many))).isNotSameAs(first);
    }

    @SuppressWarnings("ReferenceEquality") // the very same headers were not read again
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void every_block_says_what_netty_reads_in_it(long seed) {
        var random = new Random(seed);
        var netty = new DefaultHttp2HeadersDecoder(true, MAX_LIST_BYTES);
        List<ByteBuf> some = new ArrayList<>();
        int known = 0;
        int pointing = 0;
        ByteBuf block = Unpooled.EMPTY_BUFFER;
        for (int i = 0; i < 20_000; i++) {
            if (some.size() < 4 || random.nextInt(20) == 0) {
                some.add(random.nextInt(some.size() + 1), block(random));
            }
            block = random.nextInt(4) > 0 ? block : some.get(random.nextInt(some.size()));
            var before = last;
            String told = outcome(blocks, block.duplicate(), i);
            boolean isKnown = last != null && last == before;
            if (told.contains(NAMELESS)) {
                continue; // Netty might never end
            }
            var said = last;
            assertThat(told)
                    .as("block %d: %s", i, ByteBufUtil.hexDump(block))
                    .isEqualTo(outcome(netty, block.duplicate(), i));
            last = said;
            known += isKnown ? 1 : 0;
            pointing += isKnown && block.forEachByte(HeaderBlocksTest::isOther) >= 0 ? 1 : 0;
        }
        assertThat(known).isBetween(2_000, 18_000);
        assertThat(pointing).as("known ones that point into the table").isGreaterThan(200);
    }

    /** Returns whether a byte is no short index of the dynamic table. */
    private static boolean isOther(byte octet) {
        int value = octet & 0xFF;
        return value < (0x80 | FIRST_OF_CALLER) || value == 0xFF;
    }

    /** Any headers in any of their forms, at times cut off or with a byte that nobody meant. */
    private static ByteBuf block(Random random) {
        ByteBuf block = Unpooled.buffer();
        if (random.nextInt(10) == 0) {
            block.writeBytes(hex(TABLE_SIZES.get(random.nextInt(TABLE_SIZES.size()))));
        }
        block.writeBytes(hex(CALL));
        for (int i = random.nextInt(5); i > 0; i--) {
            header(random, block);
        }
        if (random.nextInt(10) == 0) {
            block.writerIndex(random.nextInt(block.writerIndex() + 1));
        }
        if (random.nextInt(10) == 0 && block.isReadable()) {
            block.setByte(random.nextInt(block.writerIndex()), random.nextInt(0x100));
        }
        return block;
    }

    private static void header(Random random, ByteBuf block) {
        int kept = random.nextBoolean() ? 0x00 : 0x10; // left out of the table, or never to be put into one
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> block.writeByte(0x80 | FIRST_OF_CALLER + random.nextInt(4));
            case 3 -> { // added, under a name of its own, at times an empty one
                block.writeByte(0x40).writeByte(random.nextInt(20) == 0 ? 0 : 1);
                if (block.getByte(block.writerIndex() - 1) == 1) {
                    block.writeByte('a' + random.nextInt(3));
                }
                text(random, block);
            }
            case 4 -> { // added, under a name of a table
                block.writeByte(0x40 | 15 + random.nextInt(48));
                text(random, block);
            }
            case 5 -> { // a name of a table, whose number takes two bytes
                block.writeByte(kept | 0x0F).writeByte(random.nextInt(50));
                text(random, block);
            }
            case 6 -> { // a name whose number takes one byte, or one of its own
                block.writeByte(kept | random.nextInt(0x0F));
                if ((block.getByte(block.writerIndex() - 1) & 0x0F) == 0) {
                    text(random, block);
                }
                text(random, block);
            }
            default -> block.writeByte(0xFF).writeByte(random.nextInt(4)); // an index in two bytes, of nothing
        }
    }

    private static void text(Random random, ByteBuf block) {
        int kind = random.nextInt(12);
        if (kind == 0) {
            block.writeBytes(hex("7f03")).writeBytes("a".repeat(130).getBytes(StandardCharsets.US_ASCII));
        } else if (kind == 1) {
            block.writeBytes(hex("811f")); // a, in the code of Huffman
        } else if (kind == 2) { // zeros in front of a length
            block.writeBytes(hex("7f808000")).writeBytes("b".repeat(127).getBytes(StandardCharsets.US_ASCII));
        } else {
            int length = random.nextInt(4);
            block.writeByte(length);
            for (int i = 0; i < length; i++) {
                block.writeByte('a' + random.nextInt(3));
            }
        }
    }

    /** Reads a block; what it said stays in {@link #last}. */
    private String outcome(Http2HeadersDecoder decoder, ByteBuf block, int number) {
        try {
            last = null;
            last = decoder.decodeHeaders(2 * number + 1, block);
            var said = new StringBuilder("said: ");
            last.forEach(header -> said.append(header.getKey())
                    .append('=')
                    .append(header.getValue())
                    .append(';'));
            return said.append(block.readableBytes()).toString();
        } catch (Http2Exception e) {
            return "refused: %s, %s, %s, %d"
                    .formatted(e.getMessage(), e.error(), e.getClass().getSimpleName(), Http2Exception.streamId(e));
        }
    }
}
