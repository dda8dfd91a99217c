package dev.weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the requests of a connection, one after the other: the next one when the last was answered. What a caller has sent ahead
 * stays as it came until then: as objects it would be many times as large.
 */
final class Requests extends HttpRequestDecoder {
    private static final int MOST_LINE_BYTES = 8 << 10;
    private static final int MOST_HEADER_BYTES = 16 << 10;

    /** A caller who has said all, and waits for an answer, is read to the end all the same. */
    private static final int MOST_BYTES_AHEAD = 16 << 10;

    /** So much of a head, or of what is sent ahead, is held of anyone; the rest has a bound with that of all others. */
    private static final int FREE_BYTES = 1 << 10;

    private final Caller caller;
    private final Crowd crowd;
    private @Nullable ChannelHandlerContext context;
    private boolean isHeadBegun;
    private boolean isHeadAsked;
    private int headBytes;
    private int heldBytes;

    Requests(Caller caller, Crowd crowd) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(MOST_LINE_BYTES)
                .setMaxHeaderSize(MOST_HEADER_BYTES)
                .setHeadersFactory(KeptHeaders.named(
                        "Host",
                        "Connection",
                        "Expect",
                        "Content-Length",
                        "Transfer-Encoding",
                        "Accept-Encoding",
                        "Authorization"))
                .setTrailersFactory(KeptHeaders.named()));
        this.caller = caller;
        this.crowd = crowd;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) throws Exception {
        super.handlerAdded(added);
        context = added;
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object bytes) throws Exception {
        headBytes += bytes instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
        super.channelRead(from, bytes);
        int ahead = actualReadableBytes();
        if (caller.isServed() && ahead > MOST_BYTES_AHEAD) {
            caller.end();
        } else if (!caller.isLeft() && !holds(caller.awaitsHead() ? Math.max(headBytes, ahead) : ahead)) {
            caller.findsNoRoom(from);
        }
    }

    private boolean holds(int bytes) {
        int more = Math.max(0, bytes - FREE_BYTES) - heldBytes;
        if (more > 0 && !crowd.holdsBody(more)) {
            return false;
        }
        crowd.giveBackBody(Math.max(0, -more));
        heldBytes += more;
        return true;
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) throws Exception {
        crowd.giveBackBody(heldBytes);
        heldBytes = 0;
        super.channelInactive(from);
    }

    @Override
    protected void decode(ChannelHandlerContext from, ByteBuf in, List<Object> out) throws Exception {
        if (caller.isServed()) {
            return;
        }
        if (caller.awaitsHead()) {
            begin(in);
            if (isFolded(in)) {
                caller.refuse(from, Mistakes.FOLDED);
            }
        }
        if (caller.isLeft()) {
            in.skipBytes(in.readableBytes());
        } else if (!caller.isServed()) {
            super.decode(from, in, out);
        }
    }

    /**
     * Lines may be empty before a request (RFC 9112, section 2.2), and end its head. Those before it are no part of it: who says
     * nothing else is as idle as before, and nothing is held of them.
     */
    private void begin(ByteBuf in) {
        while (!isHeadBegun && in.isReadable()) {
            if (isBlank(in.getByte(in.readerIndex()))) {
                in.skipBytes(1);
                headBytes--;
            } else {
                isHeadBegun = true;
                isHeadAsked = false;
                caller.heard();
            }
        }
    }

    @Override
    protected HttpMessage createMessage(String[] line) throws Exception {
        isHeadAsked = HttpMethod.HEAD.name().equals(line[0]);
        return super.createMessage(line);
    }

    /** Returns whether only the head of an answer is wanted, as the line of the request says that began last, whatever follows it. */
    boolean asksForHead() {
        return isHeadAsked;
    }

    private static boolean isBlank(byte character) {
        return character == '\r' || character == '\n';
    }

    /**
     * Returns whether a line goes on with the one before it (RFC 9112, section 5.2). Netty would join them, the whole of it once
     * more for each line: 32 KB took this thread a tenth of a second.
     */
    private static boolean isFolded(ByteBuf in) {
        int line = in.readerIndex();
        while (line < in.writerIndex() && !isBlank(in.getByte(line))) {
            if (in.getByte(line) == ' ' || in.getByte(line) == '\t') {
                return true;
            }
            int feed = in.indexOf(line, in.writerIndex(), (byte) '\n');
            line = feed < 0 ? in.writerIndex() : feed + 1;
        }
        return false;
    }

    /** The head of a request was read: next come its body and, once it is answered, another head. */
    void passedHead() {
        isHeadBegun = false;
        headBytes = 0;
    }

    /** Netty's would forget what the caller has sent ahead, whose answers it may still read. */
    @Override
    public void userEventTriggered(ChannelHandlerContext from, Object event) {
        var _ = from.fireUserEventTriggered(event);
    }

    /** Netty's would read on where nothing came of what was read. */
    @Override
    public void channelReadComplete(ChannelHandlerContext from) throws Exception {
        if (caller.isServed()) {
            from.fireChannelReadComplete();
        } else {
            super.channelReadComplete(from);
        }
    }

    /** Reads what the caller has sent ahead. */
    void resume() {
        headBytes = actualReadableBytes(); // those of the body before are none of the next head
        if (context != null && headBytes > 0) {
            try {
                channelRead(context, Unpooled.EMPTY_BUFFER);
            } catch (Exception e) {
                caller.exceptionCaught(context, e);
            }
        }
    }
}
