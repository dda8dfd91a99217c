package dev.weir.http2;

import dev.weir.call.Refusal;
import dev.weir.http2.bound.Budgets;
import dev.weir.http2.bound.OpenCalls;
import dev.weir.http2.message.MessageReader;
import dev.weir.http2.opening.Methods;
import dev.weir.http2.opening.Opening;
import dev.weir.http2.opening.Openings;
import dev.weir.http2.opening.RefusedException;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http2.Http2Connection.PropertyKey;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Opens a call for each request of a connection, as long as there is room for one. Belongs to the connection's thread. */
final class Reception {
    private final Connection connection;
    private final Openings openings;
    private final Methods methods;
    private final Budgets budgets;
    private final OpenCalls.Account calls;
    private final PropertyKey exchanges;

    Reception(Connection connection, Openings openings, Methods methods, Budgets budgets) {
        this.connection = connection;
        this.openings = openings;
        this.methods = methods;
        this.budgets = budgets;
        calls = budgets.calls().account();
        exchanges = connection.connection().newKey();
    }

    /** Returns the call on a stream; null if its headers were refused. */
    @Nullable
    Exchange exchange(Http2Stream stream) {
        return stream.getProperty(exchanges);
    }

    /**
     * Looks at all streams, and returns the calls that shall end. Whoever looks ends none: Netty lets none go until the walk over
     * them is done, and a connection that leaves would miss the end of its last one.
     */
    List<Exchange> toEnd(Predicate<Http2Stream> look) {
        List<Exchange> toEnd = new ArrayList<>(0);
        try {
            var _ = connection.connection().forEachActiveStream(stream -> {
                Exchange exchange = exchange(stream);
                if (look.test(stream) && exchange != null) {
                    toEnd.add(exchange);
                }
                return true;
            });
        } catch (Http2Exception e) {
            throw new IllegalStateException(e); // a look throws none
        }
        return toEnd;
    }

    /** Says how many are open now. */
    void count(int open) {
        calls.count(open);
    }

    /** Returns whether the connection has grown beyond what it needs, where others may soon have no room. */
    boolean isRoomWasted() {
        return calls.isRoomWasted();
    }

    /** All calls have ended with the connection. */
    void end() {
        calls.end();
    }

    /** A request begins: a call, unless its headers say otherwise. */
    void open(Http2Stream stream, Http2Headers headers, boolean isAll) {
        int now = connection.connection().remote().numActiveStreams();
        if (now > ConnectionBuilder.MAX_STREAMS || !calls.mayOpen(now)) {
            methods.refusals().accept(Refusal.STREAMS);
            connection.reset(stream.id(), Http2Error.REFUSED_STREAM);
            return;
        }
        try {
            Opening opened = openings.of(headers);
            var head = opened.head(connection.socket().cameNanos(), methods);
            var exchange = new Exchange(connection, stream.id(), head, reader(opened));
            var _ = stream.setProperty(exchanges, exchange);
            exchange.begin(opened.calls());
            if (isAll) {
                exchange.halfClose();
            }
            connection.mind(exchange.deadlineNanos());
        } catch (RefusedException refused) {
            methods.refusals().accept(refused.why());
            dropRest(connection.answers().refuse(stream.id(), refused), stream, isAll);
        }
    }

    private MessageReader reader(Opening opened) {
        return new MessageReader(
                opened.calls().maxBytes(methods.maxMessageBytes()),
                opened.calls().maxUnpackedBytes(methods.maxMessageBytes()),
                budgets.unfinished(),
                opened.isGzip());
    }

    /** A reset that overtook the answer would undo it. */
    private void dropRest(ChannelFuture answered, Http2Stream stream, boolean isAll) {
        if (!isAll) {
            var _ = answered.addListener(_ -> connection.reset(stream.id(), Http2Error.NO_ERROR));
        }
    }
}
