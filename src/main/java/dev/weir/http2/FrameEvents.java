package dev.weir.http2;

import dev.weir.http2.bound.PingPolicy;
import dev.weir.http2.bound.SettingsPolicy;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;

/** What Netty tells of a connection and its streams, to whom it concerns. */
final class FrameEvents extends Http2EventAdapter {
    private final Connection connection;
    private final Reception reception;
    private final PingPolicy pings;
    private final SettingsPolicy settings = new SettingsPolicy();

    FrameEvents(Connection connection, Reception reception, PingPolicy pings) {
        this.connection = connection;
        this.reception = reception;
        this.pings = pings;
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext from,
            int streamId,
            Http2Headers headers,
            int dependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean isAll) {
        onHeadersRead(from, streamId, headers, padding, isAll);
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext from, int streamId, Http2Headers headers, int padding, boolean isAll) {
        Http2Stream stream = connection.connection().stream(streamId);
        Exchange exchange = reception.exchange(stream);
        if (exchange != null) {
            if (isAll) {
                exchange.halfClose();
            }
        } else if (!stream.isHeadersSent()) { // else trailers of a call that was refused: nobody minds them
            reception.open(stream, headers, isAll);
        }
    }

    @Override
    public int onDataRead(ChannelHandlerContext from, int streamId, ByteBuf bytes, int padding, boolean isAll) {
        Exchange exchange = reception.exchange(connection.connection().stream(streamId));
        int flowBytes = bytes.readableBytes() + padding;
        if (exchange == null) {
            return flowBytes;
        }
        int given = exchange.read(bytes, flowBytes, isAll);
        if (isAll) {
            exchange.halfClose();
        }
        return given;
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext from, Http2Settings said) throws Http2Exception {
        if (settings.isTooMany(System.nanoTime())) {
            throw Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "too_many_settings");
        }
        connection.roomChanged();
    }

    @Override
    public void onSettingsAckRead(ChannelHandlerContext from) {
        connection.boundStreamsItself();
    }

    @Override
    public void onPingRead(ChannelHandlerContext from, long content) throws Http2Exception {
        if (pings.isTooMany(System.nanoTime())) {
            throw Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "too_many_pings");
        }
    }

    @Override
    public void onPingAckRead(ChannelHandlerContext from, long content) {
        connection.pingAnswered(content);
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
        Exchange exchange = reception.exchange(stream);
        if (exchange != null) {
            exchange.gone();
        }
    }
}
