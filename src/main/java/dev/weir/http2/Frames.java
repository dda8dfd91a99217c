package dev.weir.http2;

import dev.weir.call.Refusal;
import dev.weir.http2.bound.OpenBlock;
import dev.weir.socket.Begun;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DecoratingHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands the frames of a connection to Netty, one whole frame after the other, and tells of what it refuses in them, which nobody
 * else is told of. Between two frames nothing is half read: there the {@link Doorstep} may take some for itself.
 */
final class Frames extends DecoratingHttp2ConnectionDecoder {
    /** How many frames Netty is handed in one call while the gate is open. If it shuts among them, the rest of these still go to Netty. */
    private static final int AT_ONCE = 32;

    private static final int END_HEADERS = 4;

    private final Consumer<Refusal> refusals;
    private final OpenBlock block;
    private final Runnable greeted;
    private final Begun begun = new Begun();
    private @Nullable Doorstep doorstep;
    private boolean isBlockOpen;
    private boolean isAny;

    Frames(Http2ConnectionDecoder decoder, Consumer<Refusal> refusals, OpenBlock block, Runnable greeted) {
        super(decoder);
        this.refusals = refusals;
        this.block = block;
        this.greeted = greeted;
    }

    /** Sets who sees each frame before Netty; nobody does until then. */
    void doorstep(Doorstep first) {
        doorstep = first;
    }

    @Override
    public void decodeFrame(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Http2Exception {
        if (!isAny) {
            isAny = true;
            greeted.run();
        }
        int end = in.writerIndex();
        for (int next = after(in, in.readerIndex()); next <= end; next = after(in, in.readerIndex())) {
            if (!isBlockOpen && isOfIgnored(in)) {
                passOver(in, next);
            } else if (doorstep == null || isBlockOpen || !doorstep.turnsAway(context, in, next)) {
                decodeSome(context, in, next, out);
            }
            if (!isBlockOpen) {
                begun.finished();
            }
        }
    }

    /** Returns whether frames have come: the caller has begun as HTTP/2 does. */
    boolean isAny() {
        return isAny;
    }

    /**
     * Looks whether the caller has left a frame, or a block of headers, unfinished for too long, and makes its buffer small.
     *
     * @param rest what has come of the frame
     * @param isRead whether we let the caller go on
     */
    boolean isLeftUnfinished(ByteBuf rest, boolean isRead) {
        return begun.isLeft(rest, isBlockOpen, isRead);
    }

    /** Returns where a frame ends, which may be beyond what is here. One that is too long is not waited for. */
    private static int after(ByteBuf in, int frame) {
        int payload = frame + FrameHead.BYTES;
        if (payload > in.writerIndex()) {
            return payload;
        }
        int bytes = FrameHead.payloadBytes(in, frame);
        return bytes > Http2CodecUtil.DEFAULT_MAX_FRAME_SIZE ? in.writerIndex() : payload + bytes;
    }

    /**
     * Returns whether a frame goes on with a call after the last one that we have said we answer (RFC 9113, section 6.8); its
     * caller may have sent it before it heard so. Netty refuses the headers of such a call, and takes the rest for frames of one
     * that never was, which ends all that are answered as well.
     */
    private boolean isOfIgnored(ByteBuf in) {
        if (!connection().goAwaySent()) {
            return false;
        }
        int frame = in.readerIndex();
        byte type = FrameHead.type(in, frame);
        int streamId = FrameHead.streamId(in, frame);
        return (type == Http2FrameTypes.DATA
                        || type == Http2FrameTypes.RST_STREAM
                        || type == Http2FrameTypes.WINDOW_UPDATE)
                && connection().remote().isValidStreamId(streamId)
                && streamId > connection().remote().lastStreamKnownByPeer()
                && FrameHead.payloadBytes(in, frame) <= Http2CodecUtil.DEFAULT_MAX_FRAME_SIZE;
    }

    /** Its bytes were taken from the window of the connection, which other calls share. */
    private void passOver(ByteBuf in, int next) throws Http2Exception {
        if (FrameHead.type(in, in.readerIndex()) == Http2FrameTypes.DATA) {
            int payload = in.readerIndex() + FrameHead.BYTES;
            flowController().receiveFlowControlledFrame(null, in.slice(payload, next - payload), 0, false);
        }
        var _ = in.readerIndex(next);
    }

    /** Netty reads as many frames as it finds, so it finds some: but one, where the next may be for us. */
    private void decodeSome(ChannelHandlerContext context, ByteBuf in, int next, List<Object> out)
            throws Http2Exception {
        int end = in.writerIndex();
        int first = in.readerIndex();
        int last = first;
        int until = next;
        boolean mayBeOurs =
                doorstep == null || doorstep.mayBeShut() || connection().goAwaySent();
        int frames = mayBeOurs ? 1 : AT_ONCE;
        for (int more = after(in, until); frames > 1 && more <= end; more = after(in, until), frames--) {
            last = until;
            until = more;
        }
        isBlockOpen = leavesBlockOpen(in, last);
        var _ = in.writerIndex(until);
        try {
            holdBlock(in, first, until);
            super.decodeFrame(context, in, out);
        } catch (Http2Exception refused) {
            tell(refused);
            if (refused instanceof Http2Exception.StreamException call && isEndOfBlock(in, first)) {
                open(call.streamId());
            }
            throw refused;
        } finally {
            var _ = in.writerIndex(end);
        }
    }

    /**
     * Counts what is to be kept of a block that goes on in a frame which is not here yet.
     *
     * @throws Http2Exception if that is too much beside what others hold
     */
    private void holdBlock(ByteBuf in, int first, int until) throws Http2Exception {
        if (!isBlockOpen) {
            block.end();
            return;
        }
        int bytes = 0;
        for (int frame = first; frame < until; frame = after(in, frame)) {
            boolean isOpen = leavesBlockOpen(in, frame);
            // What was open ends here, and another one begins here or behind it. One that begins here may be counted
            // already: where Netty refuses a frame, those behind it come again.
            if (!isOpen || FrameHead.type(in, frame) != Http2FrameTypes.CONTINUATION) {
                block.end();
                bytes = 0;
            }
            if (isOpen) {
                bytes += FrameHead.payloadBytes(in, frame);
            }
        }
        if (!block.take(bytes)) {
            throw Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "too_many_headers_begun");
        }
    }

