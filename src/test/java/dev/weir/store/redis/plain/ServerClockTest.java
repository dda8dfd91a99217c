package dev.weir.store.redis.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ServerClockTest {
    @Test
    void time_is_seconds_and_the_microseconds_of_one_more() {
        assertThat(read("*2\r\n$10\r\n1795694400\r\n$1\r\n0\r\n")).isEqualTo(1_795_694_400_000_000L);
        assertThat(read("*2\r\n$10\r\n1795694400\r\n$6\r\n123456\r\n")).isEqualTo(1_795_694_400_123_456L);
        assertThat(read("*2\r\n$10\r\n1795694400\r\n$6\r\n999999\r\n")).isEqualTo(1_795_694_400_999_999L);
    }

    @Test
    void what_is_no_microsecond_of_a_second_is_no_time() {
        assertThatThrownBy(() -> read("*2\r\n$10\r\n1795694400\r\n$7\r\n1000000\r\n"))
                .isInstanceOf(NumberFormatException.class)
                .hasMessage("no microseconds of a second");
    }

    /** A second longer than it matters, and never a part of a millisecond less. */
    @Test
    void what_is_written_lives_on_for_a_second() {
        var lifetime = ServerClock.production().lifetime();
        assertThat(lifetime.applyAsLong(60_000_000)).isEqualTo(61_000);
        assertThat(lifetime.applyAsLong(60_000_001)).isEqualTo(61_001);
    }

    private static long read(String reply) {
        var in = Unpooled.copiedBuffer(reply, StandardCharsets.US_ASCII);
        return ServerClock.micros(in.readByte(), in);
    }
}
