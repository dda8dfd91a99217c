package dev.weir.warmup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testing.DeafPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OwnLoadTest {

    @ParameterizedTest
    @CsvSource({
        // after, of a length, quick rounds, another one
        "0, 10, 0, true",
        "9, 10, 1000, true",
        "10, 10, 99, true",
        "10, 10, 100, false",
        "29, 10, 0, true",
        "30, 10, 0, false"
    })
    void goes_on_until_answers_are_quick_and_at_most_three_times_as_long(
            long after, long length, int quick, boolean goesOn) {
        assertThat(OwnLoad.isToGoOn(after, length, quick)).isEqualTo(goesOn);
    }

    @Test
    void a_port_where_nobody_listens_is_told() {
        try (var nobody = DeafPort.hold()) {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), nobody.number());
            assertThatThrownBy(() -> new OwnLoad(address, "/a/b", List.of(new byte[0])).run(Duration.ofSeconds(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("refused");
        }
    }
}
