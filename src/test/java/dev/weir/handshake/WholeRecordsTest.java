package dev.weir.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.SignedFiles;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContextBuilder;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A caller and a service shake hands without a socket; then the caller sends records, or parts of them, and the clock goes on. */
final class WholeRecordsTest {
    private static final int LARGE_BYTES = 64 << 10;
    private static final int MOST_OF_AN_ENGINE = 1_000;
    private static final int RECORD_BYTES = 5_000;

    private final SignedFiles files = SignedFiles.create();
    private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
    private EmbeddedChannel service;
    private EmbeddedChannel caller;

    @BeforeEach
    void shakeHands() throws Exception {
        var pair = files.sign("tls", "weir.example");
        var context = new TlsFiles(pair.certificate(), pair.key(), null, "")
                .read(InstantSource.system())
                .context();
        service = new EmbeddedChannel();
        service.freezeTime();
        var _ = service.config().setAllocator(buffers);
        var _ = service.pipeline().addLast(new WholeRecords(context.newEngine(buffers), Runnable::run));
        var trusting = Http2Tls.build(
                SslContextBuilder.forClient().trustManager(files.authority().toFile()));
        caller = new EmbeddedChannel(trusting.newHandler(UnpooledByteBufAllocator.DEFAULT, "weir.example", 443));
        for (boolean isSaid = true; isSaid; isSaid = pass(caller, service) || pass(service, caller)) {
            service.runPendingTasks();
        }
        send(record());
        assertThat(heard()).as("the hands are shaken").isEqualTo(RECORD_BYTES);
    }

    @AfterEach
    void end() {
        var _ = caller.finishAndReleaseAll();
        var _ = service.finishAndReleaseAll();
        files.close();
    }

    private static boolean pass(EmbeddedChannel from, EmbeddedChannel to) {
        ByteBuf bytes = from.readOutbound();
        if (bytes == null) {
            return false;
        }
        var _ = to.writeInbound(bytes);
        return true;
    }

    private ByteBuf record() {
        assertThat(caller.writeOutbound(Unpooled.buffer().writeZero(RECORD_BYTES)))
                .isTrue();
        return caller.readOutbound();
    }

    /** As it comes after a flood: in a buffer that is guessed to be filled. */
    private void send(ByteBuf bytes) {
        var _ = service.writeInbound(buffers.directBuffer(LARGE_BYTES).writeBytes(bytes));
        bytes.release();
    }

    private int heard() {
        int bytes = 0;
        for (ByteBuf piece = service.readInbound(); piece != null; piece = service.readInbound()) {
            bytes += piece.readableBytes();
            piece.release();
        }
        return bytes;
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            service.advanceTimeBy(1, TimeUnit.SECONDS);
            service.runScheduledPendingTasks();
        }
    }

    private long heldBytes() {
        return buffers.metric().usedDirectMemory() + buffers.metric().usedHeapMemory();
    }

    @Test
    void who_leaves_a_record_unfinished_is_given_up_after_ten_seconds() {
        ByteBuf record = record();
        for (int i = 0; i < 3; i++) {
            send(record.readBytes(5));
            pass(3);
        }
        record.release();
        assertThat(service.isOpen()).isTrue();
        pass(6);
        assertThat(service.isOpen()).isFalse();
    }

    @Test
    void who_always_begins_another_record_holds_no_more_than_came_of_it() {
        ByteBuf record = record();
        send(record.readBytes(5));
        assertThat(heldBytes()).isGreaterThanOrEqualTo(LARGE_BYTES);
        for (int i = 0; i < 9; i++) {
            pass(5);
            assertThat(heldBytes()).isLessThan(MOST_OF_AN_ENGINE);
            ByteBuf another = record();
            send(Unpooled.wrappedBuffer(record, another.readBytes(5)));
            assertThat(heard()).isEqualTo(RECORD_BYTES);
            record = another;
        }
        record.release();
        assertThat(service.isOpen()).isTrue();
    }

    @Test
    void who_is_between_two_records_may_be_silent() {
        pass(600);
        send(record());
        assertThat(heard()).isEqualTo(RECORD_BYTES);
    }
}
