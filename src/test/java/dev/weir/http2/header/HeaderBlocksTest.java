package dev.weir.http2.header;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Header blocks that are known again, beside Netty's reader, which reads each of them. */
final class HeaderBlocksTest {
    private static final long MAX_LIST_BYTES = 300;

    // RFC 7541, appendix A: POST, http and /; names of the static table; and the first place of the dynamic one.
    private static final String CALL = "838684";
    private static final int AUTHORITY = 1;
    private static final int CONTENT_LENGTH = 28;
    private static final int FIRST_OF_CALLER = 62;

    private final HeaderBlocks blocks = new HeaderBlocks(MAX_LIST_BYTES);

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

    @Test
    void a_length_is_read_each_time_because_nettys_codec_may_change_it() throws Http2Exception {
        String length = CALL + "0f0d" + "01" + "35";
        assertThat(read(length)).isNotSameAs(read(length));
    }

    @Test
    void a_new_bound_holds_for_a_known_block_too() throws Http2Exception {
        var _ = read(CALL);
        blocks.maxHeaderListSize(10, 100);
        assertThat(outcome(blocks, hex(CALL))).startsWith("refused: Header size exceeded");
    }

    @Test
    void a_new_size_of_the_table_must_be_confirmed_before_a_known_block_too() throws Http2Exception {
        var _ = read(CALL);
        blocks.maxHeaderTableSize(0);
        assertThat(outcome(blocks, hex(CALL))).startsWith("refused: HPACK - max dynamic table size change required");
        assertThat(outcome(blocks, hex("20" + CALL))).startsWith("said: ");
    }

    @Test
    void a_long_block_is_not_kept() throws Http2Exception {
        String many = CALL + "90".repeat(600);
        var wide = new HeaderBlocks(1 << 20);
        assertThat(wide.decodeHeaders(1, hex(many))).isNotSameAs(wide.decodeHeaders(1, hex(many)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void every_block_says_what_netty_reads_in_it(long seed) {
        var random = new Random(seed);
        var netty = new DefaultHttp2HeadersDecoder(true, MAX_LIST_BYTES);
        List<ByteBuf> some = new ArrayList<>();
        int kept = 0;
        ByteBuf before = Unpooled.EMPTY_BUFFER;
        for (int i = 0; i < 20_000; i++) {
            if (some.size() < 4 || random.nextInt(20) == 0) {
                some.add(random.nextInt(some.size() + 1), block(random));
            }
            ByteBuf block = random.nextInt(4) > 0 ? before : some.get(random.nextInt(some.size()));
            before = block;
            String expected = outcome(netty, block.duplicate());
            assertThat(outcome(blocks, block.duplicate()))
                    .as("block %d: %s", i, ByteBufUtil.hexDump(block))
                    .isEqualTo(expected);
            kept += expected.startsWith("said: ") && HeaderBlocks.keepsTable(block) ? 1 : 0;
        }
        assertThat(kept).isBetween(1_000, 19_000);
    }

    /** Any headers in any of their forms, at times cut off or with a byte that nobody meant. */
    private static ByteBuf block(Random random) {
        ByteBuf block = Unpooled.buffer();
        if (random.nextInt(15) == 0) {
            block.writeByte(0x20 | random.nextInt(0x20));
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
        switch (random.nextInt(6)) {
            case 0, 1 -> block.writeByte(0x80 | FIRST_OF_CALLER + random.nextInt(4));
            case 2 -> { // added to the table
                block.writeByte(0x40);
                text(random, block);
                text(random, block);
            }
            case 3 -> { // left out of it, under a name of the static one
                block.writeByte(random.nextBoolean() ? 0x0F : 0x1F)
                        .writeByte(random.nextInt(CONTENT_LENGTH) + AUTHORITY);
                text(random, block);
            }
            case 4 -> { // the same, under a short number
                block.writeByte(random.nextBoolean() ? 0 : 0x10);
                text(random, block);
                text(random, block);
            }
            default -> block.writeByte(0xFF).writeByte(random.nextInt(4)); // a number in two bytes
        }
    }

    private static void text(Random random, ByteBuf block) {
        int length = random.nextInt(4);
        block.writeByte(length);
        for (int i = 0; i < length; i++) {
            block.writeByte('a' + random.nextInt(3));
        }
    }

    private static String outcome(Http2HeadersDecoder decoder, ByteBuf block) {
        try {
            var said = new StringBuilder("said: ");
            decoder.decodeHeaders(1, block)
                    .forEach(header -> said.append(header.getKey())
                            .append('=')
                            .append(header.getValue())
                            .append(';'));
            return said.append(block.readableBytes()).toString();
        } catch (Http2Exception e) {
            return "refused: " + e.getMessage();
        }
    }
}
