package dev.weir.store.redis.plain;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.MessageToByteEncoder;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.handler.CommandDecoder;
import org.redisson.client.handler.CommandsQueue;
import org.redisson.client.handler.State;
import org.redisson.client.protocol.QueueCommand;

/**
 * Teaches a connection of Redisson's to send and read {@link PlainCall}: it stands in the connection's queue of commands as any
 * other, but is written and read as a whole. As commands of Redisson's each of its counters would cost some 300 bytes of
 * objects, and three looks at the same reply.
 */
public final class PlainCodec {
    private PlainCodec() {}

    /**
     * Teaches a connection that Redisson has set up, and to end the calls under way when it closes.
     *
     * @param scheme of the addresses that Redis may name in its replies
     */
    public static void install(Channel channel, String scheme) {
        ChannelPipeline pipeline = channel.pipeline();
        var queue = pipeline.context(CommandsQueue.class);
        var decoder = pipeline.context(CommandDecoder.class);
        if (queue != null && decoder != null) { // others listen only
            pipeline.addBefore(queue.name(), null, new Encoder());
            pipeline.addBefore(queue.name(), null, new CallsUnderWay());
            var _ = pipeline.replace(decoder.name(), null, new Decoder(scheme));
        }
    }

    private static final class Encoder extends MessageToByteEncoder<PlainCall> {
        @Override
        protected ByteBuf allocateBuffer(ChannelHandlerContext context, PlainCall call, boolean isDirect) {
            return context.alloc().ioBuffer(call.sizeInBytes());
        }

        /** Looks here, where it cannot change any more: once its bytes are made they are sent, and its replies come. */
        @Override
        protected void encode(ChannelHandlerContext context, PlainCall call, ByteBuf out) {
            if (call.isOver()) {
                throw new RedisTimeoutException("not written in time");
            }
            call.write(out);
        }
    }

    private static final class Decoder extends CommandDecoder {
        Decoder(String scheme) {
            super(scheme);
        }

        /** Is called when a reply is there up to {@code end}. */
        @Override
        protected void decodeCommand(Channel channel, ByteBuf in, QueueCommand asked, int end, State state)
                throws Exception {
            if (!(asked instanceof PlainCall call)) {
                super.decodeCommand(channel, in, asked, end, state);
                return;
            }
            call.read(in);
            in.readerIndex(end);
            if (call.isExecuted()) {
                sendNext(channel);
                call.complete();
            }
        }
    }
}
