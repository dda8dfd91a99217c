package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RoomTest {
    @ParameterizedTest
    @CsvSource({
        // heap in MiB, TLS, open files, ports of HTTP -> connections
        "112, false, 1048576, 3, 3584",
        "112, true, 1048576, 3, 896",
        "448, false, 9223372036854775807, 3, 14336",
        "448, false, 20000, 3, 14336",
        "448, false, 16384, 3, 12884", // the files are fewer than the heap has room for
        "448, false, 16384, 2, 13884",
        "112, false, 7084, 3, 3584",
        "112, false, 7083, 3, 3583",
        "112, false, 4096, 3, 2048", // less a thousand for each port there would be next to nothing
        "112, true, 4096, 3, 896",
        "112, false, 1024, 3, 512",
    })
    void there_is_as_much_as_heap_and_open_files_leave(
            int heap, boolean isTls, long files, int portsOfHttp, int connections) {
        assertThat(Room.of((long) heap << 20, isTls, files, portsOfHttp).connections())
                .isEqualTo(connections);
    }
}
