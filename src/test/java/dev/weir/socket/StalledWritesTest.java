package dev.weir.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A socket that takes as much as the test says, and a clock that the test moves. */
final class StalledWritesTest {
    private static final int BYTES = 100;
    private final NarrowChannel channel = new NarrowChannel();

    /** Stands for a socket whose other end reads only so many bytes. */
    private static final class NarrowChannel extends EmbeddedChannel {
        private int room;

        NarrowChannel() {
            super(new StalledWrites());
        }

        @Override
        protected void doWrite(ChannelOutboundBuffer unwritten) {
            while (room > 0 && unwritten.current() instanceof ByteBuf bytes) {
                int taken = Math.min(room, bytes.readableBytes());
                room -= taken;
                unwritten.removeBytes(taken);
            }
        }

        void takes(int bytes) {
            room += bytes;
            flush();
        }
    }

    @BeforeEach
    void stopTheClock() {
        channel.freezeTime();
    }

    @AfterEach
    void end() {
        var _ = channel.close();
    }

    private void write() {
        var _ = channel.writeAndFlush(Unpooled.buffer().writeZero(BYTES));
    }

    private void seconds(int seconds) {
        for (int i = 0; i < seconds; i++) {
            channel.advanceTimeBy(1, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    @Test
    void who_reads_nothing_is_given_up_after_twenty_seconds() {
        write();
        seconds(19);
        assertThat(channel.isOpen()).isTrue();
        seconds(6);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void more_to_be_written_does_not_help() {
        for (int i = 0; i < 25; i++) {
            write();
            seconds(1);
        }
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void who_reads_slowly_is_waited_for() {
        write();
        for (int i = 0; i < 9; i++) {
            seconds(15);
            channel.takes(10);
        }
        assertThat(channel.isOpen()).isTrue();
        channel.takes(10);
        seconds(60);
        assertThat(channel.isOpen()).as("all is written, and nothing is missed").isTrue();
    }

    @Test
    void a_page_in_pieces_of_one_buffer_is_read_though_it_looks_the_same() {
        ByteBuf piece = Unpooled.buffer().writeZero(BYTES);
        for (int i = 0; i < 12; i++) {
            var _ = channel.writeAndFlush(piece.retain().readerIndex(0));
            channel.takes(30);
            seconds(5);
            channel.takes(70);
        }
        piece.release();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void a_connection_without_anything_to_say_may_be_silent() {
        channel.takes(BYTES);
        write();
        seconds(600);
        assertThat(channel.isOpen()).isTrue();
        write();
        seconds(25);
        assertThat(channel.isOpen()).as("the next piece was not taken").isFalse();
    }
}