    @Override
    public void close() {
        block.end();
        super.close();
    }

    /** Only more of the same block may follow then (RFC 9113, section 6.10). */
    private static boolean leavesBlockOpen(ByteBuf in, int frame) {
        byte type = FrameHead.type(in, frame);
        return (type == Http2FrameTypes.HEADERS
                        || type == Http2FrameTypes.PUSH_PROMISE
                        || type == Http2FrameTypes.CONTINUATION)
                && (FrameHead.flags(in, frame) & END_HEADERS) == 0;
    }

    /** Returns whether the frame that was read last is one of headers. */
    private static boolean isEndOfBlock(ByteBuf in, int first) {
        int frame = first;
        for (int next = after(in, frame); next < in.readerIndex(); next = after(in, frame)) {
            frame = next;
        }
        byte type = FrameHead.type(in, frame);
        return type == Http2FrameTypes.HEADERS || type == Http2FrameTypes.CONTINUATION;
    }

    /**
     * Opens the stream of a call that is reset for its headers. Netty reads headers before it opens their stream, and takes the
     * rest of the call for frames of one that never was, which ends all other calls as well.
     *
     * @throws Http2Exception if the caller may not open it
     */
    private void open(int streamId) throws Http2Exception {
        if (!connection().streamMayHaveExisted(streamId)) {
            var _ = connection().remote().createStream(streamId, false);
        }
    }

    private void tell(Http2Exception refused) {
        if (!isOfNoCall(refused)) {
            refusals.accept(
                    refused instanceof Http2Exception.HeaderListSizeException ? Refusal.HEADER_LIST : Refusal.PROTOCOL);
        }
    }

    /** What was under way when its call was ended, or refused and told of then, or when we said that no more is answered. */
    private static boolean isOfNoCall(Http2Exception refused) {
        return Http2Exception.isStreamError(refused)
                && (refused.error() == Http2Error.STREAM_CLOSED || refused.error() == Http2Error.REFUSED_STREAM);
    }
}
