package dev.weir.http2.header;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DecoratingHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Settings;

/**
 * Writes the header blocks of one connection, and knows those again that it has written: nearly all answers have the same few
 * headers, of which HPACK makes a byte each. They are the same bytes as long as the table that they point into is the same, so a
 * block is only known again if writing it left the table as it is, and only until something changes it.
 *
 * <p>Whatever else is written to the connection goes through here to Netty, which may keep headers back until there is room for
 * the data before them. Until it has written them nobody knows what they will add to the table, and nothing is known.
 */
public final class HeaderWriter extends DecoratingHttp2ConnectionEncoder {
    private final Http2HeadersEncoder encoder;

    /** Another one for each change of the table. */
    private long edition;

    private int changesUnderWay;

    /** Headers that come again. Belongs to the connection that writes it. */
    public static final class Block {
        private static final long NEVER = -1;

        private final Http2Headers headers;
        private long bytes;
        private int length;
        private long edition = NEVER;

        /** Has yet to be written. */
        public Block(Http2Headers headers) {
            this.headers = headers;
        }

        /** Returns what it says. */
        public Http2Headers headers() {
            return headers;
        }
    }

    /** Wraps the encoder of a connection. */
    public HeaderWriter(Http2ConnectionEncoder all) {
        super(all);
        encoder = (Http2HeadersEncoder) all.configuration().headersConfiguration();
    }

    /**
     * Writes a frame of headers.
     *
     * @param flags must say that these are all headers
     * @throws Http2Exception as HPACK's encoder declares; none is thrown to a server, which Netty lets write more headers than its
     *     caller would like (SETTINGS_MAX_HEADER_LIST_SIZE is advice: RFC 9113, 6.5.2)
     */
    public void write(ByteBuf out, int streamId, Block block, Http2Flags flags) throws Http2Exception {
        if (block.edition == edition && changesUnderWay == 0) {
            Http2CodecUtil.writeFrameHeader(out, block.length, Http2FrameTypes.HEADERS, flags, streamId);
            int end = out.writerIndex() + block.length;
            out.writeLong(block.bytes).writerIndex(end);
        } else {
            encode(out, streamId, block, flags);
        }
    }

    /** The frame's own header tells how long the block is, which is known only when it is there. */
    private void encode(ByteBuf out, int streamId, Block block, Http2Flags flags) throws Http2Exception {
        int frame = out.writerIndex();
        int begin = frame + Http2CodecUtil.FRAME_HEADER_LENGTH;
        out.writeZero(Http2CodecUtil.FRAME_HEADER_LENGTH);
        encoder.encodeHeaders(streamId, block.headers, out);
        int end = out.writerIndex();
        out.writerIndex(frame);
        Http2CodecUtil.writeFrameHeader(out, end - begin, Http2FrameTypes.HEADERS, flags, streamId);
        out.writerIndex(end);
        if (BlockForm.of(out.slice(begin, end - begin)) != BlockForm.KEEPS_TABLE) {
            edition++;
        } else if (end - begin <= Long.BYTES) {
            out.writeLong(0).writerIndex(end); // there must be as many bytes to read
            block.bytes = out.getLong(begin);
            block.length = end - begin;
            block.edition = edition;
        }
    }

    @Override
    public void remoteSettings(Http2Settings settings) throws Http2Exception {
        changesUnderWay++;
        try {
            super.remoteSettings(settings);
        } finally {
            changed();
        }
    }

    @Override
    public ChannelFuture writeHeaders(
            ChannelHandlerContext context,
            int streamId,
            Http2Headers headers,
            int padding,
            boolean isLast,
            ChannelPromise promise) {
        changesUnderWay++;
        return super.writeHeaders(context, streamId, headers, padding, isLast, promise)
                .addListener(_ -> changed());
    }

    private void changed() {
        changesUnderWay--;
        edition++;
    }
}
