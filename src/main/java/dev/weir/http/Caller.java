package dev.weir.http;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.NetUtil;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: a request is read, its page answers on a virtual thread, the answer is written, and the next is read. Whoever is
 * waited for, by us, has a time for it. Belongs to the thread of the port.
 */
final class Caller extends ChannelInboundHandlerAdapter {
    /** How long a connection may be of no use to its caller. */
    static final long IDLE_SECONDS = 300;

    /** How long a request may take to come. */
    static final long COMES_WITHIN_SECONDS = 10;

    /** How long an answer may take to go. Who reads nothing at all is left earlier. */
    static final long GOES_WITHIN_SECONDS = 60;

    /** Between two looks at the time. */
    static final long PAUSE_SECONDS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(Caller.class);
    private static final Reply NO_ROOM = Reply.text(503, "too many bytes of other callers are held\n");

    private final Pages pages;
    private final Crowd crowd;
    private final Requests requests;

    private Phase phase = Phase.IDLE;
    private long sinceNanos;
    private boolean isLast;
    private boolean isRefused;
    private boolean hasSaidAll;
    private boolean hasNoRoom;
    private @Nullable Asked asked;
    private @Nullable Thread page;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Future<?> look;

    Caller(Pages pages, Crowd crowd) {
        this.pages = pages;
        this.crowd = crowd;
        this.requests = new Requests(this, crowd);
    }

    /** Returns what stands before it, and reads for it. */
    Requests requests() {
        return requests;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        become(Phase.IDLE);
        look = added.executor().scheduleAtFixedRate(() -> look(added), PAUSE_SECONDS, PAUSE_SECONDS, TimeUnit.SECONDS);
    }

    private void become(Phase next) {
        phase = next;
        sinceNanos = now();
        if (next == Phase.ANSWERED) {
            crowd.serves(this);
        } else {
            crowd.awaits(this); // to read, too
        }
    }

    private long now() {
        return Objects.requireNonNull(context).executor().ticker().nanoTime();
    }

    private void look(ChannelHandlerContext here) {
        if (now() - sinceNanos > phase.nanos()) {
            var _ = here.close();
        }
    }

    /** Returns whether the caller waits for us, and not we for it. */
    boolean isServed() {
        return phase == Phase.ANSWERED || phase == Phase.READING;
    }

    /** Returns whether a request is to begin, or is in the middle of its head. */
    boolean awaitsHead() {
        return !isServed() && !isLeft() && asked == null;
    }

    /** Returns whether what the caller still says is of no use. */
    boolean isLeft() {
        return phase == Phase.LEFT;
    }

    /** All callers together have sent more than is held. */
    void findsNoRoom(ChannelHandlerContext here) {
        if (isServed()) {
            end();
        } else {
            refuse(here, NO_ROOM);
        }
    }

    /** A request has begun. */
    void heard() {
        if (phase == Phase.IDLE) {
            become(Phase.ASKING);
        }
    }

    /** Ends the connection, whatever it is about. */
    void end() {
        var _ = Objects.requireNonNull(context).close();
    }

    /** Answers what was asked, and ends the connection then. */
    void leave() {
        isLast = true;
        if (!isServed()) {
            end();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext here, Object part) {
        try {
            if (part instanceof HttpObject object && phase == Phase.ASKING) {
                read(here, object);
            }
        } finally {
            var _ = ReferenceCountUtil.release(part);
        }
    }

    private void read(ChannelHandlerContext here, HttpObject part) {
        if (part.decoderResult().isFailure()) {
            refuse(here, Mistakes.of(part.decoderResult().cause()));
            return;
        }
        if (part instanceof HttpRequest request) {
            begin(here, request);
        } else if (part instanceof HttpContent content && asked != null) {
            hasNoRoom = hasNoRoom || !asked.keep(content.content(), crowd);
            if (content instanceof LastHttpContent) {
                ask(here, asked);
            }
        }
    }

    private void begin(ChannelHandlerContext here, HttpRequest request) {
        requests.passedHead();
        Reply mistake = Mistakes.of(request);
        if (mistake != null) {
            refuse(here, mistake);
            return;
        }
        try {
            asked = Asked.of(request, pages);
        } catch (IllegalArgumentException _) {
            refuse(here, Mistakes.TARGET);
            return;
        }
        if (HttpUtil.is100ContinueExpected(request)) {
            var _ = here.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        }
    }

    private void ask(ChannelHandlerContext here, Asked now) {
        isLast |= !now.staysHere();
        become(Phase.ANSWERED);
        var _ = here.channel().config().setAutoRead(false);
        if (hasNoRoom) {
            answer(here, NO_ROOM);
            return;
        }
        page = Showing.start(now.page(), now.question(from(here)), here.executor(), reply -> answer(here, reply));
    }

    private static String from(ChannelHandlerContext here) {
        return here.channel().remoteAddress() instanceof InetSocketAddress caller
                ? NetUtil.toAddressString(caller.getAddress())
                : "an unknown address"; // it has left already
    }

    /** After what was no request, nobody knows where the next one begins. */
    void refuse(ChannelHandlerContext here, Reply mistake) {
        isLast = true;
        isRefused = true;
        become(Phase.ANSWERED);
        var _ = here.channel().config().setAutoRead(false);
        answer(here, mistake);
    }

    private void answer(ChannelHandlerContext here, Reply reply) {
        page = null;
        Asked now = asked;
        forgetQuestion();
        if (!here.channel().isActive()) {
            return;
        }
        var answer = Answer.of(reply, now, requests.asksForHead());
        boolean isHeld = crowd.holdsAnswer(answer.bytes());
        isLast |= !isHeld;
        int held = isHeld ? answer.bytes() : 0;
        become(Phase.READING);
        var _ = (isHeld ? answer : Answer.of(NO_ROOM, now, requests.asksForHead()))
                .write(here, isLast)
                .addListener((ChannelFuture written) -> written(here, held, written.isSuccess()));
    }

    private void written(ChannelHandlerContext here, int held, boolean isSuccess) {
        crowd.giveBackAnswer(held);
        if (isSuccess && isRefused && !hasSaidAll) {
            letRead(here);
        } else if (!isSuccess || isLast) {
            end();
        } else {
            become(Phase.IDLE);
            if (!hasSaidAll) { // Netty closes a socket that is read after its end
                var _ = here.channel().config().setAutoRead(true);
            }
            requests.resume();
            endIfAllIsSaid();
        }
    }

    /** To close while the caller still says something would take the answer from it: so what it says is read past for a moment. */
    private void letRead(ChannelHandlerContext here) {
        if (here.channel() instanceof DuplexChannel socket) {
            become(Phase.LEFT);
            var _ = socket.shutdownOutput();
            var _ = socket.config().setAutoRead(true);
        } else {
            end();
        }
    }

    private void endIfAllIsSaid() {
        if (hasSaidAll && !isServed()) {
            end();
        }
    }

    private void forgetQuestion() {
        if (asked != null) {
            crowd.giveBackBody(asked.body().size());
            asked = null;
        }
        hasNoRoom = false;
    }

    /** The caller will say no more, but may still read. */
    @Override
    public void userEventTriggered(ChannelHandlerContext here, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            hasSaidAll = true;
            endIfAllIsSaid();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext here) {
        if (page == null) {
            forgetQuestion();
        } else {
            page.interrupt(); // its question is held until it ends
        }
        crowd.leaves(this);
        if (look != null) {
            look.cancel(false);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext here, Throwable failure) {
        LOG.debug("a connection broke", failure);
        var _ = here.close();
    }
}
