package dev.weir.http2.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.call.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MessageReaderTest {
    private static final int MAX_BYTES = 100_000;

    private final Budget budget = new Budget(150_000);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void finds_every_message_wherever_the_bytes_are_cut(long seed) throws BrokenCallException {
        var random = new SplittableRandom(seed);
        var sent = new ArrayList<byte[]>();
        ByteBuf all = Unpooled.buffer();
        for (int i = 0; i < 50; i++) {
            byte[] message = new byte[random.nextInt(random.nextBoolean() ? 10 : 20_000)];
            random.nextBytes(message);
            sent.add(message);
            all.writeByte(0).writeInt(message.length).writeBytes(message);
        }
        var reader = reader();
        var found = new ArrayList<byte[]>();
        while (all.isReadable()) {
            ByteBuf part =
                    all.readSlice(Math.min(all.readableBytes(), random.nextInt(random.nextBoolean() ? 7 : 5_000)));
            for (byte[] message = reader.next(part); message != null; message = reader.next(part)) {
                found.add(message);
            }
        }
        assertThat(found.toArray(byte[][]::new)).as("seed %d", seed).isDeepEqualTo(sent.toArray(byte[][]::new));
        assertThat(reader.isMidway()).isFalse();
        budget.take(150_000); // all of it was given back
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void bytes_of_chance_are_read_or_refused(long seed) {
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 1_000; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            var reader = new MessageReader(MAX_BYTES, MAX_BYTES, budget, random.nextBoolean());
            ByteBuf in = Unpooled.wrappedBuffer(bytes);
            try {
                while (reader.next(in) != null) {
                    assertThat(in.readerIndex()).as("seed %d, step %d", seed, i).isPositive();
                }
                assertThat(in.isReadable()).as("seed %d, step %d", seed, i).isFalse();
            } catch (BrokenCallException broken) {
                assertThat(broken.outcome().code())
                        .as("seed %d, step %d", seed, i)
                        .isIn(Outcome.INTERNAL, Outcome.RESOURCE_EXHAUSTED);
            }
            reader.forget();
        }
    }

    @Test
    void an_announced_length_takes_nothing() throws BrokenCallException {
        for (int i = 0; i < 100; i++) {
            ByteBuf claim = Unpooled.buffer().writeByte(0).writeInt(MAX_BYTES).writeByte(1);
            assertThat(reader().next(claim))
                    .as("the first bytes of a large message")
                    .isNull();
            if (i == 35) {
                assertThatThrownBy(() -> budget.take(10_000)).hasMessageContaining("150000 are held");
                return;
            }
        }
    }

    @Test
    void what_is_held_is_given_back_when_the_call_ends_midway() throws BrokenCallException {
        var reader = reader();
        assertThat(reader.next(
                        Unpooled.buffer().writeByte(0).writeInt(MAX_BYTES).writeZero(60_000)))
                .isNull();
        assertThat(reader.isMidway()).isTrue();
        assertThatThrownBy(() -> budget.take(100_000)).isInstanceOf(BrokenCallException.class);
        reader.forget();
        budget.take(150_000);
    }

    @Test
    void empty_messages_that_nobody_takes_are_bounded_too() throws BrokenCallException {
        var reader = reader();
        byte[] empty = new byte[0];
        reader.keep(empty, true);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 10_000; i++) {
                        reader.keep(empty, false);
                    }
                })
                .hasMessageContaining("150000 are held");
        reader.forget();
        budget.take(150_000);
    }

    private MessageReader reader() {
        return new MessageReader(MAX_BYTES, MAX_BYTES, budget, false);
    }
}
