package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What unpacks a body holds memory outside the heap until it is closed: so it is, however the answer ends. */
final class PiecesTest {
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());

    @AfterEach
    void end() {
        var _ = channel.finishAndReleaseAll();
    }

    private boolean isWritten(InputStream from) {
        return Pieces.write(channel.pipeline().lastContext(), from).isSuccess();
    }

    @Test
    void a_body_that_was_written_is_closed() {
        var empty = new Body(_ -> -1);
        assertThat(isWritten(empty)).isTrue();
        assertThat(empty.isClosed).isTrue();
    }

    @Test
    void so_is_one_that_nobody_takes() {
        var _ = channel.pipeline().addFirst(new Gone());
        var much = new Body(wanted -> wanted);
        assertThat(isWritten(much)).isFalse();
        assertThat(much.isClosed).isTrue();
    }

    @Test
    void so_is_one_that_cannot_be_read() {
        var broken = new Body(_ -> {
            throw new IOException("made for this test");
        });
        assertThat(isWritten(broken)).isFalse();
        assertThat(broken.isClosed).isTrue();
    }

    /** How many bytes there are, of those that are wanted, or -1 at the end. */
    private interface Source {
        int give(int wanted) throws IOException;
    }

    private static final class Body extends FilterInputStream {
        private final Source source;
        private boolean isClosed;

        Body(Source source) {
            super(InputStream.nullInputStream());
            this.source = source;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            return source.give(length);
        }

        @Override
        public void close() throws IOException {
            isClosed = true;
            super.close();
        }
    }

    /** A socket that is closed. */
    private static final class Gone extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext here, Object piece, ChannelPromise written) {
            ReferenceCountUtil.release(piece);
            written.setFailure(new ClosedChannelException());
        }
    }
}
