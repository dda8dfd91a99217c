package dev.weir.http2.opening;

import dev.weir.http2.header.HeaderBlocks;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Headers;
import org.jspecify.annotations.Nullable;

/**
 * What the headers of a connection's requests say, and the last ones again without another look. Others are not held for the time
 * between two calls: they may be large, or secret.
 */
public final class Openings {
    private final HeaderBlocks blocks;
    private final Methods methods;
    private @Nullable Opening last;

    /** Creates those of a connection that has said nothing yet. */
    public Openings(HeaderBlocks blocks, Methods methods) {
        this.blocks = blocks;
        this.methods = methods;
    }

    /**
     * Returns what headers say that were just read.
     *
     * @throws RefusedException if they open no call, or one that cannot be answered as it wants
     */
    @SuppressWarnings("ReferenceEquality") // as the reader of blocks compares them
    public Opening of(Http2Headers headers) throws RefusedException {
        if (last != null && last.headers() == headers) {
            return last;
        }
        Opening read = Opening.of(headers, methods);
        last = blocks.isKnown(headers) ? read : null;
        return read;
    }

    /**
     * Returns what the frame of headers says that begins here, if that is what was said last.
     *
     * @param next where the frame after it begins
     * @return null if it says something else, or if calls are followed one by one
     */
    public @Nullable Opening again(ByteBuf in, int next) {
        int block = in.readerIndex() + Http2CodecUtil.FRAME_HEADER_LENGTH;
        boolean isAgain = last != null
                && methods.tracer() == null
                && blocks.isKnown(last.headers())
                && blocks.isKnown(in, block, next - block);
        return isAgain ? last : null;
    }
}
